"""Fields that people see and no model is sent."""

import pytest
import yaml

from dynabench.loop.tasks.rules import changed_fields, shape_of
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import TaskConfigError
from dynabench.science.task_config.public import describe_config
from dynabench.science.task_config.restoring import restore_config

_LABELS = ["yes", "no"]


def _config(
    *, context: list[dict[str, object]] | None = None, note: dict[str, object] | None = None
) -> str:
    document = {
        "context": context
        or [
            {"name": "premise", "type": "string"},
            {"name": "hint", "type": "string", "is_shown_to_model": False},
        ],
        "input": [
            {"name": "hypothesis", "type": "string"},
            note or {"name": "source", "type": "string", "is_shown_to_model": False},
            {"name": "label", "type": "multiclass", "labels": _LABELS},
        ],
        "output": [{"name": "label"}],
        "model_wrong_metric": {"type": "exact_match", "reference_names": ["label"]},
        "perf_metric": {"type": "accuracy", "reference_name": "label"},
    }
    return yaml.safe_dump(document)


def _problems(text: str) -> str:
    with pytest.raises(TaskConfigError) as refused:
        load_task_config(text)
    return "\n".join(str(problem) for problem in refused.value.problems)


def test_a_model_is_sent_what_is_shown_to_it() -> None:
    config = load_task_config(_config())
    assert config.model_input_names == ("premise", "hypothesis")
    assert config.seen_by_model({"premise": "a", "hint": "b"}) == {"premise": "a"}
    checked = config.check_context({"premise": "a", "hint": "b"})
    assert checked == {"premise": "a", "hint": "b"}
    assert config.check_inputs({"hypothesis": "c", "source": "d"})["source"] == "d"


def test_pages_and_builders_of_models_know_which_field_is_hidden() -> None:
    config = load_task_config(_config())
    described = describe_config(config)
    assert [one.get("is_shown_to_model") for one in described["context"]] == [None, False]  # type: ignore[attr-defined]  # it is a list of fields
    restored = restore_config(described)
    assert restored.model_input_names == config.model_input_names


def test_whether_a_model_sees_a_field_stays_fixed() -> None:
    shown = _config().replace("is_shown_to_model: false", "is_shown_to_model: true")
    before, after = (shape_of(load_task_config(text)) for text in (_config(), shown))
    assert changed_fields(before, after) == ["context.hint", "input.source"]


def test_it_is_true_or_false_and_true_where_nothing_is_said() -> None:
    wrong: dict[str, object] = {"name": "source", "type": "string", "is_shown_to_model": "no"}
    assert "This must be true or false" in _problems(_config(note=wrong))
    told = {"name": "source", "type": "string", "is_shown_to_model": True}
    assert load_task_config(_config(note=told)).model_input_names[-1] == "source"


def test_a_model_is_sent_something_and_what_it_answers_with() -> None:
    hidden = {"is_shown_to_model": False}
    nothing = yaml.safe_load(_config())
    for field in (*nothing["context"], *nothing["input"][:2]):
        field.update(hidden)
    assert "sent nothing at all" in _problems(yaml.safe_dump(nothing))
    gold = yaml.safe_load(_config())
    gold["input"][2] |= hidden
    assert "gold answer" in _problems(yaml.safe_dump(gold))
    answered = yaml.safe_load(_config())
    answered["output"].append({"name": "reason", "type": "string", **hidden})
    assert "is_shown_to_model" in _problems(yaml.safe_dump(answered))
    cited = {
        "context": [{"name": "passage", "type": "string", **hidden}],
        "input": [
            {"name": "question", "type": "string"},
            {"name": "answer", "type": "context_string_selection", "reference_name": "passage"},
        ],
        "output": [{"name": "answer"}],
        "model_wrong_metric": {"type": "string_f1", "reference_name": "answer", "threshold": 0.4},
        "perf_metric": {"type": "squad_f1", "reference_name": "answer"},
    }
    assert "parts of this field" in _problems(yaml.safe_dump(cited))


def test_what_no_model_reads_is_not_perturbed() -> None:
    document = yaml.safe_load(_config())
    document["delta_metrics"] = [{"type": "fairness", "perturb_fields": ["hint"]}]
    assert "not a text that a model reads" in _problems(yaml.safe_dump(document))
