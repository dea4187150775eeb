"""Questions about a scene of shapes with their answers, and the lines of the task made of them."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from dynabench.catalog.generators.files import ContextLine, ItemLine, file_value
from dynabench.catalog.generators.scenes import COLOURS, KINDS, Scene, Shape, draw, make_scene

Asked = tuple[str, str]
"""A question and its answer."""

_QUESTIONS_EACH = 7
_HOLLOW_SHARE = 0.1
_HALF, _MOSTLY = 0.5, 0.7
# What the contexts are like; those that come later are further from what models learn from.
_STYLES: dict[str, dict[str, float]] = {
    "plain": {},
    "crowded": {"most": 10, "gap": 3.0},
    "hollow": {"hollow_share": 0.6},
    "close": {"most": 8, "gap": 0.5},
}


def scene_contexts(*, count: int, seed: int) -> Iterator[ContextLine]:
    """Draw pictures to ask about, in turn plain, crowded, hollow and close."""
    dice = random.Random(seed)  # noqa: S311 - drawn data, not a secret
    for number in range(count):
        style = list(_STYLES)[number % len(_STYLES)]
        options = _STYLES[style]
        scene = make_scene(
            dice,
            most=int(options.get("most", 6)),
            hollow_share=options.get("hollow_share", 0.0),
            gap=options.get("gap", 6.0),
        )
        yield {
            "context": {"picture": _picture(scene, alt=scene.alt_text)},
            "tag": style,
            "metadata": {"origin": "starter"},
        }


def scene_items(*, count: int, seed: int) -> Iterator[ItemLine]:
    """Draw pictures to learn from, each with several questions."""
    dice = random.Random(seed)  # noqa: S311 - drawn data, not a secret
    for number in range(count):
        scene = make_scene(dice, most=7, hollow_share=_HOLLOW_SHARE)
        context: dict[str, object] = {"picture": _picture(scene, alt=scene.alt_text)}
        asked = dict(ask(scene, dice, _QUESTIONS_EACH))
        for place, (question, answer) in enumerate(asked.items(), start=1):
            yield {
                "uid": f"scene-{seed}-{number + 1:04}-{place}",
                "context": context,
                "inputs": {"question": question},
                "answer": {"answer": answer},
            }


def ask(scene: Scene, dice: random.Random, count: int) -> Iterator[Asked]:
    """Ask several questions, of each kind about as often."""
    for _ in range(count):
        yield dice.choice(_KINDS_OF_QUESTION)(scene.shapes, dice)


def _picture(scene: Scene, *, alt: str) -> dict[str, object]:
    return file_value(draw(scene), "image/png", alt=alt)


def _how_many(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    wordings = ("How many shapes are there?", "How many shapes do you see?", "Count the shapes.")
    return dice.choice(wordings), str(len(shapes))


def _how_many_of_colour(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    colour = _often_there([one.colour for one in shapes], list(COLOURS), dice)
    count = sum(one.colour == colour for one in shapes)
    return dice.choice(
        (
            f"How many {colour} shapes are there?",
            f"How many shapes are {colour}?",
            f"How many {colour} things do you see?",
        )
    ), str(count)


def _how_many_of_kind(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    kind = _often_there([one.kind for one in shapes], KINDS, dice)
    count = sum(one.kind == kind for one in shapes)
    wordings = (f"How many {kind}s are there?", f"How many {kind}s do you see?")
    return dice.choice(wordings), str(count)


def _is_there(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    one = dice.choice(shapes)
    colour, kind = one.colour, one.kind
    if dice.random() < _HALF:
        # What is there in part is the harder "no".
        colour = dice.choice(list(COLOURS))
    is_there = any((one.colour, one.kind) == (colour, kind) for one in shapes)
    article = "an" if colour == "orange" else "a"
    wordings = (f"Is there {article} {colour} {kind}?", f"Do you see {article} {colour} {kind}?")
    return dice.choice(wordings), "yes" if is_there else "no"


def _is_there_colour(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    colour = dice.choice(list(COLOURS))
    is_there = any(one.colour == colour for one in shapes)
    wordings = (f"Is anything {colour}?", f"Is there something {colour}?")
    return dice.choice(wordings), "yes" if is_there else "no"


def _colour_of_kind(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    single = _single([one.kind for one in shapes])
    if not single:
        return _is_there(shapes, dice)
    kind = dice.choice(single)
    colour = next(one.colour for one in shapes if one.kind == kind)
    wordings = (f"What colour is the {kind}?", f"Which colour has the {kind}?")
    return dice.choice(wordings), colour


def _kind_of_colour(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    single = _single([one.colour for one in shapes])
    if not single:
        return _how_many_of_colour(shapes, dice)
    colour = dice.choice(single)
    kind = next(one.kind for one in shapes if one.colour == colour)
    wordings = (f"What shape is {colour}?", f"Which shape is {colour}?")
    return dice.choice(wordings), kind


def _at_the_end(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    words, place = dice.choice(_ENDS)
    found = min(shapes, key=place)
    if dice.random() < _HALF:
        return f"What colour is the shape {words}?", found.colour
    return f"Which shape is {words}?", found.kind


def _largest(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    word, found = dice.choice(
        (
            ("largest", max(shapes, key=lambda one: one.radius)),
            ("biggest", max(shapes, key=lambda one: one.radius)),
            ("smallest", min(shapes, key=lambda one: one.radius)),
        )
    )
    if dice.random() < _HALF:
        return f"What colour is the {word} shape?", found.colour
    return f"What is the {word} shape?", found.kind


def _beside(shapes: Sequence[Shape], dice: random.Random) -> Asked:
    one, other = dice.sample(shapes, 2)
    if (one.colour, one.kind) == (other.colour, other.kind):
        return _how_many(shapes, dice)
    names = f"the {one.colour} {one.kind}", f"the {other.colour} {other.kind}"
    word, is_so = dice.choice(
        (
            ("left of", one.x < other.x),
            ("right of", one.x > other.x),
            ("above", one.y < other.y),
            ("below", one.y > other.y),
        )
    )
    return f"Is {names[0]} {word} {names[1]}?", "yes" if is_so else "no"


_ENDS: tuple[tuple[str, Callable[[Shape], float]], ...] = (
    ("on the left", lambda one: one.x),
    ("on the right", lambda one: -one.x),
    ("at the top", lambda one: one.y),
    ("at the bottom", lambda one: -one.y),
)
_KINDS_OF_QUESTION: tuple[Callable[[Sequence[Shape], random.Random], Asked], ...] = (
    _how_many,
    _how_many_of_colour,
    _how_many_of_kind,
    _is_there,
    _is_there_colour,
    _colour_of_kind,
    _kind_of_colour,
    _at_the_end,
    _largest,
    _beside,
)


def _often_there(there: Sequence[str], known: Sequence[str], dice: random.Random) -> str:
    """Choose what to count: mostly something of which there is one at least."""
    return dice.choice(there if dice.random() < _MOSTLY else known)


def _single(values: Sequence[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times == 1]
