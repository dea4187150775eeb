"""Putting a task's history together: columns, rows in their order, records over time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.loop.datasets.rules import newest_versions
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.leaderboards.headings.rules import human_figure
from dynabench.loop.leaderboards.history.schemas import (
    HistoryCell,
    HistoryColumn,
    HistoryKind,
    HistoryRead,
    HistoryRow,
    RecordRead,
)
from dynabench.loop.leaderboards.history.values import Past, Standing
from dynabench.loop.leaderboards.pages.rules import model_read
from dynabench.loop.leaderboards.schemas import FigureRead
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import Contender
from dynabench.loop.rounds.values import Round

MOST_ROWS = 200
_POINTS = 100.0


def shown_versions(
    versions: Sequence[DatasetVersion], rounds: Mapping[UUID, Round]
) -> list[DatasetVersion]:
    """Return the newest versions that a history shows: rounds by number, then static sets.

    Args:
        versions: All of the task's.
        rounds: The task's rounds by id.
    """
    plain = [
        one
        for one in newest_versions(versions)
        if one.origin is not DatasetOrigin.PERTURBATION
        and one.access is not DatasetAccess.HIDDEN
        and one.sizes[Split.TEST]
    ]
    released = [one for one in plain if one.round_id in rounds]
    static = [one for one in plain if one.round_id not in rounds]
    released.sort(key=lambda one: rounds[one.round_id or one.id].number)
    static.sort(key=lambda one: (one.created_at, one.name))
    return [*released, *static]


def history_of(
    board: Board, versions: Sequence[DatasetVersion], *, rounds: Mapping[UUID, Round], past: Past
) -> HistoryRead:
    """Return a task's history as a reader may know it.

    Args:
        board: The task's board, which knows who reads, whose models are published, and how
            people do.
        versions: The columns, in order.
        rounds: The task's rounds by id.
        past: How its published models did on them.
    """
    principal = None if board.columns is None else board.columns.principal
    history = _History(
        board=board,
        versions=versions,
        published=[one for one in board.contenders if one.is_published],
        past=past,
        sign=-1 if principal is not None and principal.is_lower_better else 1,
    )
    records = [list(history.records(version.id)) for version in versions]
    rows = history.in_order()
    done = [one.evaluated_at for one in past.standings.values() if one.evaluated_at is not None]
    return HistoryRead(
        metric="" if principal is None else principal.name,
        is_lower_better=principal is not None and principal.is_lower_better,
        columns=[
            history.column(version, rounds.get(version.round_id or version.id), records=found)
            for version, found in zip(versions, records, strict=True)
        ],
        rows=[history.row(one) for one in rows[:MOST_ROWS]],
        models=len(rows),
        records=records,
        as_of=max(done, default=None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    board: Board
    versions: Sequence[DatasetVersion]
    published: Sequence[Contender]
    past: Past
    # 1 where more is better.
    sign: int

    def good(self, model_id: UUID, version_id: UUID) -> float | None:
        """Return a score of which more is better."""
        found = self.past.standings.get((model_id, version_id))
        return None if found is None or found.value is None else self.sign * found.value

    def in_order(self) -> list[Contender]:
        """Return the models, the best on the latest round first, then on the one before."""
        rounds = [one.id for one in self.versions if one.round_id is not None]
        static = [one.id for one in self.versions if one.round_id is None]
        latest_first = [*reversed(rounds), *static]

        def key(one: Contender) -> list[tuple[bool, float]]:
            found = [self.good(one.id, version_id) for version_id in latest_first]
            return [(value is None, -(value or 0.0)) for value in found]

        return sorted(self.published, key=key)

    def row(self, one: Contender) -> HistoryRow:
        return HistoryRow(
            model=model_read(self.board, one),
            submitted_at=self._submitted(one),
            cells=[
                _cell(self.past.standings.get((one.id, version.id))) for version in self.versions
            ],
        )

    def records(self, version_id: UUID) -> Iterator[RecordRead]:
        """Give the models that were the best on a version when they were submitted."""
        best: float | None = None
        for one in sorted(self.published, key=lambda one: (self._submitted(one), one.id)):
            value = self.good(one.id, version_id)
            if value is None or (best is not None and value <= best):
                continue
            best = value
            figure = _figure(self.past.standings[one.id, version_id])
            assert figure is not None, "it has a value"
            yield RecordRead(
                model_id=one.id,
                model=f"{one.name} v{one.version}",
                submitted_at=self._submitted(one),
                figure=figure,
            )

    def column(
        self, version: DatasetVersion, round_: Round | None, *, records: Sequence[RecordRead]
    ) -> HistoryColumn:
        score = self.board.humans.get(version.id)
        humans = None if score is None else human_figure(str(version.id), score)
        best = records[-1] if records else None
        gap = None
        if humans is not None and humans.value is not None and best is not None:
            assert best.figure.value is not None, "a record has a score"
            gap = humans.value - best.figure.value
        return HistoryColumn(
            version_id=version.id,
            kind=HistoryKind.STATIC if round_ is None else HistoryKind.ROUND,
            name=version.name,
            version=version.version,
            round_number=None if round_ is None else round_.number,
            access=version.access,
            items=version.sizes[Split.TEST],
            since=version.created_at,
            target_ids=[] if round_ is None else [one.model_id for one in round_.targets],
            humans=humans,
            best_model=None if best is None else best.model,
            best=None if best is None else best.figure,
            gap=gap,
        )

    def _submitted(self, one: Contender) -> datetime:
        return self.past.submitted_at[one.id]


def _cell(found: Standing | None) -> HistoryCell:
    return HistoryCell(
        state=None if found is None else found.state,
        figure=None if found is None else _figure(found),
    )


def _figure(found: Standing) -> FigureRead | None:
    if found.value is None:
        return None
    return FigureRead(
        value=found.value * _POINTS,
        low=None if found.low is None else found.low * _POINTS,
        high=None if found.high is None else found.high * _POINTS,
        items=found.items,
    )
