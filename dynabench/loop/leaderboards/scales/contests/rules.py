"""From counted attempts to skills, strengths and corrected rates."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.kit.sentences import Phrase
from dynabench.loop.leaderboards.scales.schemas import (
    CorrectedRateRead,
    EstimateRead,
    StoredContest,
    StoredSkill,
    StoredStrength,
)
from dynabench.loop.leaderboards.scales.values import AttemptCount
from dynabench.loop.rounds.values import Round
from dynabench.science.statistics.attempts import (
    FEWEST_ANNOTATORS,
    Attempts,
    Contest,
    Estimate,
    fit_attempts,
)

UNKNOWN_PEOPLE = Phrase(
    "contests.unknown_people",
    "Its source does not say who wrote what, so nothing is counted over people.",
).say()
NO_ATTEMPTS = Phrase(
    "contests.no_attempts", "None of its attempts on a model has an outcome."
).say()
NO_ROUNDS = Phrase(
    "contests.no_rounds", "No closed round of known people has attempts on a model yet."
).say()
ONE_PERSON = Phrase(
    "contests.one_person",
    "One person made all attempts: skill cannot be told from the strength of models.",
).say()
TOO_MANY = Phrase("contests.above_limit", "There are more attempts than this is computed of.").say()

_MOST_COUNTS = 2_000_000
_PERCENT = 100.0


def contest_of(rounds: Sequence[Round], counts: Sequence[AttemptCount]) -> StoredContest:
    """Return what the attempts of rounds say of everybody in them.

    Args:
        rounds: Closed and released rounds; those of unknown people get the reason alone.
        counts: The attempts of those whose people are known.
    """
    contest, reason = None, None
    people = len({one.annotator_id for one in counts})
    if not counts:
        reason = NO_ROUNDS
    elif people < FEWEST_ANNOTATORS:
        reason = ONE_PERSON
    elif len(counts) > _MOST_COUNTS:
        reason = TOO_MANY
    by_round: dict[UUID, list[AttemptCount]] = {}
    for one in counts:
        by_round.setdefault(one.round_id, []).append(one)
    places = {one: place for place, one in enumerate(by_round)}
    if reason is None:
        contest = fit_attempts(_attempts(counts))
    return StoredContest(
        models=[] if contest is None else _strengths(contest, counts),
        rounds=[
            _rate(one, by_round.get(one.id, ()), places.get(one.id), contest, reason)
            for one in rounds
        ],
        annotators=[] if contest is None else _skills(contest, counts),
        reason=reason,
    )


def _names(keys: Sequence[UUID]) -> list[UUID]:
    return list(dict.fromkeys(keys))


def _places(keys: Sequence[Hashable]) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _attempts(counts: Sequence[AttemptCount]) -> Attempts:
    return Attempts(
        annotators=_places([one.annotator_id for one in counts]),
        models=_places([one.model_id for one in counts]),
        contexts=_places([one.context_id for one in counts]),
        rounds=_places([one.round_id for one in counts]),
        tried=np.array([one.tried for one in counts], dtype=np.float64),
        fooled=np.array([one.fooled for one in counts], dtype=np.float64),
    )


def _strengths(contest: Contest, counts: Sequence[AttemptCount]) -> list[StoredStrength]:
    tried: Counter[UUID] = Counter()
    for one in counts:
        tried[one.model_id] += one.tried
    found = [
        StoredStrength(model_id=model, strength=_read(strength), attempts=tried[model])
        for model, strength in zip(
            _names([one.model_id for one in counts]), contest.strengths, strict=True
        )
    ]
    return sorted(found, key=lambda one: -one.strength.value)


def _skills(contest: Contest, counts: Sequence[AttemptCount]) -> list[StoredSkill]:
    tried: Counter[UUID] = Counter()
    for one in counts:
        tried[one.annotator_id] += one.tried
    found = [
        StoredSkill(annotator_id=person, skill=_read(skill), attempts=tried[person])
        for person, skill in zip(
            _names([one.annotator_id for one in counts]), contest.skills, strict=True
        )
    ]
    return sorted(found, key=lambda one: -one.skill.value)


def _rate(
    round_: Round,
    counts: Sequence[AttemptCount],
    place: int | None,
    contest: Contest | None,
    reason: str | None,
) -> CorrectedRateRead:
    tried: dict[UUID, int] = defaultdict(int)
    fooled = 0
    for one in counts:
        tried[one.annotator_id] += one.tried
        fooled += one.fooled
    attempts = sum(tried.values())
    if not round_.people_are_known:
        reason = UNKNOWN_PEOPLE
    elif not attempts:
        reason = NO_ATTEMPTS
    corrected = None
    if contest is not None and place is not None and reason is None:
        corrected = _read(contest.rates[place], scale=_PERCENT)
    return CorrectedRateRead(
        round_number=round_.number,
        attempts=attempts,
        annotators=len(tried),
        observed=_PERCENT * fooled / attempts if attempts else None,
        corrected=corrected,
        reason=reason,
    )


def _read(one: Estimate, *, scale: float = 1.0) -> EstimateRead:
    return EstimateRead(
        value=one.value * scale,
        low=None if one.low is None else one.low * scale,
        high=None if one.high is None else one.high * scale,
    )
