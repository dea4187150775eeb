"""What a submitted model cannot reach. Each attack succeeds outside first: that is the control."""

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from dynabench.engines.inference.launching import Launcher, plain_launcher
from dynabench.engines.inference.worker import WorkerProcess
from dynabench.engines.sandbox.sandbox import Sandbox
from tests.engines.inference.waiting import until
from tests.engines.sandbox import attacks
from tests.engines.sandbox.attacks import write_model
from tests.engines.sandbox.running import LIMITS, attack, available

pytestmark = pytest.mark.anyio


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A place on the host that every user may read and write."""
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents[:2]:
        parent.chmod(parent.stat().st_mode | 0o011)
    return tmp_path


@pytest.fixture
async def heard() -> AsyncIterator[tuple[int, list[bytes]]]:
    """A TCP listener of the host, and what it heard."""
    found: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found.append(await reader.read(100))
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1], found
    server.close()
    await server.wait_closed()


async def test_it_cannot_call_a_server_of_this_machine(
    sandbox: Sandbox, world: Path, heard: tuple[int, list[bytes]]
) -> None:
    port, found = heard
    given = {"port": port}
    outside = await attack(plain_launcher, world / "out", attacks.CALL_HOME, given)
    await until(lambda: bool(found))
    assert (outside.said, found) == ("done", [b"the gold"])
    inside = await attack(sandbox.launcher(), world / "in", attacks.CALL_HOME, given)
    assert "Connection refused" in inside.told
    assert found == [b"the gold"]


async def test_it_cannot_ask_a_name_server(sandbox: Sandbox, world: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.setblocking(False)
        given = {"port": server.getsockname()[1], "patience": 5.0}
        loop = asyncio.get_running_loop()
        outside = asyncio.create_task(
            attack(plain_launcher, world / "out", attacks.ASK_A_NAME_SERVER, given)
        )
        question, asker = await asyncio.wait_for(loop.sock_recvfrom(server, 100), 10)
        await loop.sock_sendto(server, b"here it is", asker)
        assert (question, (await outside).said) == (b"gold.example.org?", "done")
        given["patience"] = 0.3
        inside = await attack(sandbox.launcher(), world / "in", attacks.ASK_A_NAME_SERVER, given)
        assert inside.told != "done"
        with pytest.raises(BlockingIOError):
            server.recv(100)


@pytest.mark.parametrize("kind", ["abstract", "path"])
async def test_it_cannot_call_a_unix_socket_of_this_machine(
    sandbox: Sandbox, world: Path, kind: str
) -> None:
    name = f"dynabench-{uuid.uuid4().hex}"
    address = f"@{name}" if kind == "abstract" else str(world / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address.replace("@", "\0"))
        if kind == "path":
            # Permissions are not what stops it.
            os.chmod(address, 0o777)  # noqa: PTH101, S103
        server.listen()
        given = {"address": address}
        outside = await attack(plain_launcher, world / "out", attacks.CALL_A_UNIX_SOCKET, given)
        assert outside.said == "done"
        server.accept()[0].close()
        inside = await attack(sandbox.launcher(), world / "in", attacks.CALL_A_UNIX_SOCKET, given)
        assert inside.told != "done"
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize("place", ["gold.jsonl", "blobs/other-model/model.py", "home/config"])
async def test_it_cannot_read_files_of_the_server(
    sandbox: Sandbox, world: Path, place: str
) -> None:
    file = world / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("secret", encoding="utf-8")
    given = {"path": str(file)}
    outside = await attack(plain_launcher, world / "out", attacks.READ_A_FILE, given)
    assert outside.said == "done"
    inside = await attack(sandbox.launcher(), world / "in", attacks.READ_A_FILE, given)
    assert "No such file" in inside.told


async def test_a_link_in_its_own_folder_leads_nowhere(sandbox: Sandbox, world: Path) -> None:
    (world / "gold").write_text("secret", encoding="utf-8")
    folder = write_model(world / "linked", attacks.READ_A_LINK_OF_ITS_OWN)
    (folder / "weights.txt").symlink_to(world / "gold")
    assert (await attack(plain_launcher, folder, "")).said == "done"
    assert "No such file" in (await attack(sandbox.launcher(), folder, "")).told


async def test_it_cannot_read_files_of_the_server_that_lie_beside_the_interpreter(
    world: Path,
) -> None:
    """An installation may keep its data below the folder of its environment."""
    hidden = Path(sys.prefix) / f"home-{uuid.uuid4().hex}"
    hidden.mkdir()
    try:
        (hidden / "gold").write_text("secret", encoding="utf-8")
        given = {"path": str(hidden / "gold")}
        careless, careful = Sandbox(LIMITS), Sandbox(LIMITS, hidden=[hidden])
        available(careful)
        seen = await attack(careless.launcher(), world / "a", attacks.READ_A_FILE, given)
        assert seen.said == "done"
        kept = await attack(careful.launcher(), world / "b", attacks.READ_A_FILE, given)
        assert "PermissionError" in kept.told or "No such file" in kept.told
    finally:
        (hidden / "gold").unlink()
        hidden.rmdir()


@pytest.fixture
def stranger() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Another process of the host, with a secret in its environment."""
    secret = f"key-{uuid.uuid4().hex}"
    with subprocess.Popen(["/bin/sleep", "60"], env={"DATABASE_URL": secret}) as process:
        yield process, secret
        process.kill()


async def test_it_cannot_read_any_environment_nor_signal_others(
    sandbox: Sandbox, world: Path, stranger: tuple[subprocess.Popen[bytes], str]
) -> None:
    process, secret = stranger
    given = {"secret": secret, "pid": process.pid}
    source = attacks.READ_EVERY_ENVIRONMENT
    assert (await attack(plain_launcher, world / "a", source, given)).said == "done"
    assert (await attack(sandbox.launcher(), world / "b", source, given)).told == "not found"
    source = attacks.SIGNAL_A_STRANGER
    told = (await attack(sandbox.launcher(), world / "c", source, given)).told
    assert "No such process" in told or "not permitted" in told
    assert process.poll() is None
    assert (await attack(plain_launcher, world / "d", source, given)).said == "done"
    assert process.wait() == -signal.SIGKILL


async def test_it_cannot_write_outside_its_folder(sandbox: Sandbox, world: Path) -> None:
    given = {"path": str(world / "mark")}
    assert (await attack(plain_launcher, world / "a", attacks.WRITE_A_FILE, given)).said == "done"
    (world / "mark").unlink()
    for place in (world / "mark", Path("/mark"), Path("/usr/lib/mark"), Path(sys.prefix) / "mark"):
        given = {"path": str(place)}
        told = (await attack(sandbox.launcher(), world / "b", attacks.WRITE_A_FILE, given)).told
        assert told != "done"
        assert not place.exists()


async def test_it_cannot_change_itself(sandbox: Sandbox, world: Path) -> None:
    plain, shut_in = (write_model(world / name, attacks.OVERWRITE_ITSELF) for name in "ab")
    assert (await attack(plain_launcher, plain, "")).said == "done"
    (shut_in / "model.py").chmod(0o666)
    told = (await attack(sandbox.launcher(), shut_in, "")).told
    assert "Read-only" in told
    assert "# changed" not in (shut_in / "model.py").read_text(encoding="utf-8").splitlines()


def sleepers(seconds: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.cmdline()[-1:] == [seconds] and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


async def test_it_cannot_outlive_its_job(each_sandbox: Sandbox, world: Path) -> None:
    seconds = str(100_000 + uuid.uuid4().int % 100_000)
    given = {"seconds": seconds}
    assert (await attack(plain_launcher, world / "a", attacks.OUTLIVE, given)).said == "done"
    await until(lambda: len(sleepers(seconds)) == 1)
    for left in sleepers(seconds):
        left.kill()
    await until(lambda: not sleepers(seconds))
    folder = write_model(world / "b", attacks.OUTLIVE)
    worker = await WorkerProcess.start(
        folder, name="Daemon", launcher=each_sandbox.launcher(), load_timeout_seconds=20
    )
    assert (await worker.ask([given]))[0]["outputs"] == {"outcome": "done"}
    await until(lambda: len(sleepers(seconds)) == 1)
    await worker.kill()
    assert not sleepers(seconds)


@pytest.mark.usefixtures("sandbox")
async def test_it_dies_with_the_server(world: Path) -> None:
    seconds = str(300_000 + uuid.uuid4().int % 100_000)
    folder = write_model(world / "model", attacks.OUTLIVE)
    source = f"""
import asyncio, pathlib
from dynabench.engines.inference.worker import WorkerProcess
from dynabench.engines.sandbox.sandbox import Sandbox
from tests.engines.sandbox.running import LIMITS
async def main():
    launcher = Sandbox(LIMITS).launcher()
    worker = await WorkerProcess.start(
        pathlib.Path({str(folder)!r}), name="x", launcher=launcher, load_timeout_seconds=20)
    print(await worker.ask([{{"seconds": {seconds!r}}}]), flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", source, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    assert b"done" in await server.stdout.readline()
    await until(lambda: len(sleepers(seconds)) == 1)
    server.kill()
    await server.communicate()
    await until(lambda: not sleepers(seconds))


async def test_it_cannot_make_namespaces(sandbox: Sandbox, world: Path) -> None:
    new_user_and_mounts = 0x10020000
    given = {"flags": new_user_and_mounts}
    source = attacks.MAKE_NAMESPACES
    assert (await attack(plain_launcher, world / "a", source, given)).said == "done"
    inside = await attack(sandbox.launcher(), world / "b", source, given)
    assert "not permitted" in inside.told


async def test_a_pickle_that_runs_a_command_reaches_nothing(sandbox: Sandbox, world: Path) -> None:
    mark = world / "mark"
    weights = pickle.dumps(attacks.Weights(f"touch {mark}"))
    for name, launcher in (("a", plain_launcher), ("b", sandbox.launcher())):
        folder = write_model(world / name, attacks.UNPICKLE)
        (folder / "weights.pkl").write_bytes(weights)
        assert (await attack(launcher, folder, "")).said == "done"
        assert mark.exists() == (name == "a")
        mark.unlink(missing_ok=True)


async def test_two_jobs_neither_share_a_user_nor_a_file(sandbox: Sandbox, world: Path) -> None:
    launcher: Launcher = sandbox.launcher()
    given = {"seconds": 0.3}
    one, other = await asyncio.gather(
        *(attack(launcher, world / name, attacks.WHO_AM_I, given) for name in "ab")
    )
    for outcome in (one, other):
        _uid, capabilities, no_new_privileges, filtered = outcome.told.split()
        assert int(capabilities, 16) == 0
        assert (no_new_privileges, filtered) == ("1", "2")
    if sandbox.report().has_own_user:
        first, second = (int(outcome.told.split()[0]) for outcome in (one, other))
        assert first != second
        assert min(first, second) > 60_000
