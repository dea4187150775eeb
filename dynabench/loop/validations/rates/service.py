"""Use cases of readers: MER and vMER, days, the annotator board, agreement, credit."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.sentences import Phrase, Sentence, follow
from dynabench.loop.rounds.rules import counted_arms
from dynabench.loop.rounds.schemas import RoundRead
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, GoldFrom, Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.arms.rules import own_tally
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.repository import RateRepository
from dynabench.loop.validations.rates.rules import (
    alone,
    error_rates,
    highest_model_error_rate,
    highest_validated_model_error_rate,
    is_one_person,
    model_error_rate,
    validated_model_error_rate,
)
from dynabench.loop.validations.rates.values import RateWithInterval
from dynabench.loop.validations.schemas import (
    AgreementRead,
    AnnotatorBoardRead,
    AnnotatorRow,
    CreditRead,
    CurrentRoundRead,
    DayCount,
    ErrorRateRead,
    MyProgressRead,
    RateRead,
)
from dynabench.people.directory.service import UserDirectory
from dynabench.science.statistics.agreement import Agreement, Judged, describe_agreement
from dynabench.science.statistics.rates import Rate

_BOARD_LENGTH = 100
_NOBODY_KNOWN = Phrase(
    "rates.nobody_known",
    "The authors are pseudonyms of a replay, so nothing is counted over people, and nothing "
    "tells how sure the rates are.",
).say()
_ONE_PERSON = Phrase(
    "rates.one_person",
    "One person wrote everything, so nothing tells how far the rates would differ with others.",
).say()
_NOTHING = Phrase("rates.nothing", "Nothing has been collected yet.").say()
_NO_QUORUM = Phrase(
    "rates.no_quorum", "Validators decide what is right here, and no example has a quorum yet."
).say()
_UNDECIDED = Phrase(
    "rates.undecided", "For none of these examples is it known whether a model was fooled."
).say()
_NO_TWO_VOTES = Phrase("rates.no_two_votes", "No example has two votes yet.").say()
_UNEQUAL_VOTES = Phrase(
    "rates.unequal_votes", "Fleiss' kappa needs equally many votes on every example."
).say()
_VOTES_ALIKE = Phrase(
    "rates.votes_alike", "All votes are the same, so agreement beyond chance is not defined."
).say()


def describe_rate(found: RateWithInterval) -> RateRead:
    """Return a rate's wire shape."""
    interval = found.interval
    return RateRead(
        value=found.rate.value,
        part=found.rate.part,
        whole=found.rate.whole,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        method=interval.method if interval else "",
    )


class ErrorRateService:
    """Shows how hard a round's targets are, and who found that out."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        people: UserDirectory,
        folds: FoldService,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._people = people
        self._folds = folds

    async def of_round(self, round_id: UUID, *, actor: Actor) -> ErrorRateRead:
        """Return a round's error rates with everything that is counted in and out of them."""
        round_ = await self._rounds.get_visible(round_id, actor)
        return (await self._rates([round_]))[round_.id]

    async def days(self, round_id: UUID, *, actor: Actor) -> list[DayCount]:
        """Return a round's counts per day, oldest first."""
        round_ = await self._rounds.get_visible(round_id, actor)
        await self._folds.catch_up()
        return [
            DayCount(
                day=day,
                collected=tally.collected,
                fooled=tally.fooled,
                verified_fooled=tally.verified_fooled,
            )
            for day, tally in await self._folds.per_day(round_id, arms=counted_arms(round_))
        ]

    async def annotators(self, round_id: UUID, *, actor: Actor) -> AnnotatorBoardRead:
        """Return a round's first hundred annotators, most validated fooling examples first."""
        round_ = await self._rounds.get_visible(round_id, actor)
        if not round_.people_are_known:
            return AnnotatorBoardRead(rows=[], reason=_NOBODY_KNOWN)
        await self._folds.catch_up()
        per_annotator = (await self._per_annotator([round_])).get(round_id, {})
        best = sorted(
            per_annotator.items(),
            key=lambda one: (-one[1].verified_fooled, -one[1].fooled, one[1].collected, one[0]),
        )[:_BOARD_LENGTH]
        names = await self._people.usernames([annotator_id for annotator_id, _ in best])
        rows = [
            AnnotatorRow(
                username=names[annotator_id],
                collected=tally.collected,
                fooled=tally.fooled,
                verified_fooled=tally.verified_fooled,
                pending=tally.pending,
                model_error_rate=describe_rate(
                    alone(model_error_rate(tally), highest=highest_model_error_rate(tally))
                ),
                validated_model_error_rate=describe_rate(
                    alone(
                        validated_model_error_rate(tally),
                        highest=highest_validated_model_error_rate(tally),
                    )
                ),
            )
            for annotator_id, tally in best
        ]
        return AnnotatorBoardRead(rows=rows, reason=None)

    async def agreement(self, round_id: UUID, *, actor: Actor) -> AgreementRead:
        """Return how far a round's validators agree, over examples with two votes or more."""
        await self._rounds.get_visible(round_id, actor)
        async with self._db.read() as session:
            counts = await RateRepository(session).votes_per_example(round_id)
        # One vote alone agrees with nobody.
        voted = [list(Counter(one).elements()) for one in counts if sum(one.values()) > 1]
        found = describe_agreement(voted)
        return AgreementRead(
            examples=found.items,
            votes=found.votes,
            fleiss_kappa=found.fleiss_kappa,
            krippendorff_alpha=found.krippendorff_alpha,
            # Each example has votes of several people, who vote on others too: nothing here tells
            # how far the share would differ with other people.
            unanimous=describe_rate(RateWithInterval(rate=found.unanimous, interval=None)),
            reason=_agreement_reason(found),
        )

    async def judgements(self, round_id: UUID) -> list[Judged]:
        """Return who said what of each example of a round that anybody validated."""
        async with self._db.read() as session:
            return await RateRepository(session).votes_by_person(round_id)

    async def my_progress(self, round_id: UUID, *, actor: Actor) -> MyProgressRead:
        """Return what the actor did in a round."""
        user_id = require_signed_in(actor)
        round_ = await self._rounds.get_visible(round_id, actor)
        # One looks for what one did a moment ago.
        await self._folds.catch_up(at_once=True)
        per_arm = (await self._folds.of_person(user_id)).get(round_id, {})
        tally = own_tally(per_arm, status=round_.status)
        async with self._db.read() as session:
            votes = await RateRepository(session).votes_by_round(user_id, is_public=False)
        return MyProgressRead(
            tries=tally.collected,
            fooled=tally.fooled,
            verified_fooled=tally.verified_fooled,
            pending=tally.pending,
            votes=votes.get(round_id, 0),
        )

    async def credit(self, username: str) -> list[CreditRead]:
        """Return what a person did, by task and round, newest round first.

        A pseudonym that a replay made for one record did nothing as a person.
        """
        person = await self._people.find(username)
        await self._folds.catch_up()
        per_arm = await self._folds.of_person(person.id)
        async with self._db.read() as session:
            votes = await RateRepository(session).votes_by_round(person.id, is_public=True)
        found = [await self._rounds.get(round_id) for round_id in {*per_arm, *votes}]
        tallies = {one.id: own_tally(per_arm.get(one.id, {}), status=one.status) for one in found}
        return [
            CreditRead(
                task_slug=round_.task_slug,
                round_number=round_.number,
                tries=tallies[round_.id].collected,
                fooled=tallies[round_.id].fooled,
                verified_fooled=tallies[round_.id].verified_fooled,
                pending=tallies[round_.id].pending,
                votes=votes.get(round_.id, 0),
            )
            for round_ in sorted(found, key=lambda one: (one.task_slug, -one.number))
            if round_.people_are_known
        ]

    async def current_rounds(self, *, actor: Actor) -> list[CurrentRoundRead]:
        """Return each visible task's latest round with its error rates."""
        tasks = await self._tasks.list(actor=actor)
        latest = await self._rounds.latest([task.id for task in tasks])
        rates = await self._rates(list(latest.values()))
        return [
            CurrentRoundRead(
                task_slug=round_.task_slug,
                round=RoundRead.model_validate(round_),
                error_rate=rates[round_.id],
            )
            for round_ in latest.values()
        ]

    async def current_round(self, slug: str, *, actor: Actor) -> CurrentRoundRead | None:
        """Return a task's latest round with its error rates; None before its first one."""
        task = await self._tasks.get_for(slug, actor)
        round_ = (await self._rounds.latest([task.id])).get(task.id)
        if round_ is None:
            return None
        return CurrentRoundRead(
            task_slug=slug,
            round=RoundRead.model_validate(round_),
            error_rate=(await self._rates([round_]))[round_.id],
        )

    async def _per_annotator(self, rounds: Sequence[Round]) -> dict[UUID, dict[UUID, Tally]]:
        """Return each annotator's tally over the arms that anybody may see, by round."""
        alike: dict[tuple[Arm, ...], list[UUID]] = {}
        for round_ in rounds:
            alike.setdefault(counted_arms(round_), []).append(round_.id)
        found: dict[UUID, dict[UUID, Tally]] = {}
        for arms, ids in alike.items():
            found |= await self._folds.per_annotator(ids, arms=arms)
        return found

    async def _rates(self, rounds: Sequence[Round]) -> dict[UUID, ErrorRateRead]:
        await self._folds.catch_up()
        per_round = await self._per_annotator(rounds)
        as_of = self._clock.now()
        return {
            round_.id: _describe(round_, list(per_round.get(round_.id, {}).values()), as_of)
            for round_ in rounds
        }


def _describe(round_: Round, tallies: Sequence[Tally], as_of: datetime) -> ErrorRateRead:
    total = sum(tallies, start=Tally())
    rates = error_rates(tallies, people_are_known=round_.people_are_known)
    reason = _reason(round_, tallies)
    unknown = RateWithInterval(rate=Rate(0, 0), interval=None)
    is_unknown = bool(total.collected) and total.undecided == total.collected
    return ErrorRateRead(
        round_id=round_.id,
        collected=total.collected,
        fooled=total.fooled,
        verified_fooled=total.verified_fooled,
        undecided=total.undecided,
        pending=total.pending,
        disputed=total.disputed,
        retracted=total.retracted,
        flagged=total.flagged,
        annotators=len([tally for tally in tallies if tally.collected])
        if round_.people_are_known
        else None,
        model_error_rate=describe_rate(unknown if is_unknown else rates.model_error_rate),
        validated_model_error_rate=describe_rate(
            unknown if is_unknown else rates.validated_model_error_rate
        ),
        macro_model_error_rate=None if is_unknown else rates.macro_model_error_rate,
        macro_validated_model_error_rate=None
        if is_unknown
        else rates.macro_validated_model_error_rate,
        reason=reason,
        as_of=as_of,
    )


def _reason(round_: Round, tallies: Sequence[Tally]) -> str | None:
    """Say why a rate, its interval, or a statistic over people, is not given."""
    total = sum(tallies, start=Tally())
    if not total.collected:
        return _NOTHING
    reasons: list[Sentence] = []
    if total.undecided == total.collected:
        is_voted = round_.validation.gold_from is GoldFrom.VALIDATORS
        reasons.append(_NO_QUORUM if is_voted else _UNDECIDED)
    if not round_.people_are_known:
        reasons.append(_NOBODY_KNOWN)
    elif is_one_person(tallies):
        reasons.append(_ONE_PERSON)
    return follow(*reasons) if reasons else None


def _agreement_reason(found: Agreement) -> str | None:
    """Say why a coefficient is not given."""
    if found.items == 0:
        return _NO_TWO_VOTES
    if found.fleiss_kappa is None and found.krippendorff_alpha is not None:
        return _UNEQUAL_VOTES
    if found.krippendorff_alpha is None:
        return _VOTES_ALIKE
    return None
