"""Handler folders: streams, ends and logs; and recorded answers read from a file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.errors import (
    TargetLimitError,
    TargetSpecError,
    TargetStoppedError,
    TargetUnavailableError,
)
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.protocol import TargetSpec, digest_of
from tests.engines.inference.handlers import handler_spec, write_handler

pytestmark = pytest.mark.anyio


async def test_a_handler_without_folder_is_refused() -> None:
    spec = TargetSpec(kind="handler", name="m", input_names=(), output_names=("label",))
    with pytest.raises(TargetSpecError, match="'folder' is needed"):
        build_target(spec)


def recorded(**options: object) -> TargetSpec:
    return TargetSpec(
        kind="recorded", name="m", input_names=("t",), output_names=("label",), options=options
    )


async def test_recorded_answers_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    row = {"input_digest": digest_of({"t": "x"}), "outputs": {"label": "y"}}
    path.write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    target = build_target(recorded(path=str(path)))
    known, unknown = await target.predict([{"t": "x"}, {"t": "z"}])
    assert known.outputs == {"label": "y"}
    assert unknown.error == "No answer to this input is recorded."


async def test_recorded_answers_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(TargetSpecError, match="cannot be read"):
        await build_target(recorded(path=str(tmp_path / "none"))).describe()
    with pytest.raises(TargetSpecError, match="'answers' must map"):
        build_target(recorded(answers=[]))


async def test_many_batches_are_answered_in_order_while_others_are_on_their_way(
    tmp_path: Path,
) -> None:
    target = HandlerTarget(handler_spec(write_handler(tmp_path / "mood")))
    batches = [[{"text": f"{'good' if n % 3 else 'bad'}"}] * (1 + n % 4) for n in range(40)]
    results = [result async for result in target.stream(batches, in_flight=4)]
    assert [len(result) for result in results] == [len(batch) for batch in batches]
    assert [result[0]["outputs"] for result in results] == [
        {"label": "positive" if n % 3 else "negative"} for n in range(40)
    ]
    usage = target.usage()
    assert (usage.memory_peak_bytes or 0) > 2**20
    assert (usage.cpu_seconds or 0) > 0
    await target.close()
    assert target.usage().memory_peak_bytes == usage.memory_peak_bytes


async def test_large_answers_on_both_sides_do_not_block_each_other(tmp_path: Path) -> None:
    source = "def predict(batch):\n    return [{'label': 'y' * 200_000} for _ in batch]\n"
    target = HandlerTarget(handler_spec(write_handler(tmp_path / "large", source)))
    batches = [[{"text": "x" * 200_000}] * 8] * 12
    sizes = [len(result) async for result in target.stream(batches, in_flight=8)]
    assert sizes == [8] * 12
    await target.close()


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("DIE", TargetStoppedError, "its process ended with status 9"),
        ("HANG", TargetLimitError, "did not answer a batch within 0.3 seconds"),
    ],
)
async def test_a_stream_that_breaks_says_why_and_leaves_no_process(
    tmp_path: Path, text: str, error: type[TargetStoppedError], told: str
) -> None:
    target = HandlerTarget(handler_spec(write_handler(tmp_path / "mood")))
    await target.warm()
    batches = [[{"text": word}] for word in ("good", text, "good")]
    results = target.stream(batches, batch_timeout_seconds=0.3)
    assert len(await anext(results)) == 1
    with pytest.raises(error, match=told):
        await anext(results)
    assert target.pid is None
    await target.close()


async def test_what_a_model_printed_is_there_when_it_could_not_be_loaded(tmp_path: Path) -> None:
    folder = write_handler(tmp_path / "broken", "print('looking for weights')\n1 / 0\n")
    target = HandlerTarget(handler_spec(folder))
    with pytest.raises(TargetUnavailableError, match="division by zero"):
        await target.warm()
    assert "looking for weights" in target.log
    await target.close()


async def test_a_model_that_needs_a_sandbox_is_not_run_without_one(tmp_path: Path) -> None:
    spec = handler_spec(write_handler(tmp_path / "mood"))
    for isolation, told in (("sandbox", "needs a sandbox"), ("moat", "run without 'moat'")):
        isolated = replace(spec, options={**spec.options, "isolation": isolation})
        with pytest.raises(TargetSpecError, match=told):
            build_target(isolated)
