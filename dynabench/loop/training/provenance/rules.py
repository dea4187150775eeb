"""A model's source, and the card that is written from it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from dynabench.loop.models.cards.schemas import ModelCard
from dynabench.loop.training.learners.values import Learnt
from dynabench.loop.training.provenance.values import Lineage
from dynabench.loop.training.values import Ingredient

_LEFT_OUT = (
    ("only_verified", "what was not verified"),
    ("only_fooling", "what did not fool the target"),
    ("without_controls", "what came from control arms"),
)
# A card's field holds ten thousand characters, and each part takes some three hundred.
_MOST_PARTS = 25


def describe_source(lineage: Lineage) -> dict[str, object]:
    """Return what a model says about where it comes from."""
    origin, learnt = lineage.origin, lineage.learnt
    source: dict[str, object] = {
        "recipe": lineage.recipe.value,
        # Text, since a seed may be larger than JSON's numbers.
        "seed": str(lineage.seed),
        "options": dict(lineage.options),
        "starter_digest": origin.starter_digest,
        "dataset_digests": [*origin.dataset_digests],
        "data": [one.to_json() for one in origin.ingredients],
        "selection": asdict(origin.selection),
    }
    if learnt is not None:
        source |= {
            "items_digest": learnt.items_digest,
            "examples": learnt.examples,
            "training_seconds": learnt.seconds,
            "environment": dict(learnt.environment),
        }
    if lineage.checkpoint is not None:
        source["checkpoint"] = dict(lineage.checkpoint)
    return source


def write_card(lineage: Lineage, *, task_title: str, model_digest: str) -> dict[str, object]:
    """Return a model's card, every fact of which stands in its source too.

    Whoever sees the model reads it, so of hidden sets it says only that there were some.
    """
    parts = lineage.origin.ingredients
    lines = [_recipe_line(lineage), *_part_lines(parts), *_left_out(lineage)]
    learnt = lineage.learnt
    if learnt is not None:
        lines += [
            *_items_line(learnt, parts),
            _environment_line(learnt.environment),
            f"Training time: {learnt.seconds:,.1f} s.",
        ]
    lines.append(f"Model: SHA-256 {model_digest}.")
    card = ModelCard(
        intended_use=f"A target and a baseline for the task “{task_title}”: it shows what can be "
        "learned from the data named here, and is scored on every dataset of the task.",
        training_data="\n".join(lines),
        limitations="It has learned from the train splits named here and from nothing else"
        + ("" if lineage.checkpoint is None else " but its checkpoint")
        + ". People chose many of these examples because an earlier model got them wrong; how "
        "often they occur elsewhere is not known. Nobody has looked at its answers beyond the "
        "scores of the task.",
        licence=_licence(parts),
        evaluation_data="Every dataset of the task that is released or uploaded; see its scores.",
    )
    return card.model_dump()


def _recipe_line(lineage: Lineage) -> str:
    told = ", ".join(
        f"{name} {value}" for name, value in lineage.options.items() if value is not None
    )
    said = f" ({told})" if told else ""
    line = f"Recipe: {lineage.recipe.value}{said}, seed {lineage.seed}."
    if lineage.checkpoint is None:
        return line
    commit = lineage.checkpoint.get("commit")
    of = f"commit {commit} of the hub" if commit else "a folder of the operator"
    name, digest = lineage.checkpoint["name"], lineage.checkpoint["digest"]
    return f"{line}\nCheckpoint: {name} ({of}), SHA-256 {digest}."


def _part_lines(parts: Sequence[Ingredient]) -> list[str]:
    lines = [_part_line(part) for part in parts[:_MOST_PARTS]]
    further = parts[_MOST_PARTS:]
    if further:
        items = sum(part.items for part in further)
        holding = "" if _has_hidden(further) else f" with {items:,} train items"
        lines.append(f"Data: {len(further)} further sets{holding}.")
    return lines


def _items_line(learnt: Learnt, parts: Sequence[Ingredient]) -> list[str]:
    """Say what was learned from, unless a hidden set's size could be reckoned from it."""
    if _has_hidden(parts):
        return []
    count, digest = learnt.examples, learnt.items_digest
    return [f"Items learned from: {count:,} examples with weights, SHA-256 {digest}."]


def _has_hidden(parts: Sequence[Ingredient]) -> bool:
    return any(part.is_hidden for part in parts)


def _part_line(part: Ingredient) -> str:
    version = "" if part.version is None else f", version {part.version}"
    times = "" if part.weight == 1 else f", each {part.weight} times"
    licence = f", licence {part.licence}" if part.licence else ""
    if part.is_hidden:
        return f"Data: a hidden set{times}{licence}."
    items = f"{part.items:,} train items{times}{licence}"
    return f"Data: {part.name}{version}: {items}, SHA-256 {part.digest}."


def _left_out(lineage: Lineage) -> list[str]:
    selection = asdict(lineage.origin.selection)
    said = [what for name, what in _LEFT_OUT if selection[name]]
    if not said:
        return []
    parts = lineage.origin.ingredients
    count = sum(part.left_out for part in parts)
    counted = "" if _has_hidden(parts) else f" ({count:,} items)"
    return [f"Left out of the releases: {', '.join(said)}{counted}."]


def _environment_line(environment: Mapping[str, object]) -> str:
    packages = environment.get("packages")
    named = packages if isinstance(packages, Mapping) else {}
    told = ", ".join(f"{name} {version}" for name, version in named.items())
    return (
        f"Trained with Python {environment.get('python')}, {told} on "
        f"{environment.get('processor')} ({environment.get('architecture')}); installed packages: "
        f"SHA-256 {environment.get('lock_digest')}."
    )


def _licence(parts: Sequence[Ingredient]) -> str:
    """Return the licence of the data, or all of them where they differ; cut to the card's room."""
    found = sorted({part.licence for part in parts if part.licence})
    if not found:
        return "not stated"
    if len(found) == 1:
        return found[0]
    return f"that of its training data: {', '.join(found)}"[:200]
