"""What a transform is, and what it makes of an item."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from dynabench.kit.sentences import Phrase
from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.languages import Languages
from dynabench.science.perturbations.passages import Passage

NO_TEXT = Phrase(
    "perturbing.no_text",
    "Pictures and sounds are left as they are; there are transforms for texts only.",
)
"""Why a field that is no text is not varied."""

OTHER_LANGUAGE = Phrase(
    "perturbing.other_language", "It knows {title}; the texts are in {language}."
)
"""Why a transform is not used on texts of a language."""

BY_REQUEST = Phrase("perturbing.by_request", "It is used only where the task's config names it.")
"""Why a transform is not used where nobody names it."""


class TransformKind(StrEnum):
    """What the same answer to a changed text shows of a model."""

    ROBUSTNESS = "robustness"
    FAIRNESS = "fairness"


class Edit(NamedTuple):
    """One replaced piece of a text; `start` equal to `end` puts something in."""

    start: int
    end: int
    text: str


Edits = Sequence[Edit]
Change = Callable[[Sequence[Passage], Draws], Sequence[Edits]]
"""Draws the edits of an item's texts, one list for each; empty where a text stays as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """One way to vary texts.

    Attributes:
        name: What configs and datasets call it.
        kind: What it asks of a model.
        languages: Which languages it knows.
        description: What it does, as a sentence.
        change: How it does it. Edits of protected or overlapping places are its own fault.
        is_by_request: Whether it is used only where a config names it.
    """

    name: str
    kind: TransformKind
    languages: Languages
    description: str
    change: Change
    is_by_request: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """An item as one transform varied it.

    Attributes:
        transform: The transform's name.
        fields: All texts of the item, changed or not.
        edits: What was replaced, by field and from left to right; only of changed fields.
    """

    transform: str
    fields: Mapping[str, str]
    edits: Mapping[str, tuple[Edit, ...]]

    def moved(self, field: str, start: int, end: int) -> tuple[int, int]:
        """Return where a protected place of the original stands in the variant.

        Example:
            >>> edits = {"passage": (Edit(0, 3, "the "), Edit(9, 9, "!"))}
            >>> Variant("white_space", {"passage": "the old tree!"}, edits).moved("passage", 4, 7)
            (5, 8)
        """
        shift = sum(
            len(edit.text) - (edit.end - edit.start)
            for edit in self.edits.get(field, ())
            if edit.end <= start
        )
        return start + shift, end + shift
