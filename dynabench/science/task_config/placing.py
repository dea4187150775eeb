"""The entries of a config's lists, and which of them a model must be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench.science.task_config.elements import Field, VoteCondition
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.problems import Path, Problems, quote


@dataclass(frozen=True, slots=True)
class Placed:
    """A named entry of a list and where it stands.

    `field` is None where the type could not be read, and where the entry is a name alone.
    """

    name: str
    at: Path
    field: Field | None = None
    is_name_alone: bool = False
    is_shown_to_model: bool = True
    model_wrong: bool | None = None
    vote: VoteCondition | None = None

    @property
    def type(self) -> FieldType | None:
        """The type, where it could be read."""
        return None if self.field is None else self.field.type


def refuse_needed_unseen(
    context: Sequence[Placed],
    written: Sequence[Placed],
    answered: Sequence[Placed],
    problems: Problems,
) -> None:
    """Note fields that are hidden from models though these need them, or never get them.

    Args:
        context: The fields of the context.
        written: The fields of the input.
        answered: The fields of the output.
        problems: Where it is noted.
    """
    gold = {one.name for one in written} & {one.name for one in answered}
    cited = {
        one.type.reference_name: one.name
        for one in answered
        if isinstance(one.type, (SelectionType, SpansType))
    }
    read = [one for one in (*context, *written) if one.name not in gold]
    for one in (*context, *written):
        sentence = None if one.is_shown_to_model else _why_shown(one, gold=gold, cited=cited)
        if sentence is not None:
            problems.add((*one.at, "is_shown_to_model"), sentence, "Leave it out.")
    if read and not any(one.is_shown_to_model for one in read):
        problems.add(
            (*read[0].at, "is_shown_to_model"),
            "A model would be sent nothing at all.",
            "Show it at least one field of the context or the input.",
        )


def _why_shown(one: Placed, *, gold: set[str], cited: dict[str, str]) -> str | None:
    if one.name in gold:
        return "This is the gold answer, which no model is sent anyway."
    if one.name in cited:
        return f"A model answers {quote(cited[one.name])} with parts of this field."
    if isinstance(one.type, ChatType):
        return "A conversation is held with the model, so the model sees it."
    return None
