"""Finds out which field is the answer, and gives it one name for people and models."""

from dynabench.science.task_config.conversion.draft import Draft, Entry, entry
from dynabench.science.task_config.conversion.part import Part
from dynabench.science.task_config.problems import quote

Renamed = dict[str, str]
"""The new name of each field that was renamed."""


def read_outputs(top: Part, draft: Draft) -> Renamed:
    """Fill `output` from the file's own list and from `model_output`."""
    model_output = top.part("model_output")
    predicted = None if model_output is None else model_output.name("model_prediction_label")
    if model_output is not None:
        model_output.finish()
    draft.take_fields(top, "output", draft.output)
    listed = [str(one["name"]) for one in draft.output if one.get("type") != "prob"]
    target = predicted or next((name for name in listed if name not in draft.written), None)
    renamed = _give_one_name(top, draft, target)
    if not listed and target is None:
        is_chat = draft.chat_candidates is not None
        target = "reply" if is_chat else next(iter(draft.answers), None)
    wanted = listed if target is None or target in listed else [target, *listed]
    missing = [name for name in wanted if name not in {one["name"] for one in draft.output}]
    named: list[Entry] = [{"name": name} for name in missing]
    draft.output = [_with_type(top, draft, one) for one in (*named, *draft.output)]
    for one in (*draft.output, *draft.create, *draft.validate):
        reference = one.get("reference_name")
        if isinstance(reference, str):
            one["reference_name"] = renamed.get(reference, reference)
    return renamed


def _give_one_name(top: Part, draft: Draft, target: str | None) -> Renamed:
    """Call the people's answer as the model calls its own.

    The later shape compared a field, mostly called `label`, with the field of the model's
    answer that `model_prediction_label` names; here both are one field.
    """
    names = [name for name in draft.answers if name in draft.written]
    if target is None or target in draft.written or len(names) != 1:
        return {}
    given = names[0]
    draft.written[given]["name"] = target
    draft.answers = [target]
    place = "model_output" if "model_output" in top.values else "output"
    top.note(
        place,
        f"People gave the answer as {quote(given)} and models as {quote(target)}; here it is one "
        f"field, {quote(target)}.",
        f"Rename {quote(given)} in data that was collected before.",
    )
    return {given: target}


def _with_type(top: Part, draft: Draft, one: Entry) -> Entry:
    """Give an output that is a name alone a type, where it is defined nowhere."""
    name = str(one["name"])
    if set(one) != {"name"} or name in draft.written:
        return one
    top.note(
        "output" if "output" in top.values else None,
        f"The file does not say what kind of answer {quote(name)} is; it is a string here.",
        "Write its type if it is something else.",
    )
    return entry(name, "string")
