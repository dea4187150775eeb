"""Debian's nginx with the configuration of `packaging/deploy` in front of a real server."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.app.cli.conftest import CONFIG
from tests.factories.databases import Databases
from tests.factories.live_servers import free_port, wait_until

CONF = Path(__file__).resolve().parents[3] / "packaging" / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NAME = "bench.example.org"
DYNABENCH = Path(sys.executable).with_name("dynabench")
READS = 5
WAIT_SECONDS = 60
MAIN = """\
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/dynabench.conf;
}}
"""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Front:
    """A server behind nginx, and how one reaches it by HTTPS.

    Attributes:
        port: Of nginx, for HTTPS.
        plain_port: The same, for HTTP.
        context: Trusts its certificate alone.
        environment: Of the server, and of the operator's commands.
    """

    port: int
    plain_port: int
    context: ssl.SSLContext
    environment: Mapping[str, str]

    @property
    def origin(self) -> str:
        return f"https://{NAME}:{self.port}"

    @contextmanager
    def connected(self, *, address: str = "127.0.0.1") -> Iterator[http.client.HTTPSConnection]:
        """Open a connection from an address of this machine."""
        plain = socket.create_connection(
            ("127.0.0.1", self.port), timeout=WAIT_SECONDS, source_address=(address, 0)
        )
        connection = http.client.HTTPSConnection(NAME, self.port, context=self.context)
        connection.sock = self.context.wrap_socket(plain, server_hostname=NAME)
        try:
            yield connection
        finally:
            connection.close()

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str | None = None,
        *,
        address: str = "127.0.0.1",
        **headers: str,
    ) -> Answer:
        """Send one request, and return the answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with self.connected(address=address) as connection:
            connection.request(method, path, body, named)
            got = connection.getresponse()
            found = {name.lower(): value for name, value in got.getheaders()}
            return Answer(got.status, found, got.read())


@pytest.fixture(scope="module")
def front(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    if NGINX is None:
        missing = "nginx is missing (Debian: apt-get install nginx-light)"
        if os.environ.get("REQUIRE_DEBIAN") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("nginx")
    behind, plain, port = free_port(), free_port(), free_port()
    context = certify(folder)
    configure(folder, {"8000": behind, "80": plain, "443": port})
    with databases.lend() as url:
        environment = {
            **os.environ,
            "DYNABENCH_DATABASE_URL": url,
            "DYNABENCH_HOME": str(folder / "home"),
            "DYNABENCH_PORT": str(behind),
            "DYNABENCH_PUBLIC_URL": f"https://{NAME}:{port}",
            "DYNABENCH_TRUSTED_PROXIES": "127.0.0.1",
            # Where the tests are from counts as the world here.
            "DYNABENCH_UNLIMITED_ADDRESSES": "192.0.2.1",
            "DYNABENCH_REQUEST_LIMITS": f"visitor_reads={READS}/3600",
        }
        server = subprocess.Popen([DYNABENCH, "server"], env=environment)  # noqa: S603 - ours
        nginx = subprocess.Popen([NGINX, "-c", folder / "main.conf"])  # noqa: S603 - our words
        try:
            wait_until(lambda: answers(behind, server), seconds=WAIT_SECONDS)
            wait_until(lambda: answers(port, nginx), seconds=WAIT_SECONDS)
            yield Front(port, plain, context, environment)
        finally:
            for process in (nginx, server):
                process.terminate()
                process.wait()


def answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "it ended while it started"
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def certify(folder: Path) -> ssl.SSLContext:
    """Make a certificate of its own, and return how clients trust that alone."""
    subprocess.run(  # noqa: S603 - our own words
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", folder / "key.pem", "-out", folder / "certificate.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))


def configure(folder: Path, ports: dict[str, int]) -> None:
    """Write the configuration as it is, but for ports and the certificate's paths."""
    text = CONF.read_text(encoding="utf-8")
    text = text.replace("127.0.0.1:8000;", f"127.0.0.1:{ports['8000']};")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{ports['80']};")
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{ports['443']} ssl")
    text = re.sub(r"(ssl_certificate) .*;", rf"\1 {folder}/certificate.pem;", text)
    text = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {folder}/key.pem;", text)
    (folder / "dynabench.conf").write_text(text, encoding="utf-8")
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "main.conf").write_text(MAIN.format(folder=folder, user=user), encoding="utf-8")


def sign_in(front: Front) -> str:
    """Make an account and sign in as a browser does; returns the cookie."""
    made = subprocess.run(  # noqa: S603 - the environment's own program
        [DYNABENCH, "user", "create", "ada", "--admin"],
        env=dict(front.environment),
        capture_output=True,
        text=True,
        check=True,
    )
    body = json.dumps({"username": "ada", "password": made.stdout.strip()})
    done = front.ask(
        "POST", "/api/v1/session", body, Content_Type="application/json", Origin=front.origin
    )
    assert done.status == 200, done.body
    assert "secure" in done.headers["set-cookie"].lower()
    assert done.headers["strict-transport-security"]
    return done.headers["set-cookie"].partition(";")[0]


def event(stream: http.client.HTTPResponse) -> list[Any]:
    """Read a stream up to its next event, and return what that says."""
    while True:
        line = stream.readline().decode()
        assert line, "the stream ended"
        if line.startswith("data:") and line.strip() != "data: {}":
            found = json.loads(line.removeprefix("data:"))
            assert isinstance(found, list)
            return found


def test_people_sign_in_watch_and_upload_by_https(front: Front) -> None:
    cookie = sign_in(front)

    def send(method: str, path: str, body: bytes | str, kind: str) -> Any:
        done = front.ask(
            method, f"/api/v1{path}", body, Cookie=cookie, Content_Type=kind, Origin=front.origin
        )
        assert done.status < 300, (path, done.body)
        return json.loads(done.body) if done.body else None

    wanted = {"slug": "nli", "config": CONFIG}
    send("POST", "/tasks", json.dumps(wanted), "application/json")
    send("POST", "/tasks/nli/activate", "", "application/json")
    with front.connected() as connection:
        connection.request("GET", "/api/v1/jobs/live", headers={"Cookie": cookie})
        stream = connection.getresponse()
        assert stream.status == 200
        before = event(stream)
        wanted = {"name": "large", "kind": "handler"}
        model = send("POST", "/tasks/nli/submissions", json.dumps(wanted), "application/json")
        # Larger than what nginx takes by itself, and than what it keeps in memory.
        archive = b"PK\x03\x04" + os.urandom(30_000_000)
        kept = send("PUT", f"/models/{model['id']}/artifact", archive, "application/zip")
        after = event(stream)

    assert kept["id"] == model["id"]
    # The check of the model is a job, which the stream tells of while it stays open.
    assert len(after) > len(before)


def test_only_its_own_name_is_answered_and_other_sites_are_refused(front: Front) -> None:
    other = front.ask("GET", "/api/v1/session", Host="other.example.org")
    foreign = front.ask("POST", "/api/v1/session", "{}", Origin="https://other.example.org")

    assert (other.status, foreign.status) == (421, 403)


def test_limits_count_visitors_by_their_own_address_whatever_they_claim(front: Front) -> None:
    def statuses(address: str) -> list[int]:
        return [
            front.ask(
                "GET", "/api/v1/session", address=address, X_Forwarded_For=f"198.51.100.{number}"
            ).status
            for number in range(READS + 1)
        ]

    assert statuses("127.0.0.2") == [*[200] * READS, 429]
    assert statuses("127.0.0.3") == [*[200] * READS, 429]


def test_who_comes_without_https_is_sent_there(front: Front) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", front.plain_port, timeout=WAIT_SECONDS)
    connection.request("GET", "/tasks", headers={"Host": NAME})
    answer = connection.getresponse()
    connection.close()

    assert (answer.status, answer.getheader("location")) == (301, f"https://{NAME}/tasks")
