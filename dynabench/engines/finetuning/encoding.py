"""Items to what a model of the transformers library reads, with what it should answer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.values import TrainingItem
from dynabench.engines.finetuning.libraries import Library
from dynabench.engines.finetuning.values import CLASSIFICATION, FineTuningOrder

_STRIDE = 64
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Lesson:
    """One text, or one window of it: its tokens, and the right answer's numbers."""

    tokens: Mapping[str, list[int]]
    target: tuple[int, ...]


def make_lessons(
    items: Sequence[TrainingItem], order: FineTuningOrder, tokenizer: Library
) -> list[Lesson]:
    """Return what is learned from, each item as many times as its weight says.

    Raises:
        TrainingDataError: If no item can be learned from, or all have one label.
    """
    if order.pipeline == CLASSIFICATION:
        return _labelled(items, order, tokenizer)
    return _with_spans(items, order, tokenizer)


def _texts(item: TrainingItem, order: FineTuningOrder) -> list[str]:
    values = item.model_input()
    return [str(values.get(name, "")) for name in order.inputs]


def _labelled(
    items: Sequence[TrainingItem], order: FineTuningOrder, tokenizer: Library
) -> list[Lesson]:
    places = {label: place for place, label in enumerate(order.labels)}
    lessons: list[Lesson] = []
    for item in items:
        place = places.get(str(item.answer.get(order.answer)))
        if place is None:
            continue
        told = tokenizer(*_texts(item, order), truncation=True, max_length=order.max_length)
        lessons += [Lesson(dict(told), (place,))] * item.weight
    if len({lesson.target for lesson in lessons}) <= 1:
        raise TrainingDataError(reason="the items must carry at least two of the task's labels.")
    return lessons


def _with_spans(
    items: Sequence[TrainingItem], order: FineTuningOrder, tokenizer: Library
) -> list[Lesson]:
    lessons: list[Lesson] = []
    has_answer = False
    for item in items:
        texts = _texts(item, order)
        span = _span(item.answer.get(order.answer), texts[-1])
        if span is None:
            continue
        told = tokenizer(
            *texts,
            truncation="only_second" if len(texts) == _PAIR else True,
            max_length=order.max_length,
            stride=min(_STRIDE, order.max_length // 4),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        offsets = told.pop("offset_mapping")
        told.pop("overflow_to_sample_mapping", None)
        for row in range(len(offsets)):
            target = _places(told.sequence_ids(row), offsets[row], span, passage=len(texts) - 1)
            has_answer = has_answer or target != (0, 0)
            tokens = {name: told[name][row] for name in told}
            lessons += [Lesson(tokens, target)] * item.weight
    if not has_answer:
        raise TrainingDataError(reason="no item's answer is a span of its passage.")
    return lessons


def _span(answer: object, passage: str) -> tuple[int, int] | None:
    """Return the answer's offsets in its passage; plain text is looked for."""
    if isinstance(answer, Mapping):
        start, end = answer.get("start"), answer.get("end")
        if isinstance(start, int) and isinstance(end, int) and passage[start:end].strip():
            return start, end
        answer = answer.get("text")
    if not isinstance(answer, str) or not answer.strip():
        return None
    found = re.search(re.escape(answer.strip()), passage, flags=re.IGNORECASE)
    return (found.start(), found.end()) if found else None


def _places(
    sequences: Sequence[int | None],
    offsets: Sequence[tuple[int, int]],
    span: tuple[int, int],
    *,
    passage: int,
) -> tuple[int, int]:
    """Return the first and last token of an answer; the window's beginning where it has none."""
    inside = [
        place
        for place, (start, end) in enumerate(offsets)
        if sequences[place] == passage and start < span[1] and end > span[0]
    ]
    whole = bool(inside) and offsets[inside[0]][0] <= span[0] and offsets[inside[-1]][1] >= span[1]
    return (inside[0], inside[-1]) if whole else (0, 0)
