"""Asking very many items, of real processes that misbehave and of servers that are away."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.errors import (
    TargetStatusError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.files import Complete
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    Prediction,
    TargetModel,
    TargetSpec,
)
from dynabench.loop.evaluations.errors import ModelFailedError
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Answer, Inputs, Patience

HANDLER = """
import os, sys, time
from pathlib import Path

LEDGER = Path({ledger!r})


def predict(batch):
    with LEDGER.open("a") as ledger:
        for item in batch:
            ledger.write(item["text"] + "\\n")
    for item in batch:
        if "die" in item["text"]:
            print("I was asked", item["text"], flush=True)
            os._exit(3)
        if "hang" in item["text"]:
            time.sleep(60)
        if "fail" in item["text"]:
            raise ValueError("not this one")
    {pause}
    return [{{"label": item["text"].upper()}} for item in batch]
"""
QUICK = Patience(batch_items=8, batch_seconds=0.5, item_seconds=0.5, pause_seconds=0.0)


def spec_of(folder: Path, *, kind: str = "handler") -> TargetSpec:
    return TargetSpec.from_json(
        {
            "kind": kind,
            "name": "mine",
            "input_names": ["text"],
            "output_names": ["label"],
            "options": {"folder": str(folder)},
        }
    )


def write_handler(folder: Path, *, pause: str = "") -> Path:
    ledger = folder.parent / "ledger"
    ledger.touch()
    folder.mkdir()
    (folder / "model.py").write_text(HANDLER.format(ledger=str(ledger), pause=pause))
    return ledger


def asker_of(
    spec: TargetSpec, *, patience: Patience = QUICK, complete: Complete | None = None
) -> Asker:
    return Asker(spec, factory=build_target, patience=patience, complete=complete)


async def answers_to(asker: Asker, texts: Sequence[str]) -> list[Answer]:
    inputs: list[Inputs] = [{"text": text, "gold": "secret"} for text in texts]
    found: dict[int, Answer] = {}
    try:
        async for places, answers in asker.ask(inputs):
            for place, answer in zip(places, answers, strict=True):
                assert place not in found
                found[place] = answer
    finally:
        await asker.close()
    return [found[place] for place in range(len(texts))]


def error_of(answer: Answer) -> object:
    return answer.error if isinstance(answer, Prediction) else answer.get("error")


async def test_an_item_that_kills_the_model_is_the_only_one_that_fails(tmp_path: Path) -> None:
    ledger = write_handler(tmp_path / "model")
    texts = [f"item {number}" for number in range(100)]
    texts[13], texts[70], texts[71], texts[90] = "die first", "die", "die again", "fail"
    asker = asker_of(spec_of(tmp_path / "model"))
    found = await answers_to(asker, texts)

    failed = {place: error_of(answer) for place, answer in enumerate(found) if error_of(answer)}
    assert list(failed) == [13, 70, 71, 90]
    assert "ended with status 3" in str(failed[13])
    assert "not this one" in str(failed[90])
    assert "I was asked die first" in asker.log
    asked = Counter(ledger.read_text().splitlines())
    # Only what was on its way when the process ended was asked again.
    assert max(count for text, count in asked.items() if "die" not in text) <= 3
    assert sum(asked.values()) < 200


async def test_an_item_that_never_ends_is_given_up_and_the_rest_is_answered(
    tmp_path: Path,
) -> None:
    write_handler(tmp_path / "model")
    found = await answers_to(asker_of(spec_of(tmp_path / "model")), ["a", "hang", "b", "c"])

    assert [bool(error_of(answer)) for answer in found] == [False, True, False, False]
    assert "did not answer" in str(error_of(found[1]))


async def test_a_process_that_is_killed_from_outside_loses_no_item(tmp_path: Path) -> None:
    ledger = write_handler(tmp_path / "model", pause="time.sleep(0.02)")
    texts = [f"item {number}" for number in range(200)]
    targets: list[HandlerTarget] = []

    def build(spec: TargetSpec) -> TargetModel:
        target = HandlerTarget(spec)
        targets.append(target)
        return target

    asker = Asker(spec_of(tmp_path / "model"), factory=build, patience=QUICK)

    async def kill() -> None:
        killed: set[int] = set()
        for _ in range(500):
            await asyncio.sleep(0.08)
            pid = targets[-1].pid
            if pid is not None and pid not in killed:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
            if len(killed) == 2:
                return

    killing = asyncio.create_task(kill())
    found = await answers_to(asker, texts)
    await killing
    assert [answer for answer in found if error_of(answer)] == []
    asked = Counter(ledger.read_text().splitlines())
    assert set(asked) == set(texts)
    # Four batches were on their way, and the one in hand is asked again item by item.
    assert sum(count - 1 for count in asked.values()) <= 2 * 4 * QUICK.batch_items


@pytest.mark.parametrize("text", ["die", "hang"])
async def test_a_model_that_answers_nothing_fails_as_a_whole(tmp_path: Path, text: str) -> None:
    write_handler(tmp_path / "model")
    patience = Patience(
        batch_items=8, batch_seconds=0.1, item_seconds=0.1, deaths=3, death_seconds=0.0
    )
    asker = asker_of(spec_of(tmp_path / "model"), patience=patience)
    with pytest.raises(ModelFailedError, match="ended 4 times, and 0 items were answered"):
        await answers_to(asker, [text] * 100)


async def test_many_items_in_a_row_that_kill_it_fail_alone_while_new_starts_are_quick(
    tmp_path: Path,
) -> None:
    write_handler(tmp_path / "model")
    patience = Patience(batch_items=8, deaths=3)
    asker = asker_of(spec_of(tmp_path / "model"), patience=patience)
    found = await answers_to(asker, [*["die"] * 6, "good"])
    assert [error_of(answer) is not None for answer in found] == [*[True] * 6, False]


async def test_a_model_that_cannot_be_loaded_says_why(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("print('about to')\nimport nothing_like_this\n")
    with pytest.raises(ModelFailedError, match="nothing_like_this") as caught:
        await asker_of(spec_of(tmp_path)).warm()
    assert "about to" in caught.value.log


async def test_files_are_read_some_at_a_time_and_gold_is_never_sent(tmp_path: Path) -> None:
    ledger = write_handler(tmp_path / "model")
    held, most = 0, 0

    async def complete(value: ModelInput) -> ModelInput:
        nonlocal held, most
        assert set(value) == {"text"}
        held += 1
        most = max(most, held - len(ledger.read_text().splitlines()))
        return {**value, "file": {"media_type": "image/png", "data": "x" * 100}}

    patience = Patience(batch_items=4, batch_bytes=1_000)
    asker = asker_of(spec_of(tmp_path / "model"), patience=patience, complete=complete)
    found = await answers_to(asker, [f"item {number}" for number in range(60)])
    assert not any(error_of(answer) for answer in found)
    assert most <= 12 + patience.batch_items


class Away(FakeTargetModel):
    """A server that is away for the first so many calls, or has trouble with some texts."""

    def __init__(self, *, away: int, error: Exception) -> None:
        super().__init__(lambda item: {"label": item["text"]})
        self.left = away
        self.error = error

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        (item,) = batch
        if self.left > 0:
            self.left -= 1
            raise self.error
        if item["text"] == "bad":
            raise TargetStatusError(name="mine", status=500, told="oh no")
        return await super().predict(batch)


def remote(target: TargetModel, *, patience: Patience = QUICK) -> Asker:
    spec = spec_of(Path("/nowhere"), kind="recorded")
    return Asker(spec, factory=lambda _: target, patience=patience)


async def test_a_server_that_comes_back_loses_nothing_and_a_bad_item_fails_alone() -> None:
    gone = TargetUnavailableError(name="mine", reason="its server cannot be reached.")
    found = await answers_to(remote(Away(away=5, error=gone)), ["a", "bad", "b"])
    assert [error_of(answer) is None for answer in found] == [True, False, True]
    assert "oh no" in str(error_of(found[1]))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TargetUnavailableError(name="mine", reason="it is switched off."), "it is switched off"),
        (TargetTimeoutError(name="mine", timeout_seconds=1), "21 items failed one after the other"),
    ],
)
async def test_a_server_that_stays_away_ends_the_run(error: Exception, told: str) -> None:
    asker = remote(Away(away=10_000, error=error))
    with pytest.raises(ModelFailedError, match=told):
        await answers_to(asker, ["a"] * 100)
