"""A config that is right loads; one that is wrong says everything that is, and where."""

import pytest

from dynabench.science.task_config.elements import PerfMetric, VoteCondition
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import (
    MAX_PROBLEMS,
    ConfigProblem,
    TaskConfigError,
    list_names,
    write_path,
)
from dynabench.science.task_config.schema import TaskConfig


def problems_of(text: str) -> tuple[ConfigProblem, ...]:
    with pytest.raises(TaskConfigError) as caught:
        load_task_config(text)
    return caught.value.problems


def problem_of(text: str) -> ConfigProblem:
    problems = problems_of(text)
    assert len(problems) == 1, problems
    return problems[0]


def test_a_config_of_the_known_shape_loads(nli: TaskConfig) -> None:
    assert nli.gold_names == ("label",)
    assert nli.model_input_names == ("premise", "hypothesis")
    assert nli.model_output_names == ("label",)
    assert nli.labels_of("label") == ("entailed", "neutral", "contradictory")
    assert nli.goal_field is nli.field("label")
    prob = nli.field("prob").type
    assert isinstance(prob, ProbType)
    assert prob.labels == nli.labels_of("label")
    assert nli.validate_metadata[0].vote is VoteCondition.INCORRECT
    assert nli.aggregation_metric.default_weights == {"macro_f1": 4, "fairness": 0.5}
    assert nli.delta_metrics[1].transforms == ("typos",)
    assert not nli.asks_author
    assert nli.can_be_blind


def test_a_config_without_gold_asks_the_annotator(ask: TaskConfig) -> None:
    assert ask.gold_names == ()
    assert ask.goal_field is None
    assert ask.asks_author
    assert not ask.can_be_blind
    assert ask.perf_metrics == (PerfMetric("bleu", "reply"),)


def test_texts_come_in_the_language_of_the_reader(nli: TaskConfig) -> None:
    assert nli.text(nli.title, "de-CH") == "Folgerung"
    assert nli.text(nli.title, "fr") == "Inference"
    assert nli.text(nli.title) == "Inference"
    assert nli.text(nli.goal_message, "de") == "Write something that fools the model."
    assert nli.text(None, "de") == ""
    assert nli.text({"de": "Ja", "fr": "Oui"}, "it") == "Ja"
    assert nli.text({}, "it") == ""


def test_asking_for_labels_of_a_text_is_a_mistake_of_ours(nli: TaskConfig) -> None:
    with pytest.raises(ValueError, match="no labels"):
        nli.labels_of("hypothesis")
    with pytest.raises(ValueError, match="no field"):
        nli.labels_of("nonsense")


def test_every_problem_is_told_at_once_with_its_line(good_texts: tuple[str, ...]) -> None:
    text = (
        good_texts[0]
        .replace("max_length: 40", "max_lenght: 40")
        .replace("reference_names: [label]", "reference_names: [lable]")
        .replace("type: macro_f1", "type: makro_f1")
        .replace("reference_name: label\nmetadata", "reference_name: labels\nmetadata")
    )
    found = [(one.path, one.line, one.suggestion) for one in problems_of(text)]
    assert found == [
        ("input[0].max_lenght", 10, "Did you mean “max_length”?"),
        ("output[1].reference_name", 20, "Did you mean “label”?"),
        ("model_wrong_metric.reference_names[0]", 44, "Did you mean “label”?"),
        ("perf_metric.type", 46, "Did you mean “macro_f1”?"),
    ]


def test_an_output_that_is_a_bare_name_is_told_once_with_how_to_write_it(
    good_texts: tuple[str, ...],
) -> None:
    (problem,) = problems_of(
        good_texts[0].replace("- name: label\n  - name: prob", "- label\n  - name: prob")
    )
    assert (problem.path, problem.suggestion) == ("output[0]", "Write {name: label}.")


def test_the_error_names_its_fields(good_texts: tuple[str, ...]) -> None:
    text = good_texts[1].replace("min_length: 5", "min_length: 5, a: 1, b: 2")
    with pytest.raises(TaskConfigError) as caught:
        load_task_config(text)
    error = caught.value
    assert error.code == "tasks.config_invalid"
    assert set(error.fields) == {"input[0].a", "input[0].b"}
    assert error.message.startswith("The task config has 2 problems. line 4: input[0].a: ")
    assert isinstance(error.facts["problems"], list)


def test_problems_of_one_path_are_told_together() -> None:
    error = TaskConfigError([ConfigProblem("a", 1, "One."), ConfigProblem("a", 1, "Two.", "Fix.")])
    assert error.fields == {"a": "One. Two. Fix."}


QA_LINE_4 = "{name: question, type: string, min_length: 5}"


@pytest.mark.parametrize(
    ("old", "new", "path", "said"),
    [
        (QA_LINE_4, "question", "input[0]", "must be a mapping"),
        (QA_LINE_4, "{type: string}", "input[0]", "“name” is missing"),
        (QA_LINE_4, "{name: 3, type: string}", "input[0].name", "the number 3 is none"),
        (QA_LINE_4, "{name: 'a b', type: string}", "input[0].name", "“a b” is none"),
        (QA_LINE_4, "{name: question}", "input[0]", "“type” is missing"),
        (QA_LINE_4, "{name: question, type: [a]}", "input[0].type", "not a list"),
        (QA_LINE_4, "{name: question, type: strnig}", "input[0].type", "“strnig” cannot"),
        (QA_LINE_4, "{name: question, type: zzz}", "input[0].type", "cannot be used"),
        (QA_LINE_4, "{name: question, type: picture}", "input[0].type", "cannot be used"),
        (QA_LINE_4, "{name: passage, type: string}", "input[0].name", "already taken"),
        (QA_LINE_4, "{name: q, type: prob, single_prob: true}", "input[0].type", "Only a model"),
        (QA_LINE_4, "{name: q, type: string, multiline: 1}", "input[0].multiline", "true or false"),
        (QA_LINE_4, "{name: q, type: string, language: 12}", "input[0].language", "must be text"),
        (QA_LINE_4, "{name: q, type: string, language: x}", "input[0].language", "language tag"),
        (
            QA_LINE_4,
            "{name: q, type: string, min_length: 9, max_length: 2}",
            "input[0].min_length",
            "larger than max_length",
        ),
        (QA_LINE_4, "{name: q, type: string, max_length: 0}", "input[0].max_length", "from 1 to"),
        (QA_LINE_4, "{name: q, type: string, max_length: a}", "input[0].max_length", "from 1 to"),
        (
            QA_LINE_4,
            '{name: q, type: string, placeholder: "\\0"}',
            "input[0].placeholder",
            "NUL character",
        ),
        (
            QA_LINE_4,
            "{name: q, type: string, display_name: {}}",
            "input[0].display_name",
            "at least one language",
        ),
        (
            QA_LINE_4,
            "{name: q, type: string, display_name: {german: x}}",
            "input[0].display_name.german",
            "not a language tag",
        ),
        (
            QA_LINE_4,
            "{name: q, type: string, display_name: {de: 1}}",
            "input[0].display_name.de",
            "must be text",
        ),
        (
            "reference_name: passage}\nout",
            "reference_name: [a]}\nout",
            "input[1].reference_name",
            "",
        ),
        ("single_prob: true", "single_prob: 7", "output[1]", "“reference_name” is missing"),
        (
            "single_prob: true",
            "single_prob: true, reference_name: [a]",
            "output[1].reference_name",
            "A name has",
        ),
        ("single_prob: true", "reference_name: answer", "output[1].reference_name", "multiclass"),
        ("- name: answer\n", "- name: answr\n", "output[0]", "not defined above"),
        ("metadata:\n  validate:", "metadata:\n  validat:", "metadata.validat", "not known"),
        ("condition: incorrect", "condition: wrong", "metadata.validate[0]", "must be one of"),
        ("threshold: 0.5", "threshold: 2", "model_wrong_metric.threshold", "from 0 to 1"),
        ("threshold: 0.5", "threshold: 1e400", "model_wrong_metric.threshold", "from 0 to 1"),
        (", threshold: 0.5", "", "model_wrong_metric.threshold", "is missing"),
        (
            "string_f1, reference_name: answer, threshold: 0.5",
            "rubric",
            "model_wrong_metric",
            "“judge” is missing",
        ),
        (
            "type: string_f1, reference_name: answer",
            "type: string_f1",
            "model_wrong_metric",
            "“reference_name” is missing",
        ),
        (
            "string_f1, reference_name: answer, threshold: 0.5",
            "exact_match, reference_names: []",
            "model_wrong_metric.reference_names",
            "list of names",
        ),
        (
            "string_f1, reference_name: answer, threshold: 0.5",
            "exact_match",
            "model_wrong_metric",
            "“reference_names” is missing",
        ),
        (
            "string_f1, reference_name: answer, threshold: 0.5",
            "exact_match, reference_names: [answer, answer]",
            "model_wrong_metric.reference_names[1]",
            "stands twice",
        ),
        (
            "{type: string_f1, reference_name: answer, threshold: 0.5}",
            "string_f1",
            "model_wrong_metric",
            "must be a mapping",
        ),
        (
            "type: string_f1, reference_name: answer",
            "type: string_f1, reference_name: question",
            "model_wrong_metric.reference_name",
            "both input and output",
        ),
        (
            "type: squad_f1, reference_name: answer",
            "type: macro_f1, reference_name: answer",
            "perf_metric[0].reference_name",
            "needs a field of type multiclass",
        ),
        (
            "type: squad_f1, reference_name: answer",
            "type: squad_f1, reference_name: confidence",
            "perf_metric[0].reference_name",
            "not an output field",
        ),
        ("{type: squad_f1, reference_name: answer}", "squad_f1", "perf_metric[0]", "a mapping"),
    ],
)
def test_a_wrong_value_is_named_with_its_path(
    good_texts: tuple[str, ...], old: str, new: str, path: str, said: str
) -> None:
    text = good_texts[1]
    assert old in text
    first = problems_of(text.replace(old, new, 1))
    assert any(one.path.startswith(path) and said in one.message for one in first), first


@pytest.mark.parametrize(
    ("section", "path", "said"),
    [
        ("delta_metrics: fairness", "delta_metrics", "a list of metrics"),
        ("delta_metrics: [fairness]", "delta_metrics[0]", "a mapping"),
        ("delta_metrics: [{type: fair}]", "delta_metrics[0].type", "must be one of"),
        (
            "delta_metrics: [{type: fairness}, {type: fairness}]",
            "delta_metrics[1].type",
            "stands twice",
        ),
        (
            "delta_metrics: [{type: fairness, perturb_fields: [answer]}]",
            "delta_metrics[0].perturb_fields[0]",
            "not a text that a model reads",
        ),
        ("aggregation_metric: dynascore", "aggregation_metric", "a mapping"),
        ("aggregation_metric: {}", "aggregation_metric", "“type” is missing"),
        (
            "aggregation_metric: {type: dynascore, default_weights: {x: 6}}",
            "aggregation_metric.default_weights.x",
            "from 0 to 5",
        ),
        (
            "aggregation_metric: {type: dynascore, default_weights: 6}",
            "aggregation_metric.default_weights",
            "a mapping",
        ),
        ("train_file_metric: dataperf", "train_file_metric", "a mapping"),
        ("schema_version: 2", "schema_version", "from 1 to 1"),
        ("titel: A", "titel", "not known"),
        ("1: A", "1", "not known"),
        ("~: A", "~", "not known"),
    ],
)
def test_a_wrong_section_is_named(
    good_texts: tuple[str, ...], section: str, path: str, said: str
) -> None:
    problem = problem_of(f"{good_texts[1]}{section}\n")
    assert problem.path == path
    assert said in problem.message
    assert problem.line == good_texts[1].count("\n") + 1


def test_sections_of_the_wrong_kind_are_named() -> None:
    found = {one.path: one.message for one in problems_of("input: 1\noutput: []\nmetadata: 3\n")}
    assert "a list of fields" in found["input"]
    assert "1 to 50 fields; it has 0" in found["output"]
    assert "a mapping" in found["metadata"]
    assert len(problems_of("schema_version: 1")) == 3


def test_references_to_a_field_that_could_not_be_read_are_not_told_too(
    good_texts: tuple[str, ...],
) -> None:
    passage = good_texts[1].replace("passage, type: string", "passage, type: strin")
    assert problem_of(passage).path == "context[0].type"
    label = good_texts[0].replace("    type: multiclass\n", "    type: multi\n", 1)
    assert [one.path for one in problems_of(label)] == ["input[1].type"]


def test_an_output_may_repeat_a_field_but_not_change_it(good_texts: tuple[str, ...]) -> None:
    whole = "  - {name: label, type: multiclass, labels: [entailed, neutral, contradictory]}\n"
    text = good_texts[0]
    repeated = text.replace("  - name: label\n  - name: prob", f"{whole}  - name: prob")
    assert load_task_config(repeated).gold_names == ("label",)
    other = whole.replace("neutral", "maybe")
    problem = problem_of(text.replace("  - name: label\n  - name: prob", f"{other}  - name: prob"))
    assert "defined above" in problem.message
    string = "  - {name: label, type: string}\n"
    problem = problem_of(text.replace("  - name: label\n  - name: prob", f"{string}  - name: prob"))
    assert problem.path == "output[0]"


def test_an_output_may_name_a_field_of_the_context(good_texts: tuple[str, ...]) -> None:
    config = load_task_config(
        good_texts[2]
        .replace("input:", "context: [{name: c, type: string}]\ninput:")
        .replace("output: [", "output: [{name: c}, ")
    )
    assert config.gold_names == ()
    assert config.model_output_names == ("c", "reply")


def test_only_one_choice_is_the_goal(good_texts: tuple[str, ...]) -> None:
    second = "  - {name: b, type: multiclass, labels: [x, y], as_goal_message: true}\noutput:\n"
    problem = problem_of(good_texts[0].replace("output:\n", second, 1))
    assert problem.path == "input[2].as_goal_message"


def test_metrics_are_few(good_texts: tuple[str, ...]) -> None:
    none = good_texts[2].replace("{type: bleu, reference_name: reply}", "[]")
    assert "1 to 20 metrics" in problem_of(none).message
    names = ", ".join(f"n{number}" for number in range(60))
    text = f"{good_texts[1]}delta_metrics: [{{type: fairness, transforms: [{names}]}}]\n"
    assert "At most 50 names" in problem_of(text).message


@pytest.mark.parametrize("text", ["", "# nothing", "- a", "3", "{}", "null", "word"])
def test_what_is_no_mapping_is_no_config(text: str) -> None:
    assert "must be a mapping" in problem_of(text).message


def test_no_more_problems_are_told_than_anybody_reads() -> None:
    text = "\n".join(f"key{number}: 1" for number in range(20_000))
    assert len(problems_of(text)) == MAX_PROBLEMS


def test_long_names_are_cut_in_messages() -> None:
    assert write_path(("a" * 100, 2)) == f"{'a' * 60}…[2]"
    assert list_names(["a", "b", "c"], limit=2) == "a, b and 1 more"
