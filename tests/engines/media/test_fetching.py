"""What strangers' addresses may make the server do: nothing but fetch a public file."""

from pathlib import Path

import pytest

from dynabench.engines.media.errors import MediaFetchError
from dynabench.engines.media.fetching import MediaFetcher
from tests.engines.inference.servers import Reply, Request, serve
from tests.factories.media import picture

pytestmark = pytest.mark.anyio

HERE = frozenset({"127.0.0.1"})


async def test_a_file_is_fetched_also_behind_a_redirect(tmp_path: Path) -> None:
    def answer(request: Request) -> Reply:
        if request.path == "/moved":
            return Reply(status=302, headers={"location": "/a.png"})
        return Reply(raw=picture())

    async with serve(answer) as server:
        await MediaFetcher(allowed_hosts=HERE).fetch(f"{server.url}/moved", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == picture()


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/a.png", "http://169.254.169.254/latest", "http://[::1]/a.png",
        "file:///etc/passwd", "http://user:secret@127.0.0.1/a.png", "https://", "http://localhost/",
        "data:image/png;base64,AAAA", "gopher://127.0.0.1/", "not an address", "http://\x00/",
    ],
)  # fmt: skip
async def test_private_and_odd_addresses_are_not_called(url: str, tmp_path: Path) -> None:
    with pytest.raises(MediaFetchError) as refused:
        await MediaFetcher().fetch(url, tmp_path / "file")
    assert not (tmp_path / "file").exists()
    assert refused.value.reason.endswith(".")


async def test_a_redirect_to_a_private_address_is_not_followed(tmp_path: Path) -> None:
    def answer(request: Request) -> Reply:
        del request
        return Reply(status=302, headers={"location": "http://127.0.0.2/secret.png"})

    async with serve(answer) as server:
        with pytest.raises(MediaFetchError, match="only public"):
            await MediaFetcher(allowed_hosts=HERE).fetch(server.url, tmp_path / "file")


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=404), "answered 404"),
        (Reply(raw=bytes(3_000_000)), "larger than 2 MB"),
        (Reply(status=301, headers={"location": "/again"}), "redirects too often"),
        (Reply(hang_up=True), "cannot be reached"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_server_that_misbehaves_is_told_of(reply: Reply, told: str, tmp_path: Path) -> None:
    async with serve(lambda _: reply) as server:
        fetcher = MediaFetcher(allowed_hosts=HERE, max_bytes=2 * 1024 * 1024, timeout_seconds=10)
        with pytest.raises(MediaFetchError, match=told):
            await fetcher.fetch(server.url, tmp_path / "file")


async def test_a_slow_server_is_not_waited_for(tmp_path: Path) -> None:
    async with serve(lambda _: Reply(raw=b"late", delay_seconds=1)) as server:
        with pytest.raises(MediaFetchError, match="did not arrive"):
            await MediaFetcher(allowed_hosts=HERE, timeout_seconds=0.1).fetch(
                server.url, tmp_path / "file"
            )
