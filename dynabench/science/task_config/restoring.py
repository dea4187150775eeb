"""From a config as pages are given it back to one that checks models' inputs and answers."""

from collections.abc import Mapping, Sequence

import yaml

from dynabench.science.task_config.fields.registry import FIELD_TYPES
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

_RULE_KEYS = {
    "exact_match": ("type", "reference_names"),
    "string_f1": ("type", "reference_name", "threshold"),
    "ask_user": ("type",),
    "rubric": ("type", "judge", "criteria"),
}


def restore_config(described: Mapping[str, object]) -> TaskConfig:
    """Return the config that `describe_config` described, without what only pages need.

    A model's builder sees a task as every reader does, and not its YAML. What models are
    asked and answer is whole; what people are asked beside it is left out.

    Raises:
        TaskConfigError: If it is not a description, or one of a newer kind than this.
    """
    gold = _names(described.get("gold_names"))
    rule = _mapping(described.get("model_wrong_metric"))
    references = _names(rule.get("reference_names"))
    told = {**rule, "reference_name": references[0] if references else None}
    document = {
        "language": described.get("language"),
        "title": described.get("title"),
        "context": [_field(one) for one in _mappings(described.get("context"))],
        "input": [_field(one) for one in _mappings(described.get("input"))],
        "output": [
            {"name": one.get("name")} if one.get("name") in gold else _field(one)
            for one in _mappings(described.get("output"))
        ],
        "model_wrong_metric": {
            key: told[key]
            for key in _RULE_KEYS.get(str(rule.get("type")), ())
            if told.get(key) is not None
        },
        "perf_metric": [_present(one) for one in _mappings(described.get("perf_metrics"))],
    }
    return load_task_config(yaml.safe_dump(_present(document), allow_unicode=True))


def _field(described: Mapping[str, object]) -> dict[str, object]:
    kind = FIELD_TYPES.get(str(described.get("type")))
    known = {"name", "type", "is_shown_to_model", *(kind.argument_schema if kind else ())}
    return _present({key: value for key, value in described.items() if key in known})


def _present(values: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if value not in (None, [], ())}


def _names(value: object) -> list[str]:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [str(name) for name in listed]


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: object) -> list[Mapping[str, object]]:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [_mapping(one) for one in listed]
