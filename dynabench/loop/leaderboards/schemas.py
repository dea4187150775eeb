"""Wire shapes of a board: models by a reader's weights, with how sure every number is.

Scores are times 100, throughput is in examples per second and memory in GiB. What is not
known is null, and a sentence beside it says why.
"""

from datetime import datetime
from uuid import UUID

from pydantic import model_validator

from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import WireModel
from dynabench.loop.leaderboards.values import RankedBy, RatesFrom
from dynabench.loop.models.values import ModelIsolation, ModelKind


class FigureRead(WireModel):
    """One metric of one model.

    Attributes:
        value: What was measured; null is no data.
        low: The lower end of its 95 % interval; of throughput the slowest of the timings.
        high: The upper end; of throughput the fastest.
        items: On how many items, where it is a matter of items.
    """

    value: float | None
    low: float | None
    high: float | None
    items: int | None


class RankRead(WireModel):
    """A rank as an interval: 1 + models that are surely better, models - surely worse ones."""

    low: int
    high: int


class IntervalRead(WireModel):
    """From where to where something lies."""

    low: float
    high: float


class MetricColumnRead(TellingModel):
    """A metric of the board and how much it weighs.

    Attributes:
        name: Its name in the query, such as `accuracy`, `throughput` or `memory`.
        title: What people call it.
        unit: `points` (0 to 100), `examples_per_second` or `gib`.
        is_lower_better: Whether less is better, as of memory and error rates.
        is_principal: Whether it is the task's performance metric.
        weight: 0 to 5, as asked for.
        default_weight: What it is when nobody asks.
        share: The part of the Dynascore that it makes up, 0 to 1; what cannot be exchanged
            has none.
        amrs: Its exchange rate: how much of it stands for one point of performance.
        has_data: Whether any model has it.
        reason: Why it contributes nothing, as a sentence.
    """

    name: str
    title: str
    unit: str
    is_lower_better: bool
    is_principal: bool
    weight: float
    default_weight: float
    share: float
    amrs: float | None
    has_data: bool
    reason: str | None
    reason_told: Told | None = None


class DatasetMemberRead(WireModel):
    """A dataset version whose test split stands behind a column."""

    version_id: UUID
    name: str
    version: int
    round_number: int | None
    items: int


class DatasetColumnRead(TellingModel):
    """A dataset of the board, or several sub-tasks that are averaged, and how much it weighs.

    Attributes:
        key: Its name in the query: the version's id, or `group:` and the sub-tasks' name.
        title: The dataset's or the group's name.
        weight: 0 to 5, as asked for.
        default_weight: What it is when nobody asks.
        share: Its part of every average, 0 to 1.
        members: The versions behind it; several are sub-tasks with equal weights.
        reason: Why it weighs nothing when nobody asks, as a sentence.
    """

    key: str
    title: str
    weight: float
    default_weight: float
    share: float
    members: list[DatasetMemberRead]
    reason: str | None = None
    reason_told: Told | None = None


class BoardModelRead(WireModel):
    """A model version on a board; the submitter of an anonymous one is null.

    Attributes:
        isolation: What stood between its code and the server.
        is_mine: Whether the reader submitted it.
        is_measured_at_client: Whether its throughput holds the way to a remote server.
    """

    id: UUID
    name: str
    version: int
    kind: ModelKind
    isolation: ModelIsolation
    submitted_by: str | None
    is_anonymous: bool
    is_mine: bool
    is_published: bool
    is_measured_at_client: bool


class DatasetFiguresRead(WireModel):
    """What a model did on one dataset of the board, by the metric's name."""

    key: str
    figures: dict[str, FigureRead]


class BoardRow(WireModel):
    """A model that has all that the weights ask for.

    Attributes:
        model: Which one.
        place: Its place in the order of this board, from 1; a place is no rank.
        dynascore: Points of performance; null where nothing can be exchanged.
        dynascore_interval: Its 95 % interval over items, exchange rates taken as they are.
        average_z: The weighted mean of z-scores, which exchanges nothing, for comparison.
        leave_one_out: Between which values it moves when one other model is left out.
        rank: Its rank on this board, by what `ranked_by` says: the one that pages and files
            show.
        dynascore_rank: Its rank by the Dynascore: all pairs tested after Holm, exchange rates
            taken as they are.
        performance_rank: Its rank by performance: paired tests of all pairs, clustered by
            context, after Holm. Models that cannot be told apart have overlapping ranks.
        mcnemar_rank: The same by exact McNemar tests, which know of no contexts; for 0/1
            scores on boards of up to 200 models.
        is_on_front: Whether no other model is at least as good in every weighted metric and
            better in one.
        performance_standard_error: The clustered standard error of the performance.
        figures: Averages over the board's datasets by metric, each with its interval.
        datasets: The same per dataset, in the order of the columns.
        failed_items: Items that the model did not answer.
        evaluated_at: When the last of its evaluations was done.
    """

    model: BoardModelRead
    place: int
    dynascore: float | None
    dynascore_interval: IntervalRead | None
    leave_one_out: IntervalRead | None
    average_z: float | None
    rank: RankRead | None = None
    dynascore_rank: RankRead | None
    performance_rank: RankRead | None
    mcnemar_rank: RankRead | None
    is_on_front: bool
    performance_standard_error: float | None
    figures: dict[str, FigureRead]
    datasets: list[DatasetFiguresRead]
    failed_items: int
    evaluated_at: datetime | None

    @model_validator(mode="before")
    @classmethod
    def _with_the_rank_of_before(cls, values: object) -> object:
        """Give rows of older snapshots the rank that their page showed."""
        if not isinstance(values, dict) or "rank" in values:
            return values
        return {**values, "rank": values.get("dynascore_rank") or values.get("performance_rank")}


class LackRead(TellingModel):
    """What a model lacks; no dataset means every one, no metric all of them."""

    dataset: str | None
    metric: str | None
    reason: str
    reason_told: Told | None = None


class IncompleteRow(WireModel):
    """A model that is not ranked, and what it lacks for that."""

    model: BoardModelRead
    lacks: list[LackRead]


class ExchangeRatesRead(WireModel):
    """The snapshot whose exchange rates are used in place of this board's own."""

    board_id: UUID
    name: str
    created_at: datetime
    amrs: dict[str, float]
    pairs: int


class HumanFigureRead(TellingModel):
    """How people do on one dataset of the board, from its validators' votes.

    Attributes:
        key: The column.
        value: Times 100; null where the votes say nothing of it.
        items: Items with enough votes.
        votes: How many single answers were compared.
        method: `blind` answers or the `review` of authors' answers.
        reason: Why there is no value, as a sentence.
    """

    key: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    items: int
    votes: int
    method: str
    reason: str | None
    reason_told: Told | None = None


class HumanRow(TellingModel):
    """People, unranked beside the models: the average and each dataset."""

    figure: FigureRead
    reason: str | None
    reason_told: Told | None = None
    datasets: list[HumanFigureRead]


class BoardRead(TellingModel):
    """A board. The Dynascore has no meaning outside it: print its weights and date with it.

    Attributes:
        metrics: Its metrics, the principal one first.
        datasets: Its datasets.
        budget_gib: The memory budget of which a model leaves something over.
        pairs: Neighbours in performance that the exchange rates come from.
        pairs_skipped: Neighbours that were too close to each other for that.
        rates: Whose exchange rates are used, if not this board's own.
        dynascore_reason: Why nobody has a Dynascore, as a sentence.
        notes: What else a reader must know, as sentences.
        sort: By which the rows are in order: `dynascore` or a metric's name.
        ranked_by: By what `rank` is: the Dynascore, or performance where the rows are in its
            order or nobody has a Dynascore.
        rates_from: Whether exchange rates are those that were observed between these models,
            the fixed ones of boards of fewer than five, or a snapshot's.
        rows: A page of the ranked models.
        ranked: How many models are ranked.
        incomplete: Models that lack something, at most 200.
        incomplete_total: How many there are.
        humans: How people do, where it is known or known why not.
        is_preference: Whether the task ranks models by people's choices, on another board.
        as_of: When the figures were computed.
        is_current: Whether they hold everything that is there; else newer ones are on the way.
        next_cursor: Send it as `cursor` for the rows that follow.
    """

    task_slug: str
    metrics: list[MetricColumnRead]
    datasets: list[DatasetColumnRead]
    budget_gib: float
    pairs: int
    pairs_skipped: int
    rates: ExchangeRatesRead | None
    dynascore_reason: str | None
    dynascore_reason_told: Told | None = None
    notes: list[str]
    notes_told: list[Told | None] = []
    sort: str
    ranked_by: RankedBy = RankedBy.DYNASCORE
    rates_from: RatesFrom = RatesFrom.OBSERVED
    rows: list[BoardRow]
    ranked: int
    incomplete: list[IncompleteRow]
    incomplete_total: int
    humans: HumanRow | None
    is_preference: bool
    as_of: datetime | None
    is_current: bool
    next_cursor: str | None


class StandingRead(TellingModel):
    """Where one model stands on its task's board with the default weights.

    A model that is not published yet is put among those that are.

    Attributes:
        row: Its row; null where it is not ranked.
        lacks: What it lacks for that.
        dynascore: As in the row.
        reason: Why the Dynascore is null, as a sentence.
        ranked: Among how many models.
    """

    task_slug: str
    model_id: UUID
    row: BoardRow | None
    lacks: list[LackRead]
    dynascore: float | None
    reason: str | None
    reason_told: Told | None = None
    ranked: int
    as_of: datetime | None
