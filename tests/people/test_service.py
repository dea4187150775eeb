import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.errors import InvalidError
from dynabench.kit.ids import new_id
from dynabench.kit.paging import BadCursorError, encode_cursor
from dynabench.people.errors import (
    AdminNeededError,
    InvitationInvalidError,
    LastAdminError,
    NameReservedError,
    TokenNotFoundError,
    UsernameTakenError,
    UserNotFoundError,
)
from dynabench.people.permissions import OPERATOR
from dynabench.people.schemas import (
    ApiTokenCreate,
    InvitationCreate,
    SignIn,
    SignUp,
    UserAdminPatch,
    UserPatch,
)
from tests.conftest import HeldClock
from tests.factories.people import PASSWORD, People, make_user

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("who", ["visitor", "person"])
async def test_only_administrators_administrate(database: Database, clock: Clock, who: str) -> None:
    people = People.over(database, clock).service
    actor = VISITOR if who == "visitor" else await make_user(database)
    refused = SignInRequiredError if who == "visitor" else AdminNeededError
    with pytest.raises(refused):
        await people.list(actor=actor, search="", cursor=None)
    with pytest.raises(refused):
        await people.administrate("ada", UserAdminPatch(is_admin=True), actor=actor)
    with pytest.raises(refused):
        await people.create_password_reset("ada", actor=actor)
    with pytest.raises(refused):
        await people.invitations(actor=actor)
    with pytest.raises(refused):
        await people.invite(InvitationCreate(), actor=actor)
    with pytest.raises(refused):
        await people.revoke_invitation(new_id(), actor=actor)


async def test_visitors_have_no_account_of_their_own(database: Database, clock: Clock) -> None:
    people = People.over(database, clock).service
    with pytest.raises(SignInRequiredError):
        await people.change_me(UserPatch(display_name="Ada"), actor=VISITOR)
    with pytest.raises(SignInRequiredError):
        await people.tokens(actor=VISITOR)
    with pytest.raises(SignInRequiredError):
        await people.create_token(ApiTokenCreate(name="laptop"), actor=VISITOR)
    with pytest.raises(SignInRequiredError):
        await people.revoke_token(new_id(), actor=VISITOR)


async def test_people_are_listed_by_name_page_by_page(database: Database, clock: Clock) -> None:
    people = People.over(database, clock).service
    names = [f"Person-{number:03}" for number in range(120)]
    for name in reversed(names):
        await make_user(database, username=name)
    seen: list[str] = []
    cursor = None
    while True:
        page = await people.list(actor=OPERATOR, search="", cursor=cursor)
        seen += [user.username for user in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == names
    with pytest.raises(BadCursorError):
        await people.list(actor=OPERATOR, search="", cursor="page two")
    beyond = encode_cursor(["\x00"])
    assert len((await people.list(actor=OPERATOR, search="", cursor=beyond)).items) in {0, 50}


@pytest.mark.parametrize(
    ("search", "found"),
    [("AD", ["ada"]), ("lovelace", ["ada"]), ("%", []), ("_", ["b_b"]), ("\x00", []), (" ", None)],
)
async def test_a_search_looks_into_both_names_and_reads_no_pattern(
    database: Database, clock: Clock, search: str, found: list[str] | None
) -> None:
    people = People.over(database, clock).service
    ada = await make_user(database, username="ada")
    await make_user(database, username="b_b")
    await people.change_me(UserPatch(display_name=" Ada Lovelace "), actor=ada)
    page = await people.list(actor=OPERATOR, search=search, cursor=None)
    assert [user.username for user in page.items] == (["ada", "b_b"] if found is None else found)


async def test_a_profile_shows_names_and_no_rights(database: Database, clock: Clock) -> None:
    people = People.over(database, clock).service
    ada = await make_user(database, username="Ada", is_admin=True)
    changed = await people.change_me(UserPatch(display_name=" Ada L. "), actor=ada)
    assert changed.display_name == "Ada L."
    assert (await people.change_me(UserPatch(), actor=ada)).display_name == "Ada L."
    profile = await people.profile("aDa")
    assert (profile.username, profile.display_name) == ("Ada", "Ada L.")
    assert set(profile.model_dump()) == {"username", "display_name", "created_at"}
    with pytest.raises(UserNotFoundError):
        await people.profile("nobody")


async def test_people_see_and_revoke_their_own_tokens_only(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock).service
    ada, eve = await make_user(database), await make_user(database)
    made = await people.create_token(ApiTokenCreate(name="laptop"), actor=ada)
    assert "secret" not in (await people.tokens(actor=ada))[0].model_dump()
    assert await people.tokens(actor=eve) == []
    with pytest.raises(TokenNotFoundError):
        await people.revoke_token(made.id, actor=eve)
    await people.revoke_token(made.id, actor=ada)
    assert await people.tokens(actor=ada) == []
    with pytest.raises(TokenNotFoundError):
        await people.revoke_token(made.id, actor=ada)


async def test_the_last_administrator_stays_one(database: Database, clock: HeldClock) -> None:
    people = People.over(database, clock).service
    root = await make_user(database, username="root", is_admin=True)
    await make_user(database, username="ada")
    for patch in (UserAdminPatch(is_admin=False), UserAdminPatch(is_disabled=True)):
        with pytest.raises(LastAdminError):
            await people.administrate("root", patch, actor=root)
    assert (await people.administrate("ada", UserAdminPatch(is_admin=True), actor=root)).is_admin
    changed = await people.administrate("root", UserAdminPatch(is_admin=False), actor=root)
    assert not changed.is_admin
    with pytest.raises(UserNotFoundError):
        await people.administrate("nobody", UserAdminPatch(), actor=OPERATOR)


async def test_a_disabled_account_keeps_the_time_it_was_disabled(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock).service
    await make_user(database, username="ada")
    since = clock.now()
    await people.administrate("ada", UserAdminPatch(is_disabled=True), actor=OPERATOR)
    clock.advance(days=1)
    again = await people.administrate("ada", UserAdminPatch(is_disabled=True), actor=OPERATOR)
    assert again.disabled_at == since


async def test_an_invitation_is_taken_back_only_while_it_is_open(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock).service
    root = await make_user(database, is_admin=True)
    made = await people.invite(InvitationCreate(note="for Ada"), actor=root)
    (shown,) = await people.invitations(actor=root)
    assert (shown.id, shown.note, shown.accepted_by) == (made.id, "for Ada", None)
    await people.revoke_invitation(made.id, actor=root)
    with pytest.raises(InvitationInvalidError):
        await people.revoke_invitation(made.id, actor=root)
    assert await people.invitations(actor=root) == []


async def test_the_operator_makes_accounts_that_can_sign_in(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    made = await people.service.create_user("ada", is_admin=True, display_name="Ada")
    assert made.user.is_admin
    body = SignIn(username="ada", password=made.password)
    signed_in = await people.sign_ins.sign_in(body, address="")
    assert signed_in.session.user == made.user
    with pytest.raises(UsernameTakenError):
        await people.service.create_user("ADA")


@pytest.mark.parametrize(
    ("username", "password", "field"),
    [("a", None, "username"), ("with space", None, "username"), ("ada", "short", "password")],
)
async def test_an_account_that_cannot_be_used_is_refused_with_its_field(
    database: Database, clock: Clock, username: str, password: str | None, field: str
) -> None:
    people = People.over(database, clock).service
    with pytest.raises(InvalidError) as refused:
        await people.create_user(username, password=password)
    assert set(refused.value.fields) == {field}


async def test_an_administrator_is_made_once(database: Database, clock: Clock) -> None:
    people = People.over(database, clock).service
    first = await people.ensure_admin()
    assert first is not None
    assert first.user.username == "admin"
    assert await people.ensure_admin() is None


async def test_an_administrator_is_not_made_out_of_somebody_else(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock).service
    await make_user(database, username="admin")
    with pytest.raises(UsernameTakenError):
        await people.ensure_admin()
    assert await people.ensure_admin("operator") is not None


async def test_an_actor_whose_account_is_gone_is_not_found(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock).service
    with pytest.raises(UserNotFoundError):
        await people.change_me(UserPatch(), actor=Actor(user_id=new_id(), username="ada"))


@pytest.mark.parametrize("field", ["username", "display_name"])
async def test_nobody_signs_up_under_the_platform_s_own_name(
    database: Database, clock: Clock, field: str
) -> None:
    people = People.over(database, clock)
    names = {"username": "ada", "display_name": "Ada"} | {field: "Ad-min"}
    with pytest.raises(NameReservedError) as refused:
        await people.sign_ins.sign_up(SignUp(password=PASSWORD, **names), address="192.0.2.1")
    assert set(refused.value.fields) == {field}


async def test_a_person_is_not_shown_as_the_platform_but_an_administrator_may_be(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock).service
    change = UserPatch(display_name="Suppоrt")
    with pytest.raises(NameReservedError):
        await people.change_me(change, actor=await make_user(database))
    shown = await people.change_me(change, actor=await make_user(database, is_admin=True))
    assert shown.display_name == "Suppоrt"


async def test_the_operator_gives_no_name_that_is_a_path(database: Database, clock: Clock) -> None:
    people = People.over(database, clock).service
    with pytest.raises(NameReservedError):
        await people.create_user("me")
    assert (await people.create_user("admin", is_admin=True)).user.is_admin


@pytest.mark.parametrize("patch", [{"is_disabled": True}, {"is_admin": False}])
async def test_invitations_of_a_former_administrator_end(
    database: Database, clock: Clock, patch: dict[str, bool]
) -> None:
    people = People.over(database, clock)
    root = await make_user(database, username="root", is_admin=True)
    eve = await make_user(database, username="eve", is_admin=True)
    kept = await people.service.invite(InvitationCreate(note="kept"), actor=root)
    made = await people.service.invite(InvitationCreate(note="gone"), actor=eve)
    await people.service.administrate("eve", UserAdminPatch.model_validate(patch), actor=root)
    assert [one.id for one in await people.service.invitations(actor=root)] == [kept.id]
    body = SignUp(username="mallory", password=PASSWORD, invitation=made.path.rpartition("=")[2])
    with pytest.raises(InvitationInvalidError):
        await people.sign_ins.sign_up(body, address="192.0.2.1")
