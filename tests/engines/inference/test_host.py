"""The host with real worker processes: batches, queues, deaths, hangs and idleness."""

import asyncio
import os
import signal
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from dynabench.engines.inference.errors import (
    TargetStoppedError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.host import HostSettings, ModelHost
from dynabench.engines.inference.launching import Launch
from dynabench.engines.inference.protocol import (
    Prediction,
)
from dynabench.science.task_config.characters import find_refused_character
from tests.engines.inference.handlers import handler_spec, write_handler
from tests.engines.inference.waiting import gathered, until

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def mood_host(folder: Path, settings: HostSettings | None = None) -> AsyncIterator[ModelHost]:
    host = ModelHost(settings or HostSettings(request_timeout_seconds=5))
    host.register("mood", handler_spec(write_handler(folder / "mood")))
    try:
        yield host
    finally:
        await host.close()


async def ask(host: ModelHost, text: str) -> Prediction:
    return await host.predict("mood", {"text": text})


def is_running(pid: int) -> bool:
    # Without an init that reaps orphans a dead one stays as a zombie.
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


async def test_a_worker_answers_and_stays_warm(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        assert host.health()["mood"].state == "cold"
        assert (await ask(host, "good")).outputs == {"label": "positive"}
        pid = host.health()["mood"].pid
        assert (await ask(host, "bad")).outputs == {"label": "negative"}
        health = host.health()["mood"]
        assert (health.state, health.pid, health.restarts) == ("ready", pid, 0)
        assert health.p50_seconds is not None
        assert "loading the mood model" in health.log


async def test_the_host_adds_less_than_a_millisecond(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        await host.warm("mood")
        took = []
        for number in range(300):
            started = time.perf_counter()
            await ask(host, f"good {number}")
            took.append(time.perf_counter() - started)
    # Measured 0.25 ms; the margin is for a machine that others use at the same time.
    assert min(took) < 0.001
    assert statistics.median(took) < 0.005


async def test_a_worker_killed_in_the_middle_costs_nobody_an_answer(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        await host.warm("mood")
        pid = host.health()["mood"].pid
        assert pid is not None
        asked = [asyncio.create_task(ask(host, f"SLOW good {n}")) for n in range(5)]
        await asyncio.sleep(0.1)
        os.kill(pid, signal.SIGKILL)
        answers = await asyncio.gather(*asked)
        assert [answer.outputs for answer in answers] == [{"label": "positive"}] * 5
        health = host.health()["mood"]
        assert health.restarts == 1
        assert health.pid not in {None, pid}


async def test_an_input_that_kills_the_model_takes_no_other_with_it(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        await host.warm("mood")
        texts = ("good 1", "DIE", "good 2", "bad")
        first, killer, second, third = await gathered(*(ask(host, text) for text in texts))
        assert isinstance(killer, TargetStoppedError)
        assert "try again" in killer.message
        labels = [
            p.outputs.get("label") for p in (first, second, third) if isinstance(p, Prediction)
        ]
        assert labels == ["positive", "positive", "negative"]


async def test_a_model_that_hangs_is_restarted(tmp_path: Path) -> None:
    settings = HostSettings(request_timeout_seconds=0.5)
    async with mood_host(tmp_path, settings) as host:
        await host.warm("mood")
        pid = host.health()["mood"].pid
        with pytest.raises(TargetTimeoutError, match=r"within 0\.5 seconds\. Your text is kept"):
            await ask(host, "HANG")
        assert host.health()["mood"].state == "stopped"
        assert not psutil.pid_exists(pid or 0)
        assert (await ask(host, "good")).outputs == {"label": "positive"}


async def test_a_model_that_keeps_dying_is_started_ever_later(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        reasons = []
        for number in range(6):
            with pytest.raises(TargetUnavailableError) as caught:
                await ask(host, f"DIE {number}")
            reasons.append(caught.value.reason)
            if "started again in" in reasons[-1]:
                break
        assert "started again in" in reasons[-1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("silent", "The output field 'label' is missing."),
        ("ODD", "'label' is 'purple', but must be one of: positive, negative"),
        ("NAN", "'probabilities' holds nan"),
        ("HUGE", "larger than 256 KiB"),
        ("WORD", "must be an object, not 'positive'"),
        ("SET", "a set is not JSON"),
        ("RAISE", "ValueError: no idea"),
    ],
)
async def test_a_nonsense_answer_is_an_error_of_its_own(
    tmp_path: Path, text: str, told: str
) -> None:
    async with mood_host(tmp_path) as host:
        nonsense, good = await asyncio.gather(ask(host, text), ask(host, "good"))
        assert told in (nonsense.error or "")
        assert nonsense.outputs == {}
        assert good.outputs == {"label": "positive"}


async def test_what_a_model_prints_goes_to_its_log(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        assert (await ask(host, "NOISE")).outputs == {"label": "negative"}
        await until(lambda: "noise from a child" in host.health()["mood"].log)


async def test_a_process_that_floods_the_protocol_is_stopped(tmp_path: Path) -> None:
    source = """
import os
def predict(batch):
    os.write(next(fd for fd in range(3, 20) if _is_pipe(fd)), b"x" * 40_000_000)
    return [{"label": "positive"}]
def _is_pipe(fd):
    try:
        os.write(fd, b"x")
        return True
    except OSError:
        return False
"""
    host = ModelHost()
    host.register("mood", handler_spec(write_handler(tmp_path / "flood", source)))
    with pytest.raises(TargetStoppedError, match="far too large"):
        await ask(host, "good")
    await host.close()


# Writes to the protocol's own channel, as a model can that looks for it.
_SAY = """
import os
def say(line):
    for fd in range(3, 20):
        try:
            os.write(fd, line + b"\\n")
        except OSError:
            pass
"""


@pytest.mark.parametrize("strange", ["[]", "{}", "null", "0.5"])
async def test_an_answer_whose_id_is_no_text_is_none(tmp_path: Path, strange: str) -> None:
    line = f'{{"id": "1", "results": [{{"id": {strange}, "outputs": {{"label": "positive"}}}}]}}'
    source = f"{_SAY}\ndef predict(batch):\n    say({line.encode()!r})\n    return []\n"
    host = ModelHost()
    host.register("mood", handler_spec(write_handler(tmp_path / "liar", source)))
    assert "no answer" in ((await ask(host, "good")).error or "")
    await host.close()


async def test_what_a_lying_model_says_can_be_kept_and_shown(tmp_path: Path) -> None:
    said = b'{"failed": "' + b"x\\u0000\\ud800\\u001b[31m" * 9_000 + b'"}'
    source = f"{_SAY}\nprint('\\x1b]0;owned\\x07\\x00end', flush=True)\nsay({said!r})\n"
    source += "import time\ntime.sleep(9)\n"
    host = ModelHost()
    host.register("mood", handler_spec(write_handler(tmp_path / "liar", source)))
    with pytest.raises(TargetUnavailableError) as caught:
        await ask(host, "good")
    assert len(caught.value.reason) < 400
    for kept in (caught.value.reason, host.health()["mood"].log):
        assert find_refused_character(kept.replace("\n", "")) is None
    assert "owned" in host.health()["mood"].log
    await host.close()


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("raise RuntimeError('no weights')", "RuntimeError: no weights"),
        ("def load(path):\n    raise OSError('gone')\n", "OSError: gone"),
        ("answer = 1", r"no function predict\(batch\)"),
    ],
)
async def test_a_model_that_cannot_be_loaded_says_why(
    tmp_path: Path, source: str, told: str
) -> None:
    host = ModelHost()
    host.register("mood", handler_spec(write_handler(tmp_path / "broken", source)))
    with pytest.raises(TargetUnavailableError, match=told):
        await ask(host, "good")
    assert told.split(":", maxsplit=1)[0].split("(", maxsplit=1)[0].rstrip("\\") in (
        host.health()["mood"].last_error or ""
    )
    await host.close()


async def test_a_model_that_takes_too_long_to_load_is_told(tmp_path: Path) -> None:
    source = "import time\ntime.sleep(60)\ndef predict(batch): return batch\n"
    spec = handler_spec(write_handler(tmp_path / "slow", source))
    target = HandlerTarget(spec, load_timeout_seconds=0.3)
    with pytest.raises(TargetUnavailableError, match=r"not loaded within 0\.3 seconds"):
        await target.warm()
    assert target.pid is None
    await target.close()


async def test_a_worker_that_died_while_idle_is_replaced_unnoticed(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        await host.warm("mood")
        pid = host.health()["mood"].pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await until(lambda: host.health()["mood"].pid is None)
        assert (await ask(host, "good")).outputs == {"label": "positive"}
        assert host.health()["mood"].restarts == 1


async def test_the_same_spec_registered_again_changes_nothing(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        await ask(host, "good")
        pid = host.health()["mood"].pid
        host.register("mood", handler_spec(tmp_path / "mood"))
        assert host.health()["mood"].pid == pid


async def test_an_idle_model_is_unloaded_and_comes_back(tmp_path: Path) -> None:
    async with mood_host(tmp_path, HostSettings(idle_unload_seconds=0.2)) as host:
        await ask(host, "good")
        pid = host.health()["mood"].pid
        await until(lambda: host.health()["mood"].pid is None)
        assert host.health()["mood"].state == "cold"
        await until(lambda: not psutil.pid_exists(pid or 0))
        assert (await ask(host, "bad")).outputs == {"label": "negative"}


async def test_another_version_under_the_same_key_replaces_the_first(tmp_path: Path) -> None:
    async with mood_host(tmp_path) as host:
        await ask(host, "good")
        pid = host.health()["mood"].pid
        source = "def predict(batch):\n    return [{'label': 'negative'} for _ in batch]\n"
        host.register("mood", handler_spec(write_handler(tmp_path / "second", source)))
        assert (await ask(host, "good")).outputs == {"label": "negative"}
        await until(lambda: not psutil.pid_exists(pid or 0))


async def test_a_host_that_closes_tells_who_waits_and_leaves_no_process(tmp_path: Path) -> None:
    host = ModelHost()
    host.register("mood", handler_spec(write_handler(tmp_path / "mood")))
    await host.warm("mood")
    pid = host.health()["mood"].pid
    waiting = asyncio.create_task(ask(host, "HANG"))
    await asyncio.sleep(0.1)
    await host.close()
    with pytest.raises(TargetUnavailableError, match="taken out of service"):
        await waiting
    assert not psutil.pid_exists(pid or 0)


async def test_a_worker_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    folder = write_handler(tmp_path / "mood")
    source = f"""
import asyncio, os, pathlib
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.host import ModelHost
from tests.engines.inference.handlers import handler_spec
async def main():
    host = ModelHost()
    host.register("mood", handler_spec(pathlib.Path({str(folder)!r})))
    await host.warm("mood")
    print(host.health()["mood"].pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", source, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    pid = int(await server.stdout.readline())
    assert psutil.pid_exists(pid)
    server.kill()
    await server.communicate()
    await until(lambda: not is_running(pid))


async def test_a_worker_knows_nothing_of_the_servers_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", "secret")
    source = """
import os
def predict(batch):
    label = "negative" if "DYNABENCH_DATABASE_URL" in os.environ else "positive"
    return [{"label": label if os.environ["OMP_NUM_THREADS"] == "1" else "?"} for _ in batch]
"""
    host = ModelHost()
    host.register("mood", handler_spec(write_handler(tmp_path / "nosy", source)))
    assert (await ask(host, "x")).outputs == {"label": "positive"}
    await host.close()


async def test_a_launcher_that_is_not_there_is_told(tmp_path: Path) -> None:
    spec = handler_spec(write_handler(tmp_path / "mood"))
    target = HandlerTarget(
        spec, launcher=lambda _folder: Launch(command=[str(tmp_path / "nothing")], environment={})
    )
    with pytest.raises(TargetUnavailableError, match="cannot be started"):
        await target.warm()
