"""Counts over a round's records: what was derived, and how far that is what the source says."""

from collections import Counter
from itertools import islice
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.examples.values import Resemblance
from dynabench.loop.interchange.rules import Twin, TwinFinder
from dynabench.loop.interchange.schemas import (
    ComparisonRead,
    LeftRead,
    ReplayedExampleRead,
    ReplayedRoundRead,
    TwinRead,
    TwinsRead,
)
from dynabench.loop.interchange.storing.values import StoredBatch, StoredRecord
from dynabench.loop.interchange.values import SourceClaims
from dynabench.loop.rounds.values import Round
from dynabench.loop.validations.folds.rules import tally_of
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.outcomes.values import Outcome
from dynabench.loop.validations.rates.service import describe_rate
from dynabench.loop.validations.rates.values import RateWithInterval
from dynabench.loop.validations.schemas import AgreementRead, ErrorRateRead
from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.rates import Rate, total
from dynabench.science.task_config.schema import TaskConfig

_TWINS_NAMED = 20
_DIFFERING_NAMED = 20
_LEFT_NAMED = 20
_UNKNOWN = "not known"
_YES_NO = {True: "fooled", False: "not fooled", None: _UNKNOWN}


class RoundReport:
    """What is known of one round's records; a record met in two files counts once."""

    def __init__(self, round_: Round, *, config: TaskConfig, lacks_votes: str | None) -> None:
        self.round = round_
        self._config = config
        self._lacks_votes = lacks_votes
        self._finder = TwinFinder(round_.id)
        self._twins: list[Twin] = []
        self._claims: dict[UUID, SourceClaims] = {}
        self._outcomes: dict[UUID, Outcome] = {}
        self._uids: dict[UUID, str] = {}
        self._examples_added = 0
        self._votes_added = 0
        self._left: dict[UUID, None] = {}
        self._contrasts: dict[str, str] = {}

    def add(self, batch: StoredBatch) -> None:
        """Take a batch that was stored, or found to be there already."""
        self._examples_added += batch.examples_added
        self._votes_added += batch.votes_added
        for stored in batch.records:
            if stored.example.id not in self._uids:
                self._look_for_twin(stored)
            self._uids[stored.example.id] = stored.record.uid
            self._outcomes[stored.example.id] = stored.outcome
            self._claims[stored.example.id] = stored.record.claims
            if stored.is_left:
                self._left[stored.example.id] = None
            if stored.record.contrast_uid is not None:
                self._contrasts[stored.record.uid] = stored.record.contrast_uid

    def contrasts(self) -> dict[str, str]:
        """Return the contrast pairs of which both halves are here, by the later half."""
        here = set(self._uids.values())
        return {one: other for one, other in self._contrasts.items() if other in here}

    def is_folded(self, error_rate: ErrorRateRead) -> bool:
        """Tell whether a round's counts hold these records; more may be there already."""
        tally = tally_of(self._outcomes.values())
        counted = Tally(**{name: getattr(error_rate, name) for name in Tally.__slots__})
        return counted.collected > tally.collected or counted == tally

    def finish(self, *, error_rate: ErrorRateRead, agreement: AgreementRead) -> ReplayedRoundRead:
        """Return the round's report."""
        verdicts = Counter(outcome.verdict for outcome in self._outcomes.values())
        return ReplayedRoundRead(
            round_id=self.round.id,
            number=self.round.number,
            people_are_known=self.round.people_are_known,
            records=len(self._outcomes),
            examples_added=self._examples_added,
            votes=sum(outcome.votes for outcome in self._outcomes.values()),
            votes_added=self._votes_added,
            verdicts=None if self._lacks_votes else dict(sorted(verdicts.items())),
            verdicts_reason=self._lacks_votes,
            model_right=describe_rate(self._model_right()),
            error_rate=error_rate,
            agreement=agreement,
            comparisons=self._comparisons(),
            duplicates=self._duplicates(),
            left_as_they_were=LeftRead(
                records=len(self._left),
                first=[self._uids[key] for key in islice(self._left, _LEFT_NAMED)],
            ),
            examples=[self._example(key) for key in self._outcomes],
        )

    def _model_right(self) -> RateWithInterval:
        """Return how often the recorded model was right; of authors unknown without interval."""
        by_author: dict[UUID, Rate] = {}
        for one in self._outcomes.values():
            if one.fooled is not None:
                so_far = by_author.get(one.annotator_id, Rate(0, 0))
                by_author[one.annotator_id] = so_far + Rate(int(not one.fooled), 1)
        rates = list(by_author.values())
        interval = clustered_interval(rates) if self.round.people_are_known else None
        return RateWithInterval(rate=total(rates), interval=interval)

    def _look_for_twin(self, stored: StoredRecord) -> None:
        example = stored.example
        seen = Resemblance(
            example_id=example.id,
            annotator_id=example.annotator_id,
            context_id=example.context_id,
            inputs=self._config.seen_by_model(example.inputs),
            is_same=False,
        )
        twin = self._finder.look(stored.record.uid, seen, answer=example.answer)
        if twin is not None:
            self._twins.append(twin)

    def _example(self, key: UUID) -> ReplayedExampleRead:
        outcome = self._outcomes[key]
        return ReplayedExampleRead(
            uid=self._uids[key],
            verdict=None if self._lacks_votes else outcome.verdict,
            gold=outcome.gold,
            fooled=outcome.fooled,
            agrees_with_author=outcome.agrees_with_author,
            votes=outcome.votes,
        )

    def _duplicates(self) -> TwinsRead:
        same = sum(twin.similarity is None for twin in self._twins)
        return TwinsRead(
            same=same,
            near=len(self._twins) - same,
            first=[TwinRead.model_validate(twin) for twin in self._twins[:_TWINS_NAMED]],
        )

    def _comparisons(self) -> list[ComparisonRead]:
        verdict, gold, fooled = _Comparison("verdict"), _Comparison("gold"), _Comparison("fooled")
        for key, claims in self._claims.items():
            uid, outcome = self._uids[key], self._outcomes[key]
            if claims.verdict is not None:
                verdict.count(uid, claims.verdict.value, outcome.verdict.value)
            if claims.gold is not None:
                is_same = self._is_same(claims.gold, outcome.gold)
                derived = claims.gold if is_same else outcome.gold
                gold.count(uid, _written(claims.gold), _written(derived))
            if claims.fooled is not None:
                fooled.count(uid, _YES_NO[claims.fooled], _YES_NO[outcome.fooled])
        return [one.read() for one in (verdict, gold, fooled)]

    def _is_same(self, claimed: Values, derived: Values | None) -> bool:
        return derived is not None and self._config.answers_match(claimed, derived)


class _Comparison:
    """Counts what the source says and what is derived, for the records it speaks of."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._source: Counter[str] = Counter()
        self._derived: Counter[str] = Counter()
        self._differing: list[str] = []

    def count(self, uid: str, claimed: str, derived: str) -> None:
        self._source[claimed] += 1
        self._derived[derived] += 1
        if claimed != derived:
            self._differing.append(uid)

    def read(self) -> ComparisonRead:
        records = self._source.total()
        return ComparisonRead(
            what=self._what,
            records=records,
            source=dict(sorted(self._source.items())),
            derived=dict(sorted(self._derived.items())),
            derived_the_same=records - len(self._differing),
            differing=self._differing[:_DIFFERING_NAMED],
        )


def _written(answer: Values | None) -> str:
    """Return an answer as a line of text."""
    return _UNKNOWN if answer is None else ", ".join(str(one) for one in answer.values())
