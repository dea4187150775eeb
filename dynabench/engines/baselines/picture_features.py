"""A picture in learnt words, and a question asked of it.

Clusters of colours and of forms are found in pixels, and each cluster's name among the
answers that people give about pictures which hold it: no name of a colour stands here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.picture_regions import Area
from dynabench.engines.baselines.text_features import words_of

Floats = NDArray[np.float64]

_MOST_COUNTED = 9
_COLOUR, _FORM = "<colour>", "<form>"
_LEAST_PLURAL = 4


@dataclass(frozen=True, slots=True)
class SeenArea:
    """An area as words say it; an empty name is a cluster that nobody named."""

    colour: str
    form: str
    area: Area


@dataclass(frozen=True)
class Eye:
    """Where the clusters lie and what they are called.

    Attributes:
        colours: The centre of each cluster of colours.
        forms: The centre of each cluster of forms, in figures divided by `form_scale`.
        form_scale: What a form's figures are divided by.
        colour_names: What each cluster of colours is called, empty where nothing fits.
        form_names: The same of forms.
    """

    colours: Floats
    forms: Floats
    form_scale: Floats
    colour_names: tuple[str, ...] = ()
    form_names: tuple[str, ...] = ()

    def colour_of(self, area: Area) -> int:
        """Return the nearest cluster of colours."""
        return int(((self.colours - area.colour) ** 2).sum(axis=1).argmin())

    def form_of(self, area: Area) -> int:
        """Return the nearest cluster of forms."""
        return int(((self.forms - area.form / self.form_scale) ** 2).sum(axis=1).argmin())

    def look(self, areas: Sequence[Area]) -> list[SeenArea]:
        """Return the areas with their names."""
        return [
            SeenArea(
                self.colour_names[self.colour_of(one)], self.form_names[self.form_of(one)], one
            )
            for one in areas
        ]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what it names put aside.

    Attributes:
        words: Its words, those that name a colour or a form replaced, and pairs of them.
        named: The things that it names, each a colour, a form or both.
    """

    words: tuple[str, ...]
    named: tuple[frozenset[str], ...]


def read_question(text: str, eye: Eye) -> Question:
    """Tell what a question names, in order, and how it asks."""
    colours, forms = set(eye.colour_names) - {""}, set(eye.form_names) - {""}
    words: list[str] = []
    things: list[dict[str, str]] = []
    for word in words_of(text):
        name = _singular(word, colours | forms)
        kind = _COLOUR if name in colours else _FORM if name in forms else ""
        words.append(kind or word)
        if not kind:
            continue
        # "The red circle … the blue square": a second colour or form is another thing's.
        if not things or kind in things[-1]:
            things.append({})
        things[-1][kind] = name
    kept = dict.fromkeys(word for word in words if word[0].isalnum() or word[0] == "<")
    pairs = (f"{first} {second}" for first, second in pairwise(["^", *kept]))
    return Question(("*", *kept, *pairs), tuple(frozenset(one.values()) for one in things))


def features_of(question: Question, seen: Sequence[SeenArea]) -> Iterator[str]:
    """Give every word of a question with everything seen that it may ask for."""
    for fact in _facts(question, seen):
        for word in question.words:
            yield f"{word}|{fact}"


def _facts(question: Question, seen: Sequence[SeenArea]) -> Iterator[str]:
    yield "*"
    groups = [[one for one in seen if _is_called(one, names)] for names in question.named]
    meant = groups[0] if groups else list(seen)
    yield f"count {min(len(meant), _MOST_COUNTED)}"
    yield "some" if all(groups) and meant else "none"
    if groups and meant:
        yield f"it is {meant[0].colour}"
        yield f"it is {meant[0].form}"
    yield from _ends(seen)
    if len(groups) > 1 and groups[0] and groups[1]:
        one, other = groups[0][0].area, groups[1][0].area
        yield "first is left" if one.x < other.x else "first is right"
        yield "first is above" if one.y < other.y else "first is below"
        yield "first is smaller" if one.size < other.size else "first is larger"


def _ends(seen: Sequence[SeenArea]) -> Iterator[str]:
    """Say what lies furthest out, and what is the largest and the smallest."""
    if not seen:
        return
    for what in ("size", "x", "y"):
        ordered = sorted(seen, key=lambda one: float(getattr(one.area, what)))
        for end, one in (("least", ordered[0]), ("most", ordered[-1])):
            yield f"{end} {what} {one.colour}"
            yield f"{end} {what} {one.form}"


def _is_called(one: SeenArea, names: frozenset[str]) -> bool:
    return names <= {one.colour, one.form}


def _singular(word: str, names: set[str]) -> str:
    if word not in names and len(word) >= _LEAST_PLURAL and word.endswith("s"):
        return word[:-1]
    return word
