"""The lines of a task's data files: kept in the task's folder, or drawn when they are needed."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_GENERATED = "generated.json"
_CONFIG = "task.yaml"
_ROOTS = ("tasks", "gallery")

Draw = Callable[..., Iterator[Mapping[str, object]]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a file is drawn: by which generator, how many times, from which seed."""

    generator: str
    count: int
    seed: int


@cache
def catalog_folders() -> frozenset[str]:
    """Return the folders of all tasks that the package brings, such as `tasks/nli`."""
    places = ((root, place) for root in _ROOTS for place in _place(root).iterdir())
    return frozenset(
        f"{root}/{place.name}" for root, place in places if place.joinpath(_CONFIG).is_file()
    )


def read_lines(folder: str, name: str) -> list[bytes] | None:
    """Return the lines of a data file of a task, such as `train.jsonl` of `gallery/…`.

    What `generated.json` describes is drawn; it takes seconds and is the same each time.

    Returns:
        None if the task has no such file.
    """
    file = _place(folder).joinpath(name)
    if file.is_file():
        return [line for line in file.read_bytes().splitlines() if line]
    recipe = _recipes(folder).get(name)
    if recipe is None:
        return None
    drawn = _generator(recipe.generator)(count=recipe.count, seed=recipe.seed)
    return [json.dumps(one, ensure_ascii=False).encode() for one in drawn]


def has_lines(folder: str, name: str) -> bool:
    """Tell whether a task has a data file, without drawing it."""
    return _place(folder).joinpath(name).is_file() or name in _recipes(folder)


def count_contexts(folder: str, name: str) -> int:
    """Return how many contexts there are, without drawing them."""
    recipe = _recipes(folder).get(name)
    return len(read_lines(folder, name) or []) if recipe is None else recipe.count


def _place(folder: str) -> Traversable:
    return files("dynabench.catalog").joinpath(*folder.split("/"))


def _recipes(folder: str) -> dict[str, Recipe]:
    file = _place(folder).joinpath(_GENERATED)
    if not file.is_file():
        return {}
    said = json.loads(file.read_text(encoding="utf-8"))
    return {name: Recipe(**one) for name, one in said.items()}


def _generator(name: str) -> Draw:
    # Whoever only lists or reads tasks does without the libraries that draw and play.
    from dynabench.catalog.generators import scene_questions, tones  # noqa: PLC0415

    generators: dict[str, Draw] = {
        "scene-contexts": scene_questions.scene_contexts,
        "scene-items": scene_questions.scene_items,
        "tone-contexts": tones.tone_contexts,
        "tone-items": tones.tone_items,
    }
    return generators[name]
