"""A submitted address is checked when it is handed in, and each time that it is called."""

import socket
from pathlib import Path

import pytest

from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.kit.db.database import Database
from dynabench.loop.models.addresses.service import target_factory
from dynabench.loop.models.errors import (
    ModelOptionsError,
    PrivateAddressError,
)
from dynabench.loop.models.values import ModelKind, ModelStatus
from tests.conftest import HeldClock
from tests.factories.people import make_user
from tests.factories.submissions import Desk
from tests.factories.tasks import make_task

OPTIONS: dict[ModelKind, dict[str, object]] = {
    ModelKind.ENDPOINT: {"url": "http://models.example:9/v2/models/nli"},
    ModelKind.OPENAI: {
        "base_url": "http://models.example:9/v1",
        "model": "m",
        "prompt": "{premise} {hypothesis}",
    },
}


@pytest.mark.parametrize("host", ["0177.0.0.1", "①②⑦.⓪.⓪.①", "[v1.a]"])
@pytest.mark.parametrize(
    ("kind", "option"), [(ModelKind.ENDPOINT, "url"), (ModelKind.OPENAI, "base_url")]
)
@pytest.mark.parametrize("is_admin", [False, True])
async def test_what_is_no_address_is_told_at_its_option(
    database: Database,
    clock: HeldClock,
    tmp_path: Path,
    host: str,
    kind: ModelKind,
    option: str,
    *,
    is_admin: bool,
) -> None:
    desk = Desk.of(database, clock, await make_task(database), tmp_path)
    ada = await make_user(database, is_admin=is_admin)
    address = str(OPTIONS[kind][option]).replace("models.example", host)

    with pytest.raises(ModelOptionsError) as refused:
        await desk.submit(ada, kind=kind, options=OPTIONS[kind] | {option: address})

    assert set(refused.value.fields) == {f"options.{option}"}


@pytest.mark.parametrize("kind", list(OPTIONS))
async def test_a_name_that_turns_private_once_it_was_taken_is_never_called(
    database: Database,
    clock: HeldClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: ModelKind,
) -> None:
    factory = target_factory(HttpSettings())
    desk = Desk.of(database, clock, await make_task(database), tmp_path, factory=factory)
    ada = await make_user(database)
    asked: list[str] = []

    def resolve(address: str) -> None:
        def lookup(host: object, port: object, *_: object, **__: object) -> object:
            asked.append(str(host))
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

        monkeypatch.setattr(socket, "getaddrinfo", lookup)

    resolve("10.0.0.1")
    with pytest.raises(PrivateAddressError):
        await desk.submit(ada, kind=kind, options=OPTIONS[kind])
    resolve("1.1.1.1")
    model = await desk.submit(ada, kind=kind, options=OPTIONS[kind])
    resolve("127.0.0.1")

    assert await desk.check(model.id) is ModelStatus.REJECTED

    rejected = await desk.models.read(model.id, actor=ada)
    assert "private or local address" in (rejected.rejection or "")
    assert set(asked) == {"models.example"}
