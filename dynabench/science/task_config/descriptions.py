"""What each key of a task config is for, in a sentence: for editors and the reference."""

from typing import Final

KEYS: Final[dict[str, str]] = {
    "schema_version": "The version of this format.",
    "title": "The name of the task.",
    "description": "What the task is about, in a sentence.",
    "instructions": "What annotators and validators are to do, as Markdown.",
    "goal_message": "What an annotator tries to do, shown above the form.",
    "content_warning": "What must be accepted before anything of the task is shown.",
    "language": "The language of the content, such as en; en if not said.",
    "context": "The fields that an annotator reads and writes about.",
    "input": "The fields that an annotator fills in.",
    "output": "The fields that a model answers. Those that stand in the input too are the gold "
    "answer, which no model is sent.",
    "metadata": "What is asked beside the example; nothing of it is required.",
    "model_wrong_metric": "When a model counts as wrong.",
    "perf_metric": "How models are scored: a metric, or a list whose first is the principal one.",
    "delta_metrics": "What is measured on changed texts: fairness and robustness.",
    "aggregation_metric": "How the board combines metrics.",
    "train_file_metric": "How submitted examples train a model, for data-centric tasks.",
}
"""The keys of the document."""

FIELD_KEYS: Final[dict[str, str]] = {
    "name": "The field's name in data, a word of letters, digits, _ and -.",
    "type": "What kind of value the field holds.",
    "display_name": "What the field is called on the page; its name if not said.",
    "placeholder": "What an empty field shows.",
    "is_shown_to_model": "False: people see the field, and no model is sent it. Of fields of the "
    "context, and of the input without the gold answer.",
    "model_wrong_condition": "Ask only when the model was wrong (true) or right (false).",
    "validated_label_condition": "Ask only after this vote.",
}
"""The keys of a field beside the arguments of its type."""

METADATA_KEYS: Final[dict[str, str]] = {
    "create": "Asked of the author after the model has answered.",
    "validate": "Asked of a validator after the choice.",
}

RULES: Final[dict[str, str]] = {
    "exact_match": "Wrong when any of the reference fields differs from the author's answer.",
    "string_f1": "Wrong when the token F1 with the author's answer is below the threshold.",
    "ask_user": "Wrong when the author says so after seeing the answer.",
    "rubric": "Wrong when the judge finds a criterion broken and the author agrees.",
}
"""The rules of `model_wrong_metric`."""

RULE_KEYS: Final[dict[str, str]] = {
    "reference_names": "The gold fields that are compared.",
    "reference_name": "The gold field that is compared.",
    "threshold": "The lowest token F1 that counts as right.",
    "judge": "The name of a model of the task whose purpose is to judge.",
    "criteria": "What an answer must not break: a name and a sentence each.",
}
"""The arguments of the rules."""


def summary_of(documented: type) -> str:
    """Return the first paragraph of a class's docstring as one line."""
    first = (documented.__doc__ or "").split("\n\n", 1)[0]
    return " ".join(first.split())
