"""What `dynabench up` tells once the server is ready."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

from dynabench.app.cli import up
from dynabench.app.cli.up import ReadyWatch
from dynabench.app.listening import INSTANCE_HEADER, address_of, is_answered_by
from dynabench.kit.settings import Settings
from tests.app.cli.conftest import Command

OURS = "0123456789abcdef"
_PR_SET_CHILD_SUBREAPER = 36


class _NotYetThenReady(BaseHTTPRequestHandler):
    """Is not ready when it is asked first; is ours from then on."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        self.send_response(200 if self.path == "/readyz" and type(self).asked > 1 else 503)
        self.send_header(INSTANCE_HEADER, OURS)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_the_address_and_the_way_in_are_told_once_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(up, "_POLL_SECONDS", 0.01)
    monkeypatch.setattr(_NotYetThenReady, "asked", 0)
    (tmp_path / "admin-password").write_text("secret\n", encoding="utf-8")
    with HTTPServer(("127.0.0.1", 0), _NotYetThenReady) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        watch = ReadyWatch(Settings(home=tmp_path, port=server.server_port), instance=OURS)
        watch.start()
        watch._thread.join(timeout=10)
        watch.stop()
        server.shutdown()
        serving.join()

    out = capsys.readouterr().out
    assert f"Dynabench is at http://127.0.0.1:{server.server_port}" in out
    assert "admin-password" in out
    assert "secret" not in out
    assert _NotYetThenReady.asked == 2
    assert address_of(Settings(home=tmp_path)) == f"http://127.0.0.1:{server.server_port}"
    assert address_of(Settings(home=tmp_path, port=81)) == "http://127.0.0.1:81"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's death signal is Linux's")
def test_what_sets_an_installation_up_ends_with_an_up_that_was_killed(tmp_path: Path) -> None:
    # Orphans become this process's children, so that it learns how they end.
    become_reaper = ctypes.CDLL(None).prctl
    with socket.create_server(("127.0.0.1", 0)) as never_answers:
        port = never_answers.getsockname()[1]
        url = f"postgresql://nobody@127.0.0.1:{port}/nothing"
        program = (
            "import os; from pathlib import Path; from dynabench.app.supervisor import Supervisor\n"
            "from dynabench.kit.settings import Settings\n"
            f"settings = Settings(home=Path({str(tmp_path)!r}))\n"
            f"Supervisor(settings)._set_up(os.environ | {{'DYNABENCH_DATABASE_URL': {url!r}}})\n"
        )
        # The program above, of ours.
        with subprocess.Popen([sys.executable, "-c", program]) as up:  # noqa: S603
            connection, _ = never_answers.accept()
            [setting_up] = psutil.Process(up.pid).children()
            become_reaper(_PR_SET_CHILD_SUBREAPER, 1)
            try:
                up.kill()
                up.wait()
                _, status = os.waitpid(setting_up.pid, 0)
            finally:
                become_reaper(_PR_SET_CHILD_SUBREAPER, 0)
                connection.close()

    assert os.waitstatus_to_exitcode(status) == -signal.SIGTERM


def test_the_watch_ends_when_nothing_comes_up(tmp_path: Path) -> None:
    watch = ReadyWatch(Settings(home=tmp_path, port=9), instance=OURS)
    watch.start()
    watch.stop()

    assert not watch._thread.is_alive()


def test_the_process_that_stays_loads_neither_the_server_nor_the_client() -> None:
    program = """
import sys
from dynabench.app.cli.main import assemble
assemble(["up"])
print(sorted({"httpx2", "sqlalchemy", "fastapi", "numpy"} & set(sys.modules)))
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_taken_port_is_told_before_anything_is_started(command: Command, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        done = command("up", "--port", port, "--home", tmp_path / "new")

    assert done.status == 1
    assert f"Port {port}" in done.err
    assert f"--port {port + 1}" in done.err
    assert done.out == ""
    assert not (tmp_path / "new").exists()


def test_an_address_of_another_machine_is_told(command: Command) -> None:
    done = command("up", "--host", "192.0.2.1")

    assert done.status == 1
    assert "--host 127.0.0.1" in done.err


def test_a_stranger_is_not_taken_for_the_server(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), _NotYetThenReady) as server:
        _NotYetThenReady.asked = 1
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        settings = Settings(home=tmp_path, port=server.server_port)
        as_ours = is_answered_by(settings, OURS, path="/readyz")
        as_another = is_answered_by(settings, "another", path="/readyz")
        server.shutdown()
        serving.join()

    assert as_ours
    assert not as_another
