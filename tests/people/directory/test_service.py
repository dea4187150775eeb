import pytest

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.people.directory.service import UserDirectory
from dynabench.people.errors import UsernameTakenError, UserNotFoundError
from dynabench.people.permissions import OPERATOR
from tests.factories.people import People, make_user

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio


async def test_names_are_found_by_id_and_people_by_name(database: Database, clock: Clock) -> None:
    directory = UserDirectory(database, clock)
    ada = await make_user(database, username="Ada")
    assert ada.user_id is not None
    for _ in range(2):
        assert await directory.usernames([ada.user_id, new_id()]) == {ada.user_id: "Ada"}
    assert (await directory.find("ADA")).id == ada.user_id
    assert (await directory.people([ada.user_id]))[ada.user_id].username == "Ada"
    assert await directory.usernames([]) == {}


@pytest.mark.parametrize("name", ["", "nobody", "Ada\x00", "%", "x" * 10_000])
async def test_a_name_that_nobody_has_is_not_found(
    database: Database, clock: Clock, name: str
) -> None:
    await make_user(database, username="Ada")
    with pytest.raises(UserNotFoundError):
        await UserDirectory(database, clock).find(name)


async def test_pseudonyms_are_made_once_and_are_nobody_who_can_be_administrated(
    database: Database, clock: Clock
) -> None:
    people = People.over(database, clock)
    names = [f"anli-r1-{number}" for number in range(2_500)]
    made = await people.directory.create_synthetic(names)
    again = await people.directory.create_synthetic([*names[:10], "anli-r1-new"])
    assert len(set(made.values())) == 2_500
    assert {name: again[name] for name in names[:10]} == {name: made[name] for name in names[:10]}
    assert (await people.directory.find(names[0])).is_synthetic
    assert (await people.service.list(actor=OPERATOR, search="", cursor=None)).items == []
    with pytest.raises(UserNotFoundError):
        await people.service.create_password_reset(names[0], actor=OPERATOR)


async def test_a_real_persons_name_is_no_pseudonym(database: Database, clock: Clock) -> None:
    directory = UserDirectory(database, clock)
    await make_user(database, username="ada")
    with pytest.raises(UsernameTakenError):
        await directory.create_synthetic(["worker-1", "Ada"])
    with pytest.raises(UserNotFoundError):
        await directory.find("worker-1")
