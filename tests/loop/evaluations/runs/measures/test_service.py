"""Timing a model: what it has kept from before makes it no faster."""

from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.protocol import TargetSpec
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Patience
from dynabench.loop.evaluations.runs.measures.service import measure_pace

# Thinks for 5 ms about what it has not seen before.
_FORGETS_NOTHING = """
import time
seen = set()


def predict(batch):
    for item in batch:
        if item["text"] not in seen:
            time.sleep(0.005)
            seen.add(item["text"])
    return [{"label": "a"} for item in batch]
"""
_MOST_A_SECOND = 1 / 0.005


@pytest.mark.parametrize(
    "texts",
    [range(60), range(12), [0], [number % 20 for number in range(60)], [1] * 60],
    ids=["many", "few", "one", "three times each", "one sixty times"],
)
async def test_a_model_that_keeps_its_answers_is_not_timed_by_them(
    tmp_path: Path, texts: list[int]
) -> None:
    (tmp_path / "model.py").write_text(_FORGETS_NOTHING)
    spec = TargetSpec.from_json(
        {
            "kind": "handler",
            "name": "mine",
            "input_names": ["text"],
            "output_names": ["label"],
            "options": {"folder": str(tmp_path)},
        }
    )
    asker = Asker(spec, factory=build_target, patience=Patience())
    # What a model does not see makes no item another one.
    sample = [{"text": f"item {text}", "unseen": place} for place, text in enumerate(texts)]
    async for _ in asker.ask(sample):
        pass
    timed = await measure_pace(asker, sample)
    used = asker.usage()
    await asker.close()
    assert timed.pace is not None
    assert 20 < timed.pace.low <= timed.pace.median <= timed.pace.high < _MOST_A_SECOND
    assert timed.answers
    assert used.memory_peak_bytes is not None
