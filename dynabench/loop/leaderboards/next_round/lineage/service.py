"""The graph of a task's rounds, with the one that is planned."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from dynabench.loop.leaderboards.next_round.schemas import (
    EdgeRead,
    LineageRead,
    ModelNodeRead,
    RoundNodeRead,
)
from dynabench.loop.models.values import ModelLabel
from dynabench.loop.rounds.values import Round, RoundPlan
from dynabench.loop.validations.schemas import RateRead


def models_in(rounds: Sequence[Round], plan: RoundPlan) -> set[UUID]:
    """Return every model that the graph names."""
    return {
        model_id
        for one in (*rounds, plan)
        for model_id in (*one.target_model_ids, *one.parent_model_ids)
    }


def lineage_of(
    rounds: Sequence[Round],
    plan: RoundPlan,
    *,
    names: Mapping[UUID, ModelLabel],
    collected: Mapping[UUID, int],
    rates: Mapping[UUID, RateRead],
) -> LineageRead:
    """Return rounds, models and edges, oldest first.

    Args:
        rounds: The task's rounds that are past their draft.
        plan: The round that is planned.
        names: The models' names.
        collected: How much each round holds.
        rates: Each round's vMER.
    """
    ordered = sorted(rounds, key=lambda one: one.number)
    known = sorted(names.values(), key=lambda one: (one.name, one.version))
    return LineageRead(
        rounds=[
            RoundNodeRead(
                round_id=one.id,
                number=one.number,
                status=one.status,
                collected=collected.get(one.id, 0),
                validated_model_error_rate=rates.get(one.id),
            )
            for one in ordered
        ],
        models=[
            ModelNodeRead(model_id=one.model_id, name=one.name, version=one.version)
            for one in known
        ],
        edges=[
            *(edge for one in ordered for edge in _edges(one, to=one.id)),
            *_edges(plan, to=None),
        ],
    )


def _edges(plan: RoundPlan, *, to: UUID | None) -> Iterator[EdgeRead]:
    for round_id in plan.parent_round_ids:
        yield EdgeRead(from_round_id=round_id, from_model_id=None, to_round_id=to, is_target=False)
    targets = set(plan.target_model_ids)
    for model_id in dict.fromkeys((*plan.target_model_ids, *plan.parent_model_ids)):
        yield EdgeRead(
            from_round_id=None,
            from_model_id=model_id,
            to_round_id=to,
            is_target=model_id in targets,
        )
