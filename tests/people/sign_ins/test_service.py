import asyncio

import pytest

from dynabench.kit.actor import VISITOR, SignInRequiredError
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.rate_limits.errors import TooOftenError
from dynabench.kit.settings import Registration
from dynabench.people.errors import (
    InvitationInvalidError,
    InvitationNeededError,
    PasswordResetInvalidError,
    TooManySignInsError,
    UsernameTakenError,
    WrongPasswordError,
)
from dynabench.people.permissions import OPERATOR
from dynabench.people.schemas import (
    InvitationCreate,
    PasswordChange,
    PasswordReset,
    SignIn,
    SignUp,
    UserAdminPatch,
)
from tests.conftest import HeldClock
from tests.factories.people import PASSWORD, People, make_user

ADDRESS = "192.0.2.7"
WRONG = "not the password"


def _sign_up(username: str = "Ada", *, invitation: str | None = None) -> SignUp:
    return SignUp(username=username, password=PASSWORD, invitation=invitation)


def _sign_in(username: str = "ada", *, password: str = PASSWORD) -> SignIn:
    return SignIn(username=username, password=password)


async def _fail(people: People, *, times: int, username: str = "ada") -> None:
    for _ in range(times):
        with pytest.raises(WrongPasswordError):
            await people.sign_ins.sign_in(_sign_in(username, password=WRONG), address=ADDRESS)


async def _invite(people: People) -> str:
    created = await people.service.invite(InvitationCreate(note="for Ada"), actor=OPERATOR)
    return created.path.rpartition("=")[2]


async def test_who_signs_up_is_signed_in_and_can_sign_in_again(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("Ada"), address="192.0.2.1")
    assert made.session.user is not None
    assert made.session.user.username == "Ada"
    assert not made.session.user.is_admin
    again = await people.sign_ins.sign_in(_sign_in("aDA"), address=ADDRESS)
    assert again.secret != made.secret
    for signed_in in (made, again):
        actor = await people.authenticator.identify_session(signed_in.secret)
        assert actor is not None
        assert actor.user_id == made.session.user.id


async def test_a_visitor_is_nobody_and_learns_who_may_register(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock, registration=Registration.INVITED)
    described = await people.sign_ins.describe(VISITOR)
    assert described.user is None
    assert described.registration == "invited"


async def test_a_name_is_taken_in_any_case_even_by_two_at_once(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    results = await asyncio.gather(
        people.sign_ins.sign_up(_sign_up("Ada"), address="192.0.2.1"),
        people.sign_ins.sign_up(_sign_up("ADA"), address="192.0.2.1"),
        return_exceptions=True,
    )
    assert sum(isinstance(result, UsernameTakenError) for result in results) == 1
    with pytest.raises(UsernameTakenError) as refused:
        await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    assert "username" in refused.value.fields


async def test_wrong_names_and_wrong_passwords_are_refused_alike(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    await make_user(database, username="pseudonym", is_synthetic=True)
    sentences = set()
    for username in ("ada", "nobody", "pseudonym", "ada\x00"):
        with pytest.raises(WrongPasswordError) as refused:
            await people.sign_ins.sign_in(_sign_in(username, password=WRONG), address=ADDRESS)
        sentences.add(refused.value.message)
    assert len(sentences) == 1


async def test_a_disabled_account_cannot_sign_in_until_it_is_enabled(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    disabled = await people.service.administrate(
        "ada", UserAdminPatch(is_disabled=True), actor=OPERATOR
    )
    assert disabled.disabled_at == clock.now()
    assert await people.authenticator.identify_session(made.secret) is None
    with pytest.raises(WrongPasswordError):
        await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)
    await people.service.administrate("ada", UserAdminPatch(is_disabled=False), actor=OPERATOR)
    await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)


async def test_after_ten_failures_even_the_right_password_waits(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    await _fail(people, times=10)
    with pytest.raises(TooManySignInsError) as refused:
        await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)
    assert refused.value.facts == {"minutes": 2}
    assert refused.value.retry_after_seconds == 120
    await people.sign_ins.sign_in(_sign_in(), address="192.0.2.8")
    clock.advance(minutes=2)
    await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)


async def test_one_address_does_not_try_a_password_on_every_name(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    for number in range(50):
        await _fail(people, times=1, username=f"name-{number}")
    for username in ("one-more", "ada"):
        with pytest.raises(TooManySignInsError):
            await people.sign_ins.sign_in(_sign_in(username), address=ADDRESS)
    await people.sign_ins.sign_in(_sign_in(), address="192.0.2.8")


async def test_one_network_of_long_addresses_is_one_sender(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    sign_in = _sign_in("ada", password=WRONG)
    for number in range(10):
        with pytest.raises(WrongPasswordError):
            await people.sign_ins.sign_in(sign_in, address=f"2001:db8::{number + 1}")
    with pytest.raises(TooManySignInsError):
        await people.sign_ins.sign_in(sign_in, address="2001:db8::ffff")


async def test_a_class_that_signs_in_together_is_not_counted_as_an_attack(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    names = [f"pupil-{number}" for number in range(55)]
    for name in names:
        await people.sign_ins.sign_up(_sign_up(name), address=ADDRESS)
    for name in [*names, *names]:
        await people.sign_ins.sign_in(_sign_in(name), address=ADDRESS)


async def test_accounts_from_one_address_come_at_a_rate(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock)
    for number in range(60):
        await people.sign_ins.sign_up(_sign_up(f"account-{number}"), address=ADDRESS)
    with pytest.raises(TooOftenError) as refused:
        await people.sign_ins.sign_up(_sign_up("one-more"), address=ADDRESS)
    assert refused.value.retry_after_seconds == 60
    invited = _sign_up("invited", invitation=await _invite(people))
    await people.sign_ins.sign_up(invited, address=ADDRESS)
    await people.sign_ins.sign_up(_sign_up("elsewhere"), address="192.0.2.8")
    await people.sign_ins.sign_up(_sign_up("here"), address="127.0.0.1")


async def test_a_success_forgets_the_failures_before_it(database: Database, clock: Clock) -> None:
    people = People.over(database, clock)
    await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    for _ in range(2):
        await _fail(people, times=9)
        await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)


async def test_many_attempts_at_once_are_no_more_than_many_in_a_row(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    attempts = (
        people.sign_ins.sign_in(_sign_in("nobody", password=WRONG), address=ADDRESS)
        for _ in range(14)
    )
    results = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(result, WrongPasswordError) for result in results) == 10
    assert sum(isinstance(result, TooManySignInsError) for result in results) == 4


async def test_where_accounts_are_by_invitation_each_invitation_makes_one(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock, registration=Registration.INVITED)
    with pytest.raises(InvitationNeededError):
        await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    invitation = await _invite(people)
    made = await people.sign_ins.sign_up(
        _sign_up("ada", invitation=invitation), address="192.0.2.1"
    )
    assert made.session.user is not None
    with pytest.raises(InvitationInvalidError):
        await people.sign_ins.sign_up(_sign_up("eve", invitation=invitation), address="192.0.2.1")
    (shown,) = await people.service.invitations(actor=OPERATOR)
    assert (shown.accepted_by, shown.accepted_at) == ("ada", clock.now())


async def test_one_invitation_used_twice_at_once_makes_one_account(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock, registration=Registration.INVITED)
    invitation = await _invite(people)
    results = await asyncio.gather(
        *(
            people.sign_ins.sign_up(_sign_up(name, invitation=invitation), address="192.0.2.1")
            for name in ("ada", "eve", "bob")
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(result, InvitationInvalidError) for result in results) == 2
    assert len((await people.service.list(actor=OPERATOR, search="", cursor=None)).items) == 1


async def test_an_invitation_ends_after_two_weeks_and_a_taken_name_does_not_use_it_up(
    database: Database, clock: HeldClock
) -> None:
    people = People.over(database, clock, registration=Registration.INVITED)
    invitation = await _invite(people)
    await make_user(database, username="ada")
    with pytest.raises(UsernameTakenError):
        await people.sign_ins.sign_up(_sign_up("ada", invitation=invitation), address="192.0.2.1")
    clock.advance(days=13)
    await people.sign_ins.sign_up(_sign_up("eve", invitation=invitation), address="192.0.2.1")
    late = await _invite(people)
    clock.advance(days=14)
    with pytest.raises(InvitationInvalidError):
        await people.sign_ins.sign_up(_sign_up("bob", invitation=late), address="192.0.2.1")


async def test_signing_out_ends_the_session_at_once(database: Database, clock: Clock) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up(), address="192.0.2.1")
    assert await people.authenticator.identify_session(made.secret) is not None
    await people.sign_ins.sign_out(made.secret)
    assert await people.authenticator.identify_session(made.secret) is None
    await people.sign_ins.sign_out(made.secret)
    await people.sign_ins.sign_out(None)
    await people.sign_ins.sign_out("x" * 100_000)


async def test_a_new_password_ends_every_session_but_the_one_it_was_set_in(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    here = await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    elsewhere = await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)
    actor = await people.authenticator.identify_session(here.secret)
    assert actor is not None
    change = PasswordChange(current_password=PASSWORD, new_password="another good one")
    await people.sign_ins.change_password(change, actor=actor, keep=here.secret)
    assert await people.authenticator.identify_session(here.secret) is not None
    assert await people.authenticator.identify_session(elsewhere.secret) is None
    with pytest.raises(WrongPasswordError):
        await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)
    await people.sign_ins.sign_in(_sign_in(password="another good one"), address=ADDRESS)


async def test_a_new_password_needs_the_old_one_and_few_guesses(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    actor = await people.authenticator.identify_session(made.secret)
    assert actor is not None
    change = PasswordChange(current_password=WRONG, new_password="another good one")
    with pytest.raises(SignInRequiredError):
        await people.sign_ins.change_password(change, actor=VISITOR, keep=None)
    for _ in range(10):
        with pytest.raises(WrongPasswordError):
            await people.sign_ins.change_password(change, actor=actor, keep=None)
    with pytest.raises(TooManySignInsError):
        await people.sign_ins.change_password(change, actor=actor, keep=None)


async def test_a_reset_link_sets_a_password_once_and_ends_every_session(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    await _fail(people, times=10)
    first = await people.service.create_password_reset("ada", actor=OPERATOR)
    second = await people.service.create_password_reset("ada", actor=OPERATOR)
    body = PasswordReset(new_password="another good one")
    with pytest.raises(PasswordResetInvalidError):
        await people.sign_ins.reset_password(first.path.rpartition("/")[2], body)
    secret = second.path.rpartition("/")[2]
    await people.sign_ins.reset_password(secret, body)
    assert await people.authenticator.identify_session(made.secret) is None
    await people.sign_ins.sign_in(_sign_in(password="another good one"), address=ADDRESS)
    with pytest.raises(PasswordResetInvalidError):
        await people.sign_ins.reset_password(secret, body)


async def test_a_reset_link_ends_after_a_day(database: Database, clock: HeldClock) -> None:
    people = People.over(database, clock)
    await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    made = await people.service.create_password_reset("ada", actor=OPERATOR)
    clock.set(made.expires_at)
    with pytest.raises(PasswordResetInvalidError):
        await people.sign_ins.reset_password(
            made.path.rpartition("/")[2], PasswordReset(new_password="another good one")
        )


async def test_purging_keeps_what_still_counts(database: Database, clock: HeldClock) -> None:
    people = People.over(database, clock)
    old = await people.sign_ins.sign_up(_sign_up("ada"), address="192.0.2.1")
    clock.advance(days=29)
    fresh = await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)
    await _fail(people, times=10)
    clock.advance(days=1)
    await people.sign_ins.purge()
    assert await people.authenticator.identify_session(fresh.secret) is not None
    assert await people.authenticator.identify_session(old.secret) is None
    await people.sign_ins.sign_in(_sign_in(), address=ADDRESS)
