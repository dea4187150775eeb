"""Reads the lists of fields: `context`, `input`, `output` and `metadata`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dynabench.science.task_config.elements import Field, MetadataField, VoteCondition
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.protocol import FieldType, Neighbours, Types
from dynabench.science.task_config.fields.registry import FIELD_TYPES
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.placing import Placed, refuse_needed_unseen
from dynabench.science.task_config.problems import Path, Problems, list_names, nearest, quote

MAX_FIELDS = 50

_OTHER_TYPES = {
    "multiclass_probs": "Write type: prob with the same reference_name.",
    "conf": "Write type: prob with single_prob: true.",
    "target_label": "Write type: multiclass with as_goal_message: true.",
}


_LABELLED = (MulticlassType, MultilabelType, SpansType)


@dataclass(frozen=True, slots=True)
class Sections:
    """All named entries of a config."""

    context: Sequence[Placed]
    input: Sequence[Placed]
    output: Sequence[Placed]
    create: Sequence[Placed]
    validate: Sequence[Placed]

    @property
    def types(self) -> Types:
        """The type of every name, None where it could not be read."""
        return {one.name: one.type for one in (*self.context, *self.output, *self.input)}

    @property
    def gold_names(self) -> tuple[str, ...]:
        """The names that stand in the input and in the output."""
        answered = {one.name for one in self.output}
        return tuple(one.name for one in self.input if one.name in answered)

    @property
    def text_names(self) -> tuple[str, ...]:
        """The names of what a model reads: the context, and the input without the gold."""
        return tuple(
            one.name
            for one in (*self.context, *self.input)
            if one.name not in self.gold_names and one.is_shown_to_model
        )


def read_sections(reader: MappingReader) -> Sections:
    """Read every list of fields, and resolve the references between them."""
    problems = reader.problems
    context = _read_list(reader, "context", at_least=0)
    written = _read_list(reader, "input", at_least=1)
    above = {one.name: one for one in (*context, *written)}
    answered = [_resolve(one, above, problems) for one in _read_list(reader, "output", at_least=1)]
    create, validate = _read_metadata(reader)
    _refuse_repeats([*context, *written], problems)
    for entries in (answered, create, validate):
        _refuse_repeats(entries, problems)
    _refuse_model_only([*context, *written, *create, *validate], problems)
    _refuse_people_only(answered, problems)
    _refuse_stray_chats(written, [*context, *create, *validate], problems)
    _refuse_second_goal(written, problems)
    refuse_needed_unseen(context, written, answered, problems)
    neighbours = Neighbours(
        context={one.name: one.type for one in context},
        input={one.name: one.type for one in written},
        output={one.name: one.type for one in answered},
    )

    def link(entries: Sequence[Placed]) -> list[Placed]:
        return [_link(one, neighbours, problems) for one in entries]

    linked = {one.name: one for one in link([*context, *written])}
    new = {one.name: one for one in link([one for one in answered if one.name not in above])}
    return Sections(
        context=[linked[one.name] for one in context],
        input=[linked[one.name] for one in written],
        output=[linked.get(one.name) or new[one.name] for one in answered],
        create=link(create),
        validate=link(validate),
    )


def as_fields(entries: Sequence[Placed]) -> tuple[Field, ...]:
    """Return the fields of entries that were all read."""
    return tuple(one.field for one in entries if one.field is not None)


def as_metadata(entries: Sequence[Placed]) -> tuple[MetadataField, ...]:
    """Return the metadata fields of entries that were all read."""
    return tuple(
        MetadataField(field=one.field, model_wrong=one.model_wrong, vote=one.vote)
        for one in entries
        if one.field is not None
    )


def _read_list(reader: MappingReader, key: str, *, at_least: int) -> list[Placed]:
    value = reader.need(key, "the list of fields") if at_least else reader.take(key)
    if value is None:
        return []
    if not isinstance(value, list):
        reader.wrong(key, f"This must be a list of fields, not {kind_of(value)}.")
        return []
    if not at_least <= len(value) <= MAX_FIELDS:
        reader.wrong(
            key, f"This list must have {at_least} to {MAX_FIELDS} fields; it has {len(value)}."
        )
    entries = enumerate(value[:MAX_FIELDS])
    placed = [
        _read_entry(entry, (*reader.at, key, position), reader.problems, section=key)
        for position, entry in entries
    ]
    return [one for one in placed if one is not None]


def _read_metadata(reader: MappingReader) -> tuple[list[Placed], list[Placed]]:
    value = reader.take("metadata")
    if value is None:
        return [], []
    inner = MappingReader.of(value, (*reader.at, "metadata"), reader.problems)
    if inner is None:
        return [], []
    create = _read_list(inner, "create", at_least=0)
    validate = _read_list(inner, "validate", at_least=0)
    inner.finish()
    return create, validate


def _read_entry(value: object, at: Path, problems: Problems, *, section: str) -> Placed | None:
    """Read one field; None where it has no usable name."""
    if isinstance(value, str) and section == "output":
        # Read on as if it stood there rightly, so that one slip is not told three times.
        problems.add(at, "This must be a mapping.", f"Write {{name: {value}}}.")
        value = {"name": value}
    reader = MappingReader.of(value, at, problems)
    if reader is None:
        return None
    name = reader.name("name")
    if section == "output" and not set(reader.values) - {"name"}:
        return None if name is None else Placed(name, at, is_name_alone=True)
    display_name, placeholder = reader.text("display_name"), reader.text("placeholder")
    model_wrong = reader.boolean("model_wrong_condition") if section == "create" else None
    vote: str | None = None
    if section == "validate":
        options = tuple(one.value for one in VoteCondition)
        vote = reader.choice("validated_label_condition", options)
    is_of_people = section in {"context", "input"}
    is_shown = not is_of_people or reader.boolean("is_shown_to_model") is not False
    kind = _read_type(reader)
    if kind is not None:
        reader.finish()
    if name is None:
        return None
    field = None if kind is None else Field(name, kind, display_name, placeholder, is_shown)
    condition = None if vote is None else VoteCondition(vote)
    return Placed(
        name, at, field, is_shown_to_model=is_shown, model_wrong=model_wrong, vote=condition
    )


def _read_type(reader: MappingReader) -> FieldType | None:
    known = list(FIELD_TYPES)
    value = reader.need("type", f"one of {list_names(known)}")
    if value is None:
        return None
    if isinstance(value, str) and value in FIELD_TYPES:
        return FIELD_TYPES[value].read(reader)
    if not isinstance(value, str):
        reader.wrong("type", f"This must be one of {list_names(known)}, not {kind_of(value)}.")
        return None
    close = nearest(value, known)
    suggestion = _OTHER_TYPES.get(value) or (
        f"Did you mean {quote(close)}?" if close else f"Known types: {list_names(known)}."
    )
    reader.wrong("type", f"The field type {quote(value)} cannot be used.", suggestion)
    return None


def _resolve(one: Placed, above: Mapping[str, Placed], problems: Problems) -> Placed:
    """Fill an output entry that names a field from above."""
    known = above.get(one.name)
    if known is None:
        if one.is_name_alone:
            close = nearest(one.name, above)
            problems.add(
                one.at,
                f"{quote(one.name)} is not defined above, so it needs a type.",
                f"Did you mean {quote(close)}?" if close else "Add its type.",
            )
        return one
    if one.type is not None and known.type is not None and not _is_same_kind(one.type, known.type):
        problems.add(
            one.at,
            f"{quote(one.name)} is defined above with another type or other labels.",
            "Write its name alone.",
        )
    return replace(one, field=known.field)


def _is_same_kind(one: FieldType, other: FieldType) -> bool:
    if isinstance(one, _LABELLED) and isinstance(other, _LABELLED):
        return one.type_name == other.type_name and one.labels == other.labels
    return one.type_name == other.type_name


def _link(one: Placed, neighbours: Neighbours, problems: Problems) -> Placed:
    if one.field is None:
        return one
    kind = one.field.type.link(neighbours, at=one.at, problems=problems)
    return replace(one, field=replace(one.field, type=kind))


def _refuse_repeats(entries: Sequence[Placed], problems: Problems) -> None:
    seen: set[str] = set()
    for one in entries:
        if one.name in seen:
            problems.add(
                (*one.at, "name"),
                f"The name {quote(one.name)} is already taken.",
                "Choose another name.",
            )
        seen.add(one.name)


def _refuse_model_only(entries: Sequence[Placed], problems: Problems) -> None:
    for one in entries:
        if one.type is not None and one.type.for_model_output_only:
            problems.add(
                (*one.at, "type"),
                f"Only a model gives a {one.type.type_name}.",
                "Move the field to the output.",
            )


def _refuse_people_only(entries: Sequence[Placed], problems: Problems) -> None:
    for one in entries:
        if one.type is not None and one.type.for_people_only:
            problems.add(
                one.at,
                f"No model answers with a field of type {one.type.type_name}.",
                "Move the field to the context or the input alone.",
            )


def _refuse_stray_chats(
    written: Sequence[Placed], others: Sequence[Placed], problems: Problems
) -> None:
    """Note chats beside the first, and those that stand anywhere but in the input."""
    chats = [one for one in written if isinstance(one.type, ChatType)]
    for one in chats[1:]:
        problems.add(
            (*one.at, "type"),
            f"{quote(chats[0].name)} is already a chat; an example has one conversation.",
            "Leave one of them.",
        )
    for one in others:
        if isinstance(one.type, ChatType):
            problems.add(
                (*one.at, "type"), "A chat stands in the input alone.", "Move it to the input."
            )


def _refuse_second_goal(entries: Sequence[Placed], problems: Problems) -> None:
    goals = [
        one for one in entries if isinstance(one.type, MulticlassType) and one.type.as_goal_message
    ]
    for one in goals[1:]:
        problems.add(
            (*one.at, "as_goal_message"),
            f"{quote(goals[0].name)} is already shown as the goal.",
            "Leave one of them.",
        )
