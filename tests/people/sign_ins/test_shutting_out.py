"""Who a new password shuts out, and what a token can give away."""

import pytest

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.people.errors import TokenOutlivesError
from dynabench.people.permissions import OPERATOR
from dynabench.people.schemas import ApiTokenCreate, PasswordChange, PasswordReset, SignUp
from tests.conftest import HeldClock
from tests.factories.people import PASSWORD, People

ADDRESS = "192.0.2.1"


def _sign_up(username: str) -> SignUp:
    return SignUp(username=username, password=PASSWORD)


async def _token(people: People, secret: str, **fields: object) -> str:
    actor = await people.authenticator.identify_session(secret)
    assert actor is not None
    body = ApiTokenCreate.model_validate({"name": "a program", **fields})
    return (await people.service.create_token(body, actor=actor)).secret


async def test_whoever_changes_a_password_shuts_programs_out_too(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address=ADDRESS)
    token = await _token(people, made.secret)
    actor = await people.authenticator.identify_session(made.secret)
    assert actor is not None
    kept = PasswordChange(
        current_password=PASSWORD, new_password="another good one", keep_tokens=True
    )
    await people.sign_ins.change_password(kept, actor=actor, keep=made.secret)
    assert await people.authenticator.identify_token(token) is not None
    change = PasswordChange(current_password="another good one", new_password="a third good one")
    await people.sign_ins.change_password(change, actor=actor, keep=made.secret)
    assert await people.authenticator.identify_token(token) is None


async def test_a_program_that_changes_the_password_shuts_out_all_but_itself(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address=ADDRESS)
    parent = await people.authenticator.identify_token(await _token(people, made.secret))
    assert parent is not None
    body = ApiTokenCreate(name="made with a token")
    token = (await people.service.create_token(body, actor=parent)).secret
    actor = await people.authenticator.identify_token(token)
    assert actor is not None
    change = PasswordChange(current_password=PASSWORD, new_password="another good one")
    await people.sign_ins.change_password(change, actor=actor, keep=None)
    assert await people.authenticator.identify_token(token) is not None
    assert await people.authenticator.identify_session(made.secret) is None
    assert len(await people.service.tokens(actor=actor)) == 1


async def test_a_reset_shuts_programs_out_too(database: Database, clock: Clock) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address=ADDRESS)
    token = await _token(people, made.secret)
    link = await people.service.create_password_reset("ada", actor=OPERATOR)
    body = PasswordReset(new_password="another good one")
    await people.sign_ins.reset_password(link.path.rpartition("/")[2], body)
    assert await people.authenticator.identify_token(token) is None


async def test_a_token_makes_none_that_outlives_it(database: Database, clock: HeldClock) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address=ADDRESS)
    token = await _token(people, made.secret, expires_in_days=1)
    actor = await people.authenticator.identify_token(token)
    assert actor is not None
    with pytest.raises(TokenOutlivesError):
        await people.service.create_token(
            ApiTokenCreate(name="longer", expires_in_days=30), actor=actor
        )
    same = await people.service.create_token(ApiTokenCreate(name="endless"), actor=actor)
    assert same.expires_at == actor.token_expires_at
    clock.advance(days=1)
    assert await people.authenticator.identify_token(same.secret) is None


async def test_a_token_goes_with_the_one_that_made_it(database: Database, clock: Clock) -> None:
    people = People.over(database, clock)
    made = await people.sign_ins.sign_up(_sign_up("ada"), address=ADDRESS)
    actor = await people.authenticator.identify_token(await _token(people, made.secret))
    assert actor is not None
    assert actor.token_id is not None
    child = (await people.service.create_token(ApiTokenCreate(name="child"), actor=actor)).secret
    await people.service.revoke_token(actor.token_id, actor=actor)
    assert await people.authenticator.identify_token(child) is None
