"""Images in Podman: they answer, and are shut in. Each attack first succeeds outside."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dynabench.engines.inference.container import ContainerTarget
from dynabench.engines.inference.container_tool import ContainerLimits, ContainerTool
from dynabench.engines.inference.errors import TargetLimitError, TargetUnavailableError
from dynabench.engines.inference.protocol import TargetModel, TargetSpec
from tests.extras.conftest import OpenTarget
from tests.extras.images import OBEDIENT

pytestmark = pytest.mark.extras

MIB = 1024 * 1024
PROGRAM = """
import asyncio, sys, time
from dynabench.engines.inference.container import ContainerTarget
from dynabench.engines.inference.protocol import TargetSpec
async def main():
    spec = TargetSpec(kind="container", name="Lost", input_names=(), output_names=("label",),
                      options={"image": sys.argv[1]})
    await ContainerTarget(spec).warm()
    print("warm", flush=True)
    time.sleep(60)
asyncio.run(main())
"""


def spec_of(image: str) -> TargetSpec:
    return TargetSpec(
        kind="container",
        name="Obedient",
        input_names=("do", "what"),
        output_names=("label",),
        options={"image": image},
    )


async def asked(target: TargetModel, do: str, what: object = "") -> str:
    (prediction,) = await target.predict([{"do": do, "what": str(what)}])
    return str(prediction.outputs.get("label") or prediction.error)


def containers(tool: ContainerTool) -> list[str]:
    listed = subprocess.run(  # noqa: S603 - the tool was found on the path
        [tool.path, "ps", "--all", "--filter", "name=dynabench-", "--format", "{{.Names}}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


@pytest.fixture
def outside(tmp_path: Path, open_target: OpenTarget) -> TargetModel:
    """The same model as a plain process: the control."""
    (tmp_path / "model.py").write_text(OBEDIENT, encoding="utf-8")
    spec = replace(spec_of("none"), kind="handler", options={"folder": str(tmp_path)})
    return open_target(spec)


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


async def test_an_image_answers_and_is_known_by_its_content(
    image: str, container_tool: ContainerTool, open_target: OpenTarget
) -> None:
    target = open_target(spec_of(image))

    description = await target.describe()

    assert description.digest == container_tool.image_id(image)
    assert await asked(target, "greet") == "hello"
    # The stored version names the content: the name may mean another image by now.
    pinned = open_target(replace(spec_of("localhost/moved:1"), digest=description.digest))
    assert await asked(pinned, "greet") == "hello"


async def test_it_is_measured_and_leaves_nothing_behind(
    image: str, container_tool: ContainerTool
) -> None:
    target = ContainerTarget(spec_of(image))
    await asked(target, "remember", 100 * MIB)
    usage = target.usage()
    assert len(containers(container_tool)) == 1
    await target.close()

    assert usage.memory_peak_bytes is not None
    assert 100 * MIB < usage.memory_peak_bytes < 400 * MIB
    assert usage.cpu_seconds
    assert containers(container_tool) == []


async def test_it_reaches_nobody(
    image: str, listener: int, outside: TargetModel, open_target: OpenTarget
) -> None:
    assert await asked(outside, "connect", listener) == "connected"

    assert "refused" in await asked(open_target(spec_of(image)), "connect", listener)


async def test_it_sees_nothing_of_the_machine(
    image: str,
    tmp_path: Path,
    outside: TargetModel,
    open_target: OpenTarget,
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("gold")
    shown = next(name for name in ("PATH", "LANG") if os.environ.get(name))
    inside = open_target(spec_of(image))

    assert await asked(outside, "read", secret) == "4"
    assert "refused" in await asked(inside, "read", secret)
    assert await asked(outside, "see", shown) == os.environ[shown]
    assert await asked(inside, "see", shown) != os.environ[shown]
    assert await asked(inside, "who") == "65534"


async def test_it_writes_to_its_tmp_alone_and_not_without_end(
    image: str, tmp_path: Path, outside: TargetModel
) -> None:
    inside = ContainerTarget(spec_of(image), limits=ContainerLimits(scratch_bytes=16 * MIB))

    assert await asked(outside, "write", tmp_path / "x") == "1"
    assert await asked(inside, "fill", 8 * MIB) == str(8 * MIB)
    assert "No space left" in await asked(inside, "fill", 32 * MIB)
    for path in ("/x", "/model/model.py", "/worker_main.py"):
        assert "refused" in await asked(inside, "write", path), path
    await inside.close()


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_a_memory_bomb_is_ended_with_the_reason(
    image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    target = ContainerTarget(
        spec_of(image), limits=ContainerLimits(memory_bytes=64 * MIB, scratch_bytes=16 * MIB)
    )

    with pytest.raises(TargetLimitError, match="more than 64 MiB of memory"):
        await asked(target, "remember", 512 * MIB)
    assert await asked(target, "greet") == "hello", "the next start is a new container"
    await target.close()
    assert names_in(tmp_path) == [], "nothing is left where the server stands"


async def test_a_fork_bomb_stays_small(
    image: str, container_tool: ContainerTool, outside: TargetModel
) -> None:
    assert await asked(outside, "multiply", 20) == "20"
    target = ContainerTarget(spec_of(image), limits=ContainerLimits(processes=12))

    assert "refused" in await asked(target, "multiply", 20)
    await target.close()
    assert containers(container_tool) == []


async def test_a_model_that_hangs_is_ended_with_its_container(
    image: str, container_tool: ContainerTool
) -> None:
    target = ContainerTarget(spec_of(image))
    await target.warm()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await asked(target, "sleep", 600)
    await target.close()

    assert containers(container_tool) == []


def test_a_container_does_not_outlive_who_started_it(
    image: str, container_tool: ContainerTool
) -> None:
    # The program is our own.
    program = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", PROGRAM, image], stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    with program.stdout:
        assert program.stdout.readline() == "warm\n"
        assert len(containers(container_tool)) == 1
        program.send_signal(signal.SIGKILL)
        program.wait()

    deadline = time.monotonic() + 20
    while containers(container_tool) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert containers(container_tool) == []


async def test_an_image_that_is_not_there_is_the_submitter_s_to_name(
    image: str, open_target: OpenTarget
) -> None:
    del image  # Podman itself is there.

    with pytest.raises(TargetUnavailableError, match="is not on this machine"):
        await open_target(spec_of("localhost/nobody-made-this:1")).describe()
