import pytest
from sqlalchemy import event

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.people.authentication.service import Authenticator
from dynabench.people.permissions import OPERATOR
from dynabench.people.schemas import ApiTokenCreate, SignUp, UserAdminPatch
from dynabench.people.values import TokenScope
from tests.conftest import HeldClock
from tests.factories.people import PASSWORD, People, make_user

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio


@pytest.fixture
def statements(database: Database) -> list[str]:
    """What was asked of the database, as it is asked."""
    seen: list[str] = []

    def note(*arguments: object) -> None:
        seen.append(str(arguments[2]))

    event.listen(database._reading.sync_engine, "before_cursor_execute", note)
    return seen


async def _session(people: People, username: str = "ada") -> str:
    body = SignUp(username=username, password=PASSWORD)
    return (await people.sign_ins.sign_up(body, address="192.0.2.1")).secret


async def test_a_token_acts_for_its_owner_within_its_scope(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    ada = await make_user(database, username="ada")
    for scope in TokenScope:
        token = await people.service.create_token(
            ApiTokenCreate(name="laptop", scope=scope), actor=ada
        )
        assert token.secret.startswith("dyb_")
        actor = await people.authenticator.identify_token(token.secret)
        assert actor is not None
        assert (actor.user_id, actor.username) == (ada.user_id, "ada")
        assert actor.is_read_only == (scope is TokenScope.READ)


@pytest.mark.parametrize("secret", ["", "dyb_unknown", "\ud800", "\x00", "x" * 100_000])
async def test_an_unknown_secret_is_nobodys(database: Database, clock: Clock, secret: str) -> None:
    authenticator = Authenticator(database, clock)
    assert await authenticator.identify_token(secret) is None
    assert await authenticator.identify_session(secret) is None


async def test_a_session_is_no_token_and_a_token_is_no_session(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    secret = await _session(people)
    actor = await people.authenticator.identify_session(secret)
    assert actor is not None
    token = await people.service.create_token(ApiTokenCreate(name="laptop"), actor=actor)
    assert await people.authenticator.identify_token(token.secret) is not None
    assert await people.authenticator.identify_token(secret) is None
    assert await people.authenticator.identify_session(token.secret) is None


async def test_a_busy_client_costs_no_query_for_five_seconds(
    database: Database, clock: HeldClock, statements: list[str]
) -> None:
    people = People.over(database, clock)
    secret = await _session(people)
    await people.authenticator.identify_session(secret)
    statements.clear()
    for _ in range(100):
        await people.authenticator.identify_session(secret)
    assert statements == []
    clock.advance(seconds=5)
    await people.authenticator.identify_session(secret)
    assert len(statements) == 1


async def test_a_session_lasts_thirty_days_after_its_last_use(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    secret = await _session(people)
    for _ in range(3):
        clock.advance(days=29)
        assert await people.authenticator.identify_session(secret) is not None
    clock.advance(days=30)
    assert await people.authenticator.identify_session(secret) is None


async def test_the_use_of_a_token_is_noted_at_most_once_a_minute(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    ada = await make_user(database)
    token = await people.service.create_token(ApiTokenCreate(name="laptop"), actor=ada)
    first = clock.now()
    await people.authenticator.identify_token(token.secret)
    clock.advance(seconds=30)
    await people.authenticator.identify_token(token.secret)
    (shown,) = await people.service.tokens(actor=ada)
    assert shown.last_used_at == first
    clock.advance(seconds=30)
    await people.authenticator.identify_token(token.secret)
    (shown,) = await people.service.tokens(actor=ada)
    assert shown.last_used_at == clock.now()


async def test_a_token_ends_on_its_day_even_while_it_is_remembered(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    ada = await make_user(database)
    token = await people.service.create_token(
        ApiTokenCreate(name="laptop", expires_in_days=1), actor=ada
    )
    clock.advance(hours=23, minutes=59, seconds=58)
    assert await people.authenticator.identify_token(token.secret) is not None
    clock.advance(seconds=2)
    assert await people.authenticator.identify_token(token.secret) is None


async def test_a_revoked_token_and_a_disabled_owner_count_at_once(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    ada = await make_user(database, username="ada")
    gone = await people.service.create_token(ApiTokenCreate(name="old"), actor=ada)
    kept = await people.service.create_token(ApiTokenCreate(name="new"), actor=ada)
    for token in (gone, kept):
        assert await people.authenticator.identify_token(token.secret) is not None
    await people.service.revoke_token(gone.id, actor=ada)
    assert await people.authenticator.identify_token(gone.secret) is None
    assert await people.authenticator.identify_token(kept.secret) is not None
    await people.service.administrate("ada", UserAdminPatch(is_disabled=True), actor=OPERATOR)
    assert await people.authenticator.identify_token(kept.secret) is None


async def test_another_process_believes_a_revoked_token_for_five_seconds_at_most(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    other = Authenticator(database, clock)
    ada = await make_user(database)
    token = await people.service.create_token(ApiTokenCreate(name="laptop"), actor=ada)
    assert await other.identify_token(token.secret) is not None
    await people.service.revoke_token(token.id, actor=ada)
    clock.advance(seconds=5)
    assert await other.identify_token(token.secret) is None


async def test_what_is_forgotten_while_it_is_read_is_not_remembered(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People.over(database, clock)
    secret = await _session(people)
    remember = people.authenticator._remember

    def forget_first(*arguments: object, **named: object) -> object:
        people.authenticator.forget_everything_of(new_id())
        # The arguments are passed on as they came.
        return remember(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(people.authenticator, "_remember", forget_first)
    assert await people.authenticator.identify_session(secret) is not None
    assert not people.authenticator._known


async def test_the_memory_is_bounded(database: Database, clock: Clock) -> None:
    people = People.over(database, clock)
    small = Authenticator(database, clock, remembers=2)
    for name in ("ada", "bob", "eve"):
        assert await small.identify_session(await _session(people, name)) is not None
    assert len(small._known) == 2
