"""Translates when a model is wrong and how models are scored."""

from collections.abc import Mapping

from dynabench.science.task_config.conversion.answers import Renamed
from dynabench.science.task_config.conversion.draft import Draft, Entry
from dynabench.science.task_config.conversion.part import Part
from dynabench.science.task_config.problems import quote

DEFAULT_THRESHOLD = 0.4
"""The token F1 below which an answer is wrong, where the file does not say: the QA task's."""

_COPIED = ("delta_metrics", "aggregation_metric", "train_file_metric")
_REFERENCES = ("reference_name", "reference_names", "perturb_fields")
_METRIC_FOR = {
    "multiclass": "accuracy",
    "multilabel": "exact_match",
    "string": "squad_f1",
    "context_string_selection": "squad_f1",
}


def read_metrics(top: Part, draft: Draft, *, renamed: Renamed) -> None:
    """Fill the fooling rule and the metrics, with the fields' new names."""
    kinds = {name: str(one.get("type")) for name, one in draft.written.items()}
    outputs = [str(one["name"]) for one in draft.output if one.get("type") != "prob"]
    gold = [name for name in outputs if name in kinds]
    rule = _read_rule(top, gold)
    draft.metrics["model_wrong_metric"] = _rename(rule, renamed)
    scored = top.take("perf_metric")
    if scored is None:
        scored = _default_metric(draft, kinds, gold or outputs)
        top.note(
            None,
            f"The file has no perf_metric; {quote(str(scored['type']))} is written.",
            "Choose the metric that ranks models.",
        )
    draft.metrics["perf_metric"] = _rename(scored, renamed)
    for key in _COPIED:
        value = top.take(key)
        if value is not None:
            draft.metrics[key] = _rename(value, renamed)


def _read_rule(top: Part, gold: list[str]) -> Entry:
    """Return the rule of the page, else the file's older one, else to ask the author."""
    older = top.take("model_wrong_metric")
    part = top.part("model_evaluation_metric")
    named = None if part is None else part.word("metric_name")
    rule = None if part is None else _page_rule(part, named, gold)
    if part is not None:
        part.leave("artifacts", "Nothing needs to be done.")
        part.finish()
    if isinstance(older, Mapping) and (rule is None or rule["type"] == older.get("type")):
        return dict(older)
    if older is not None and rule is not None:
        top.note(
            "model_wrong_metric",
            f"The page went by model_evaluation_metric, so {quote(str(rule['type']))} is "
            "written; this is left out.",
        )
    if rule is None:
        top.note(
            None,
            "The file does not say when a model is wrong; the author is asked (ask_user).",
            "Write a model_wrong_metric if answers can be compared.",
        )
    return rule or {"type": "ask_user"}


def _page_rule(part: Part, named: str | None, gold: list[str]) -> Entry | None:
    parameters = part.part("metric_parameters")
    threshold = None if parameters is None else parameters.take("threshold")
    if parameters is not None:
        parameters.finish()
    if named == "ask_user":
        return {"type": "ask_user"}
    if named not in {"exact_match", "string_f1"}:
        if named is not None:
            part.note("metric_name", f"The rule {quote(named)} is not known here.")
        return None
    if not gold:
        part.note("metric_name", "No field is both given by people and answered by models.")
        return None
    if named == "exact_match":
        return {"type": "exact_match", "reference_names": gold}
    if threshold is None:
        part.note("metric_parameters", f"There is no threshold; {DEFAULT_THRESHOLD} is written.")
    found = DEFAULT_THRESHOLD if threshold is None else threshold
    return {"type": "string_f1", "reference_name": gold[0], "threshold": found}


def _default_metric(draft: Draft, kinds: Mapping[str, str], names: list[str]) -> Entry:
    if (draft.chat_candidates or 0) > 1:
        return {"type": "preference", "reference_name": "chat"}
    name = names[0] if names else "label"
    return {
        "type": _METRIC_FOR.get(kinds.get(name, "string"), "exact_match"),
        "reference_name": name,
    }


def _rename(value: object, renamed: Renamed) -> object:
    """Return metrics with the fields that they refer to under their new names."""
    if isinstance(value, list):
        return [_rename(one, renamed) for one in value]
    if not isinstance(value, Mapping):
        return value
    found: Entry = {}
    for key, one in value.items():
        if key in _REFERENCES and isinstance(one, str):
            found[key] = renamed.get(one, one)
        elif key in _REFERENCES and isinstance(one, list):
            found[key] = [
                renamed.get(name, name) if isinstance(name, str) else name for name in one
            ]
        else:
            found[key] = one
    return found
