"""From figures to a scale: which answers count, whether they hang together, what they say."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

import numpy as np

from dynabench.kit.sentences import Named, Phrase
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.leaderboards.columns.values import Columns
from dynabench.loop.leaderboards.ranking.values import Prepared
from dynabench.loop.leaderboards.scales.schemas import (
    EstimateRead,
    StoredContest,
    StoredModel,
    StoredScale,
    StoredSet,
)
from dynabench.loop.leaderboards.scales.separations.rules import agreement_of, separability_of
from dynabench.loop.leaderboards.scales.values import Material, Tested
from dynabench.loop.rounds.values import Round
from dynabench.science.statistics.item_response import Scale, fit_scale
from dynabench.science.statistics.linking import components
from dynabench.science.statistics.response_likelihood import FEWEST_FOR_DISCRIMINATION, Responses

NOT_OF_PREDICTIONS = Phrase(
    "scales.not_of_predictions", "This task's models are not ranked by their predictions."
).say()
NO_SETS = Phrase(
    "scales.no_sets",
    "No released round and no uploaded set has test items that a published model answered.",
).say()
TOO_FEW_MODELS = Phrase(
    "scales.too_few_models",
    "A scale needs two published models that answered sets which were not collected against them.",
).say()
NOT_BINARY = Phrase(
    "scales.not_binary",
    "By this task's metric an answer may be partly right; this model of items knows right and "
    "wrong alone.",
).say()
NO_DIFFICULTY = Phrase(
    "scales.no_difficulty",
    "No set has a difficulty yet: on each every answer is right, or every one wrong, or all items "
    "are about one context.",
).say()
NOT_CONVERGED = Phrase(
    "scales.not_converged",
    "The fit had not settled when it was stopped; the numbers may still move a little.",
).say()
ALIKE = Phrase(
    "scales.alike",
    "With fewer than {models} models, items are taken to tell models apart equally well.",
).say(models=FEWEST_FOR_DISCRIMINATION)
_IN_PART = Phrase(
    "scales.in_part", "There are more answers than are fitted: of each set a part, by chance."
).say()
_LEFT_OUT = Phrase(
    "scales.left_out",
    "{names}: left out, as no published model but its round's targets was scored there, all its "
    "items are about one context, or every answer to them is right, or every one wrong.",
)
_UNLINKED = Phrase(
    "scales.unlinked",
    "Nothing links {parts}: no model was scored on both sides, and a round's own targets do not "
    "count there. Score one model on all of them.",
)
_WITH = Phrase("scales.linked_with", "{one} with {rest}")
_AND_PARTS = Phrase("scales.and_parts", "{parts} (and {more} more such parts)")
_MORE_NAMES = Phrase("scales.more_names", "{more} more")

_MOST_CELLS = 40_000_000
_PERCENT = 100.0
_MOST_NAMED = 3
_SEED = 17
_PAIR = 2


def material_of(
    columns: Columns, prepared: Prepared, *, published: Collection[UUID], rounds: Sequence[Round]
) -> Material:
    """Return the answers that count: published models', but for a round's own targets.

    A release holds what fooled its round's targets, so that they are wrong there by how it was
    made and not by what they can.
    """
    figures = prepared.figures
    of_round = {one.id: one for one in rounds}
    models = {row: one for row, one in enumerate(figures.models) if one in set(published)}
    versions = [version for column in columns.datasets for version in column.versions]
    sets = []
    for place, version in enumerate(versions):
        scored = figures.item_scores.get(version.id)
        round_ = of_round.get(version.round_id) if version.round_id is not None else None
        if scored is None:
            continue
        targets = frozenset() if round_ is None else frozenset(round_.target_model_ids)
        rows = [prepared.places[one] for one in scored.models]
        kept = [
            number
            for number, (row, model) in enumerate(zip(rows, scored.models, strict=True))
            if row in models and model not in targets
        ]
        sets.append(
            Tested(
                version=version,
                place=place,
                round_number=None if round_ is None else round_.number,
                models=np.array([rows[number] for number in kept], dtype=np.int64),
                right=scored.scores[kept],
                groups=scored.groups,
                contexts=scored.contexts,
                targets=tuple(sorted(targets & set(models.values()))),
            )
        )
    sets.sort(key=lambda one: (one.round_number is None, one.round_number or 0))
    answered = {int(row) for one in sets for row in one.models}
    return Material(
        columns=columns,
        prepared=prepared,
        sets=sets,
        models={row: model for row, model in models.items() if row in answered},
    )


def scale_of(material: Material, contest: StoredContest) -> tuple[StoredScale, dict[UUID, float]]:
    """Return a task's scale, and each model's θ where there is one."""
    used = [one for one in material.sets if _is_usable(one)]
    reason = no_scale(material, used)
    scale: Scale | None = None
    rows = sorted({int(row) for one in used for row in one.models})
    if reason is None:
        places = {row: place for place, row in enumerate(rows)}
        scale = fit_scale([_responses(one, places, used) for one in used], models=len(rows))
    notes = _notes(material, used, scale)
    abilities: dict[UUID, float] = {}
    models: list[StoredModel] = []
    if scale is not None:
        abilities = {
            material.models[row]: float(theta)
            for row, theta in zip(rows, scale.abilities, strict=True)
        }
        models = _models(material, rows, used, scale)
    stored = StoredScale(
        metric=material.columns.principal.name,
        has_discrimination=scale is not None and scale.has_discrimination,
        models=models,
        sets=_sets(material, used, scale),
        contest=contest,
        reason=reason,
        notes=notes,
    )
    return stored, abilities


def no_scale(material: Material, used: Sequence[Tested]) -> str | None:
    """Say why models and sets cannot be put on one scale; None where they can."""
    if not all(np.isin(one.right, (0.0, 1.0)).all() for one in material.sets):
        return NOT_BINARY
    if len(material.models) < _PAIR:
        return TOO_FEW_MODELS if material.models else NO_SETS
    if not used:
        return NO_DIFFICULTY
    if len({int(row) for one in used for row in one.models}) < _PAIR:
        return TOO_FEW_MODELS
    parts = components({one.version.id: one.models.tolist() for one in used})
    if len(parts) == 1:
        return None
    names = {one.version.id: _name(one.version) for one in used}
    said = [_listed([names[version] for version in part.sets]) for part in parts]
    apart: Named = said[_MOST_NAMED - 1] if len(said) >= _MOST_NAMED else said[-1]
    for one in reversed(said[: min(len(said), _MOST_NAMED) - 1]):
        apart = _WITH.say(one=one, rest=apart)
    if len(said) > _MOST_NAMED:
        apart = _AND_PARTS.say(parts=apart, more=len(said) - _MOST_NAMED)
    return _UNLINKED.say(parts=apart)


def _is_usable(one: Tested) -> bool:
    """Tell whether a set has a difficulty: where all answers are right, or all wrong, none fits."""
    is_large = len(one.models) > 0 and int(one.groups.max(initial=0)) > 0
    return is_large and float(one.right.min()) < float(one.right.max())


def _responses(one: Tested, places: Mapping[int, int], used: Sequence[Tested]) -> Responses:
    """Return a set's answers; of a very large task each set gives a part of its items."""
    models = np.array([places[int(row)] for row in one.models], dtype=np.int64)
    right, groups, known = one.right > 0, one.groups, one.contexts
    cells = sum(other.right.size for other in used)
    if cells > _MOST_CELLS:
        chance = np.random.default_rng(_SEED)
        contexts = int(groups.max()) + 1
        count = max(round(contexts * _MOST_CELLS / cells), _PAIR)
        kept = np.isin(groups, chance.choice(contexts, count, replace=False))
        right = right[:, kept]
        left, groups = np.unique(groups[kept], return_inverse=True)
        known = known[left]
    return Responses(models, right, groups, known)


def _notes(material: Material, used: Sequence[Tested], scale: Scale | None) -> list[str]:
    notes: list[str] = []
    left_out = [_name(one.version) for one in material.sets if not _is_usable(one)]
    if left_out:
        notes.append(_LEFT_OUT.say(names=_listed(left_out)))
    if scale is None:
        return notes
    if sum(one.right.size for one in used) > _MOST_CELLS:
        notes.append(_IN_PART)
    if not scale.has_discrimination:
        notes.append(ALIKE)
    if not scale.is_converged:
        notes.append(NOT_CONVERGED)
    return notes


def _models(
    material: Material, rows: Sequence[int], used: Sequence[Tested], scale: Scale
) -> list[StoredModel]:
    reaches = scale.reach(scale.ability_errors)
    expected = [scale.expected(which) for which in range(len(used))]
    seen = [{int(row) for row in one.models} for one in used]
    order = sorted(range(len(rows)), key=lambda place: (-scale.abilities[place], place))
    return [
        StoredModel(
            id=material.models[rows[place]],
            ability=_estimate(scale.abilities[place], reaches[place]),
            sets=sum(rows[place] in one for one in seen),
            expected=[
                _share(shares[place], float(scale.reach(errors[place : place + 1])[0]))
                for shares, errors in expected
            ],
        )
        for place in order
    ]


def _sets(material: Material, used: Sequence[Tested], scale: Scale | None) -> list[StoredSet]:
    which = {one.version.id: place for place, one in enumerate(used)}
    shown = used if scale is not None else material.sets
    found = []
    for one in shown:
        difficulty = spread = None
        if scale is not None:
            place = which[one.version.id]
            reach = float(scale.reach(scale.difficulty_errors[place : place + 1])[0])
            difficulty = _estimate(scale.difficulties[place], reach)
            spread = float(scale.spreads[place])
        found.append(
            StoredSet(
                version_id=one.version.id,
                name=one.version.name,
                version=one.version.version,
                round_number=one.round_number,
                items=one.right.shape[1],
                difficulty=difficulty,
                spread=spread,
                targets=list(one.targets),
                separability=separability_of(material.prepared, one),
                agreement=agreement_of(material.prepared, one, material.sets),
            )
        )
    return found


def _estimate(value: float, reach: float) -> EstimateRead:
    return EstimateRead(value=float(value), low=float(value - reach), high=float(value + reach))


def _share(value: float, reach: float) -> EstimateRead:
    return EstimateRead(
        value=_PERCENT * float(value),
        low=_PERCENT * max(float(value) - reach, 0.0),
        high=_PERCENT * min(float(value) + reach, 1.0),
    )


def _name(version: DatasetVersion) -> str:
    return version.name if version.version == 1 else f"{version.name} v{version.version}"


def _listed(names: Sequence[str]) -> list[str]:
    if len(names) <= _MOST_NAMED:
        return list(names)
    return [*names[:_MOST_NAMED], _MORE_NAMES.say(more=len(names) - _MOST_NAMED)]
