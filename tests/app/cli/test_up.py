"""What `dynabench up` tells once the server is ready."""

import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from dynabench.app.cli import up
from dynabench.app.cli.up import ReadyWatch
from dynabench.kit.settings import Settings


class _NotYetThenReady(BaseHTTPRequestHandler):
    """Is not ready when it is asked first."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        self.send_response(200 if self.path == "/readyz" and type(self).asked > 1 else 503)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_the_address_and_the_way_in_are_told_once_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(up, "_POLL_SECONDS", 0.01)
    (tmp_path / "admin-password").write_text("secret\n", encoding="utf-8")
    with HTTPServer(("127.0.0.1", 0), _NotYetThenReady) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        watch = ReadyWatch(Settings(home=tmp_path, port=server.server_port))
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


def test_the_watch_ends_when_nothing_comes_up(tmp_path: Path) -> None:
    watch = ReadyWatch(Settings(home=tmp_path, port=9))
    watch.start()
    watch.stop()

    assert not watch._thread.is_alive()


def test_the_process_that_stays_loads_neither_the_server_nor_the_client() -> None:
    program = """
import sys
from dynabench.app.cli.main import assemble
assemble(["up"])
print(sorted({"httpx2", "sqlalchemy", "fastapi", "numpy", "psycopg"} & set(sys.modules)))
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
