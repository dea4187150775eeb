"""Translates the earliest shape: the classic one with arguments below `constructor_args`."""

from collections.abc import Mapping

from dynabench.science.task_config.problems import Path, Problems

_FIELD_TYPES: Mapping[str, dict[str, object]] = {
    "target_label": {"type": "multiclass", "as_goal_message": True},
    "multiclass_probs": {"type": "prob"},
    "conf": {"type": "prob", "single_prob": True},
}


def translate_earliest(data: Mapping[str, object], notes: Problems) -> dict[str, object]:
    """Return a config of the earliest shape in the classic one."""
    config = {key: _flatten(value, (key,), notes) for key, value in data.items()}
    _take_targets(config)
    metadata = config.get("metadata")
    if isinstance(metadata, list) and not metadata:
        del config["metadata"]
    return config


def _take_targets(config: dict[str, object]) -> None:
    """Add the fields of `target`, the annotator's answers, to those of `input`."""
    targets = config.get("target")
    written = config.get("input", [])
    if not isinstance(targets, list) or not isinstance(written, list):
        return
    names = [one.get("name") for one in written if isinstance(one, Mapping)]
    new = [one for one in targets if isinstance(one, Mapping) and one.get("name") not in names]
    config["input"] = [*written, *new]
    del config["target"]


def _flatten(value: object, at: Path, notes: Problems) -> object:
    """Lift the arguments of every entry below, and rename the types that were renamed."""
    if isinstance(value, list):
        return [_flatten(one, (*at, position), notes) for position, one in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    flat = {
        key: _flatten(one, (*at, key), notes)
        for key, one in value.items()
        if key != "constructor_args"
    }
    arguments = value.get("constructor_args")
    if isinstance(arguments, Mapping):
        for key, one in arguments.items():
            flat.setdefault(key, one)
    elif arguments is not None:
        notes.add((*at, "constructor_args"), "This is no mapping of arguments; it is left out.")
    kind = flat.get("type")
    if isinstance(kind, str) and "name" in flat:
        flat.update(_FIELD_TYPES.get(kind, {}))
        if kind == "conf":
            flat.pop("reference_name", None)
    return flat
