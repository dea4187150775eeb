"""Models by their hub id, from a hub on this machine."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from dynabench.engines.runners.errors import HubUnavailableError, UnusableModelError
from dynabench.engines.runners.hub import fetch_from_hub

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {
    "acme/small": {
        "config.json": b'{"model_type": "bert"}',
        "model.safetensors": b"weights",
        "pytorch_model.bin": b"a pickle",
        "modeling_own.py": b"print('code')",
        "onnx/model.onnx": b"another form",
    },
    "acme/pickled": {"config.json": b"{}", "pytorch_model.bin": b"a pickle"},
}


class Hub(BaseHTTPRequestHandler):
    """As much of a hub as fetching a model needs."""

    tokens: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        self.tokens.append(self.headers["Authorization"])
        path = self.path.partition("?")[0]
        for hub_id, files in FILES.items():
            if path.startswith(f"/api/models/{hub_id}"):
                siblings = [{"rfilename": name, "size": len(data)} for name, data in files.items()]
                body = json.dumps({"id": hub_id, "sha": COMMIT, "siblings": siblings})
                return self.give(body.encode(), {"Content-Type": "application/json"})
            name = path.removeprefix(f"/{hub_id}/resolve/{COMMIT}/")
            if name in files:
                return self.give(files[name], {"ETag": f'"{name}"', "X-Repo-Commit": COMMIT})
        return self.give(b"", {"X-Error-Code": "RepoNotFound"}, status=404)

    # The name is the standard library's.
    do_HEAD = do_GET  # noqa: N815

    def give(self, body: bytes, headers: dict[str, str], *, status: int = 200) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    Hub.tokens.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("HF_TOKEN", "the operator's own")
    yield Hub
    server.shutdown()
    server.server_close()
    thread.join()


def test_numbers_and_settings_are_fetched_and_nothing_that_can_be_run(
    tmp_path: Path, hub: type[Hub]
) -> None:
    commit = fetch_from_hub("acme/small", into=tmp_path, max_bytes=1_000)

    assert commit == COMMIT
    assert {path.name for path in tmp_path.iterdir()} == {"config.json", "model.safetensors"}
    assert (tmp_path / "model.safetensors").read_bytes() == b"weights"
    assert set(hub.tokens) == {None}, "the operator's token stays here"


@pytest.mark.parametrize(
    ("hub_id", "most", "words"),
    [
        ("acme/pickled", 1_000, "pytorch_model.bin may hold code"),
        ("acme/nobody", 1_000, "no public model acme/nobody"),
        ("acme/small", 10, "at most"),
        ("../../etc", 1_000, "no hub id"),
        ("acme/small/../pickled", 1_000, "no hub id"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_with_the_reason(
    tmp_path: Path, hub_id: str, most: int, words: str
) -> None:
    with pytest.raises(UnusableModelError, match=words):
        fetch_from_hub(hub_id, into=tmp_path, max_bytes=most)

    assert list(tmp_path.iterdir()) == []


def test_a_hub_that_does_not_answer_is_no_fault_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")

    with pytest.raises(HubUnavailableError):
        fetch_from_hub("acme/small", into=tmp_path, max_bytes=1_000)
