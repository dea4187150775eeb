"""An attempt's wire shape: its author learns no more than the round's control arms allow."""

from uuid import UUID

from dynabench.loop.examples.answering.service import describe_predictions
from dynabench.loop.examples.rules import visible_fooled
from dynabench.loop.examples.schemas import ExampleRead, PredictionRead
from dynabench.loop.examples.values import StoredExample
from dynabench.loop.rounds.rules import are_models_named, asked_targets, is_model_shown
from dynabench.loop.rounds.values import Round


def is_hidden_from(viewer_id: UUID | None, example: StoredExample, round_: Round) -> bool:
    """Tell whether the reader may not know yet what the models made of an attempt."""
    return example.annotator_id == viewer_id and not is_model_shown(
        example.arm, status=round_.status
    )


def describe_example(
    example: StoredExample,
    *,
    round_: Round,
    annotator: str,
    viewer_id: UUID | None,
    tries_left: int | None = None,
) -> ExampleRead:
    """Return an attempt's wire shape for one reader.

    Args:
        example: The attempt.
        round_: Its round.
        annotator: Its author's name.
        viewer_id: Who reads; authors see less of their own than others may.
        tries_left: How often its author may try again on the context; None: not asked.
    """
    is_hidden = is_hidden_from(viewer_id, example, round_)
    is_author = example.annotator_id == viewer_id
    is_named = not is_author or are_models_named(round_)
    fooled = visible_fooled(
        fooled_by_author_answer=example.fooled_by_author_answer,
        gold_from=round_.validation.gold_from,
    )
    return ExampleRead(
        id=example.id,
        round_id=example.round_id,
        context_id=example.context_id,
        annotator=annotator,
        inputs=example.inputs,
        answer=example.answer,
        predictions=[] if is_hidden else _predictions(example, round_, is_named=is_named),
        is_model_shown=not is_hidden,
        fooled=None if is_hidden else fooled,
        arm=example.arm if is_named and not is_hidden else None,
        explanations=example.explanations,
        origin=example.origin,
        contrast_of=example.contrast_of,
        time_spent_seconds=example.time_spent_seconds,
        created_at=example.created_at,
        retracted_at=example.retracted_at,
        flagged_at=example.flagged_at,
        flag_reason=example.flag_reason,
        tries_left=tries_left,
    )


def _predictions(example: StoredExample, round_: Round, *, is_named: bool) -> list[PredictionRead]:
    found = describe_predictions(example.predictions, targets=asked_targets(round_))
    if is_named:
        return found
    nobody = {"model_id": None, "model_name": None, "model_version": None, "latency_ms": None}
    return [one.model_copy(update=nobody) for one in found]
