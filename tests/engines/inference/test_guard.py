"""No disguise of a private address is called, and a checked name stays checked."""

import ipaddress
import socket
from collections.abc import Callable

import httpx2
import pytest

from dynabench.engines.inference.endpoint import EndpointTarget
from dynabench.engines.inference.errors import AddressRefusedError, TargetUnavailableError
from dynabench.engines.inference.guard import GuardedTransport, checked_addresses, is_public
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.protocol import TargetSpec
from tests.engines.inference.servers import Reply, Request, serve

pytestmark = pytest.mark.anyio


def neutral(_request: Request) -> Reply:
    label = {"name": "label", "datatype": "BYTES", "shape": [1], "data": ["neutral"]}
    return Reply(body={"outputs": [label]})


def endpoint(url: str, *allowed_hosts: str) -> EndpointTarget:
    spec = TargetSpec(
        kind="endpoint",
        name="Remote",
        input_names=("text",),
        output_names=("label",),
        options={"url": url, "model": "nli"},
    )
    return EndpointTarget(spec, settings=HttpSettings(allowed_hosts=frozenset(allowed_hosts)))


def resolver(*addresses: str) -> Callable[..., object]:
    def resolve(_host: object, port: object, *_rest: object, **_named: object) -> object:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
        ]

    return resolve


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1",
    ],
)  # fmt: skip
def test_no_disguise_makes_a_private_address_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_pass(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://0x7f.1/",
        "http://2130706433/", "file:///etc/passwd", "ftp://1.1.1.1/", "http://user:pw@1.1.1.1/",
        "http://169.254.169.254/latest", "http:///nothing", "http://0177.0.0.1/",
        "http://①②⑦.⓪.⓪.①/", "http://[::1/", "http://[v1.a]/",
    ],
)  # fmt: skip
async def test_a_refused_address_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolver("127.0.0.1"))
    with pytest.raises(AddressRefusedError):
        await checked_addresses(url)


@pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".example"])
async def test_a_name_that_cannot_be_asked_for_does_not_resolve(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lookup(name: str, *_: object, **__: object) -> object:
        # What the real one does first.
        return name.encode("idna")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(httpx2.ConnectError):
        await checked_addresses(f"http://{host}/")


async def test_one_private_address_among_public_ones_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolver("1.1.1.1", "10.0.0.1"))
    with pytest.raises(AddressRefusedError, match="private or local"):
        await checked_addresses("https://models.example/")


async def test_a_name_that_turns_private_after_the_check_is_not_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve(neutral) as server:
        port = httpx2.URL(server.url).port
        monkeypatch.setattr(socket, "getaddrinfo", resolver("127.0.0.1"))
        target = endpoint(f"http://models.example:{port}")
        with pytest.raises(TargetUnavailableError, match="private or local"):
            await target.predict([{"text": "p"}])
        await target.close()
        assert server.requests == []


async def test_a_name_is_looked_up_once_and_called_where_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([["1.1.1.1"], ["127.0.0.1"]])
    called: list[str] = []

    def rebinding(*arguments: object, **named: object) -> object:
        return resolver(*next(answers))(*arguments, **named)

    async def connect(_self: object, request: httpx2.Request) -> httpx2.Response:
        called.append(request.url.host)
        raise httpx2.ConnectError("nobody is there")

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", connect)
    transport = GuardedTransport()
    request = httpx2.Request("POST", "http://models.example/v2/models/nli/infer")
    with pytest.raises(httpx2.ConnectError):
        await transport.handle_async_request(request)
    assert called == ["1.1.1.1"]
    again = httpx2.Request("POST", "http://models.example/v2/models/nli/infer")
    with pytest.raises(AddressRefusedError):
        await transport.handle_async_request(again)
    assert called == ["1.1.1.1"]


async def test_a_redirect_is_not_followed_wherever_it_leads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve(neutral) as inside:

        def elsewhere(_request: Request) -> Reply:
            return Reply(status=307, headers={"location": f"{inside.url}/v2/models/nli/infer"})

        async with serve(elsewhere) as outside:
            host = f"models.example:{httpx2.URL(outside.url).port}"
            monkeypatch.setattr(socket, "getaddrinfo", resolver("127.0.0.1"))
            # Even the place that it leads to is one that may be called.
            target = endpoint(f"http://{host}", host, "127.0.0.1")
            with pytest.raises(TargetUnavailableError, match="redirects elsewhere"):
                await target.predict([{"text": "p"}])
            await target.close()
            assert outside.requests
        assert inside.requests == []


async def test_an_allowed_host_is_called_at_its_checked_address_under_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve(neutral) as server:
        host = f"models.example:{httpx2.URL(server.url).port}"
        monkeypatch.setattr(socket, "getaddrinfo", resolver("127.0.0.1"))
        target = endpoint(f"http://{host}", host)
        (prediction,) = await target.predict([{"text": "p"}])
        await target.close()
    assert prediction.outputs == {"label": "neutral"}
    assert server.requests[0].headers["host"] == host


async def test_a_name_that_does_not_resolve_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_named: object) -> object:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    target = endpoint("http://models.example")
    with pytest.raises(TargetUnavailableError, match="cannot be reached"):
        await target.predict([{"text": "p"}])
    await target.close()


async def test_the_next_address_is_tried_where_one_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve(neutral) as server:
        host = f"models.example:{httpx2.URL(server.url).port}"
        # The server listens on 127.0.0.1 alone.
        monkeypatch.setattr(socket, "getaddrinfo", resolver("127.0.0.9", "127.0.0.1"))
        target = endpoint(f"http://{host}", host)
        (prediction,) = await target.predict([{"text": "p"}])
        await target.close()
    assert prediction.outputs == {"label": "neutral"}
    assert [one.method for one in server.requests] == ["GET", "POST"]
