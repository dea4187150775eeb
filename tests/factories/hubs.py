"""A model hub on this machine: as much of one as fetching a model needs."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

COMMIT = "0123456789abcdef0123456789abcdef01234567"
Repositories = Mapping[str, Mapping[str, bytes]]


class Hub(BaseHTTPRequestHandler):
    """Answers for the repositories that it is given; remembers which tokens it was sent."""

    repositories: ClassVar[Repositories] = {}
    tokens: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        self.tokens.append(self.headers["Authorization"])
        path = self.path.partition("?")[0]
        for hub_id, files in self.repositories.items():
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

    def give(self, body: bytes, headers: Mapping[str, str], *, status: int = 200) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(repositories: Repositories) -> Iterator[str]:
    """Serve repositories on loopback and give the hub's address."""
    Hub.repositories = repositories
    Hub.tokens.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
