"""The field type `chat`: a conversation with one model, or with several that are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self
from uuid import UUID

from dynabench.science.task_config.conversations import CANDIDATE_NAMES
from dynabench.science.task_config.fields.protocol import Neighbours
from dynabench.science.task_config.fields.selection import suggest_reference
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.fields.turns import (
    check_turns,
    replies_of,
    turns_of,
    written_texts,
)
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import Path, Problems, UnusableValueError, quote

MAX_TURNS = 50
MAX_CANDIDATES = len(CANDIDATE_NAMES)


@dataclass(frozen=True, slots=True)
class ChatType:
    """The turns of a conversation as they were frozen when the example was submitted.

    A page gives `{"chat": id}`, which the server replaces by the turns before anything is
    checked here. Two conversations are the same when the same was said on both sides.
    """

    type_name: ClassVar[str] = "chat"
    for_model_output_only: ClassVar[bool] = False
    for_people_only: ClassVar[bool] = True
    required_arguments: ClassVar[tuple[str, ...]] = ()
    argument_schema: ClassVar[dict[str, object]] = {
        "min_turns": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_TURNS,
            "description": "The fewest turns of a conversation that can be handed in.",
        },
        "max_turns": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_TURNS,
            "description": "The most turns; 20 if not said.",
        },
        "candidates": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_CANDIDATES,
            "description": "How many models reply to each message; with several, one is chosen.",
        },
        "rating": {"type": "boolean", "description": "Whether each reply is rated from 1 to 5."},
        "reply_name": {
            "type": "string",
            "description": "The output that is a reply; the first string that stands in the "
            "output alone if not said.",
        },
    }

    min_turns: int = 1
    max_turns: int = 20
    candidates: int = 1
    rating: bool = False
    reply_name: str | None = None

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read `min_turns`, `max_turns`, `candidates`, `rating` and `reply_name`."""
        low = reader.count("min_turns", low=1, high=MAX_TURNS) or 1
        high = reader.count("max_turns", low=1, high=MAX_TURNS) or max(low, 20)
        if low > high:
            reader.wrong("min_turns", f"It is larger than max_turns, which is {high}.")
        return cls(
            min_turns=low,
            max_turns=high,
            candidates=reader.count("candidates", low=1, high=MAX_CANDIDATES) or 1,
            rating=reader.boolean("rating") or False,
            reply_name=None if reader.take("reply_name") is None else reader.name("reply_name"),
        )

    def link(self, neighbours: Neighbours, *, at: Path, problems: Problems) -> Self:
        """Find the output that holds a reply: a string that the model alone answers."""
        replied = neighbours.replied
        texts = [name for name, one in replied.items() if isinstance(one, StringType)]
        if self.reply_name is None:
            if texts:
                return replace(self, reply_name=texts[0])
            if None not in replied.values():
                problems.add(
                    at,
                    "A chat needs a string field in the output for the model's reply.",
                    "Add {name: reply, type: string} to the output.",
                )
        elif self.reply_name not in texts and replied.get(self.reply_name, self) is not None:
            problems.add(
                (*at, "reply_name"),
                f"{quote(self.reply_name)} is not a string that stands in the output alone.",
                suggest_reference(self.reply_name, texts),
            )
        return self

    def is_reference(self, value: object) -> bool:
        """Tell `{"chat": id}`, which the server replaces, from the frozen turns.

        Raises:
            UnusableValueError: If the value is neither.
        """
        if isinstance(value, (list, tuple)):
            return False
        if isinstance(value, Mapping) and set(value) == {"chat"} and _is_uuid(value["chat"]):
            return True
        raise UnusableValueError(
            f"It must be a conversation {{chat}} with its id, or a list of turns, "
            f"not {kind_of(value)}."
        )

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the turns in their stored form."""
        del context
        if self.is_reference(value):
            raise UnusableValueError("It names a conversation that was not filled in yet.")
        assert isinstance(value, Sequence)
        if not self.min_turns <= len(value) <= self.max_turns:
            bounds = f"{self.min_turns} to {self.max_turns}"
            raise UnusableValueError(f"It has {len(value)} turns; {bounds} are allowed.")
        return check_turns(value, candidates=self.candidates)

    def is_equal(self, one: object, other: object) -> bool:
        """Compare what was said on both sides."""
        return _said(one) == _said(other)

    def text_of(self, value: object) -> str:
        """Return what the person wrote, turn by turn."""
        return "\n".join(written_texts(value))

    def describe(self) -> dict[str, object]:
        """Return how long the conversation is, with how many models, and what is asked."""
        return {
            "min_turns": self.min_turns,
            "max_turns": self.max_turns,
            "candidates": self.candidates,
            "rating": self.rating,
            "reply_name": self.reply_name,
        }


def _said(value: object) -> list[tuple[object, list[str]]]:
    return [(turn["text"], replies_of(turn)) for turn in turns_of(value)]


def _is_uuid(value: object) -> bool:
    try:
        return isinstance(value, str) and str(UUID(value)) == value.lower()
    except ValueError:
        return False
