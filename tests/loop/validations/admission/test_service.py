"""People who made their accounts themselves: when they may judge, and whom not."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.app.wiring import wire
from dynabench.kit.actor import Actor
from dynabench.kit.settings import Registration, Settings
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.errors import AccountTooNewError
from dynabench.people.schemas import InvitationCreate, SignUp
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService
from tests.conftest import HeldClock
from tests.factories.examples import Stage, build_by_name, make_stage
from tests.factories.people import PASSWORD, make_user
from tests.factories.tasks import add_member
from tests.factories.validations import lent


@pytest.fixture
async def stage(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Stage]:
    """An installation that others reach, whose operator lets anybody sign up."""
    settings = Settings(
        database_url=database_url,
        home=tmp_path,
        host="0.0.0.0",  # noqa: S104 - nothing listens
        registration=Registration.OPEN,
        database_pool_size=6,
    )
    wiring = wire(settings, clock=clock, factory=build_by_name, fold_patience_seconds=0)
    yield await make_stage(wiring, clock)
    await wiring.close()


async def _sign_up(
    stage: Stage, name: str, *, address: str, invitation: str | None = None
) -> Actor:
    body = SignUp(username=name, password=PASSWORD, invitation=invitation)
    made = await stage.wiring.get(SignInService).sign_up(body, address=address)
    assert made.session.user is not None
    return Actor(user_id=made.session.user.id, username=name)


async def test_an_account_that_a_person_made_waits_before_it_judges(
    stage: Stage, clock: HeldClock
) -> None:
    example = await stage.write()
    ada = await _sign_up(stage, "ada", address="203.0.113.7")

    with pytest.raises(AccountTooNewError, match="in 60 minutes"):
        await lent(stage, ada)
    clock.advance(minutes=59, seconds=30)
    with pytest.raises(AccountTooNewError, match="in 1 minute\\."):
        await lent(stage, ada)
    clock.advance(minutes=1)
    assert await lent(stage, ada) == [example.id]


async def test_accounts_made_from_one_address_do_not_judge_each_other(
    stage: Stage, clock: HeldClock
) -> None:
    author = await _sign_up(stage, "author", address="203.0.113.7")
    accomplice = await _sign_up(stage, "accomplice", address="203.0.113.7")
    stranger = await _sign_up(stage, "stranger", address="203.0.113.8")
    clock.advance(days=2)
    late = await _sign_up(stage, "late", address="203.0.113.7")
    clock.advance(hours=2)
    example = await stage.write(by=author)

    assert await lent(stage, accomplice) == []
    assert await lent(stage, stranger) == [example.id]
    assert await lent(stage, late) == [example.id]


async def test_people_behind_this_machines_own_address_are_not_taken_for_one(
    stage: Stage, clock: HeldClock
) -> None:
    author = await _sign_up(stage, "author", address="127.0.0.1")
    other = await _sign_up(stage, "other", address="127.0.0.1")
    clock.advance(hours=2)
    example = await stage.write(by=author)
    assert await lent(stage, other) == [example.id]


async def test_who_was_let_in_by_somebody_judges_at_once(stage: Stage) -> None:
    author = await _sign_up(stage, "author", address="203.0.113.7")
    example = await stage.write(by=author)
    admin = await make_user(stage.db, is_admin=True, clock=stage.clock)
    invited = await stage.wiring.get(PeopleService).invite(InvitationCreate(), actor=admin)
    secret = invited.path.rsplit("/", 1)[-1].rsplit("=", 1)[-1]
    guest = await _sign_up(stage, "guest", address="203.0.113.7", invitation=secret)
    member = await _sign_up(stage, "member", address="203.0.113.7")
    await add_member(stage.db, stage.task, member, TaskRole.ANNOTATOR, clock=stage.clock)

    assert await lent(stage, guest) == [example.id]
    assert await lent(stage, member) == [example.id]


async def test_the_address_itself_is_stored_nowhere(stage: Stage, tmp_path: Path) -> None:
    await _sign_up(stage, "ada", address="203.0.113.7")
    async with stage.db.read() as session:
        rows = (await session.exec_driver_sql("SELECT u::text FROM users u")).scalars().all()
    assert all("203.0.113.7" not in row for row in rows)
    key = tmp_path / "address-key"
    assert len(key.read_bytes()) == 32
    assert key.stat().st_mode & 0o077 == 0
