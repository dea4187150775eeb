"""A bucket on loopback."""

from collections.abc import Iterator
from itertools import count
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

_names = count()


@pytest.fixture(scope="session")
def moto_endpoint() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(moto_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a fresh, empty bucket; the variables are as an operator sets them."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    name = f"bucket-{next(_names)}"
    # The server is the one above, on loopback.
    with urlopen(Request(f"{moto_endpoint}/{name}", method="PUT")) as answer:  # noqa: S310
        assert answer.status == 200
    return f"s3://{name}/below/it"
