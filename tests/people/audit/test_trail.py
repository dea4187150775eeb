"""What the audit trail holds, whoever changes the rows, and that nobody changes it."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text

from dynabench.kit.asking import Asking, asking
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.audit.schemas import AuditEntryRead, AuditFilter
from dynabench.people.audit.service import AuditService
from dynabench.people.permissions import OPERATOR
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    token = asking.set(None)
    yield
    asking.reset(token)


@pytest.fixture
def audit(database: Database) -> AuditService:
    return AuditService(database)


async def entries(audit: AuditService, **wanted: object) -> list[AuditEntryRead]:
    page = await audit.page(AuditFilter.model_validate(wanted), actor=OPERATOR)
    return page.items


async def test_a_change_says_who_what_when_and_from_what_to_what(
    database: Database, audit: AuditService
) -> None:
    ada = await make_user(database, username="ada")
    asking.set(Asking(name="root", user_id=ada.user_id, request_id="r1"))
    async with database.transaction() as session:
        await session.execute(
            text("UPDATE users SET is_admin = true WHERE id = :id"), {"id": ada.user_id}
        )

    newest = (await entries(audit, act="account"))[0]

    assert (newest.act, newest.actor_name, newest.actor_id) == (
        "account.changed",
        "root",
        ada.user_id,
    )
    assert (newest.request_id, newest.subject_name) == ("r1", "ada")
    assert (newest.before, newest.after) == ({"is_admin": False}, {"is_admin": True})


async def test_a_password_is_never_in_it(database: Database, audit: AuditService) -> None:
    ada = await make_user(database, username="ada")
    async with database.transaction() as session:
        await session.execute(
            text("UPDATE users SET password_hash = 'canary-7f' WHERE id = :id"), {"id": ada.user_id}
        )

    newest = (await entries(audit, act="account.changed"))[0]

    assert newest.after == {"password_hash": "hidden"}
    assert all("canary" not in entry.model_dump_json() for entry in await entries(audit))


async def test_what_is_not_recorded_leaves_no_entry(
    database: Database, audit: AuditService
) -> None:
    ada = await make_user(database, username="ada")
    before = await entries(audit)
    async with database.transaction() as session:
        await session.execute(
            text("UPDATE users SET display_name = 'Ada' WHERE id = :id"), {"id": ada.user_id}
        )

    assert await entries(audit) == before


async def test_a_round_that_is_closed_and_a_task_s_entries(
    database: Database, audit: AuditService
) -> None:
    round_ = await make_round(database, await make_task(database), status=RoundStatus.OPEN)
    async with database.transaction() as session:
        await session.execute(
            text("UPDATE rounds SET status = 'closed', close_reason = 'enough' WHERE id = :id"),
            {"id": round_.id},
        )
    other = await make_task(database, slug="other")

    found = (await audit.of_task(AuditFilter(act="round.changed"), task_id=round_.task_id)).items

    assert found[0].reason == "enough"
    assert found[0].after is not None
    assert found[0].after["status"] == "closed"
    theirs = (await audit.of_task(AuditFilter(), task_id=other.id)).items
    assert {entry.task_id for entry in theirs} == {other.id}


async def test_what_was_rolled_back_was_not_done(database: Database, audit: AuditService) -> None:
    await make_user(database, username="ada")
    before = await entries(audit)

    with pytest.raises(RuntimeError, match="undone"):
        await changed_and_undone(database)

    assert await entries(audit) == before


async def changed_and_undone(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(text("UPDATE users SET is_admin = NOT is_admin"))
        raise RuntimeError("undone")


@pytest.mark.parametrize(
    "statement",
    ["UPDATE audit_entries SET act = 'x'", "DELETE FROM audit_entries", "TRUNCATE audit_entries"],
)
async def test_the_trail_is_only_added_to(database: Database, statement: str) -> None:
    await make_user(database, username="ada")
    with psycopg.connect(database.url) as connection, pytest.raises(psycopg.Error, match="only"):
        connection.execute(statement.encode())


async def test_the_list_is_narrowed_and_paged(database: Database, audit: AuditService) -> None:
    for number in range(60):
        asking.set(Asking(name="even" if number % 2 == 0 else "odd"))
        await make_user(database, username=f"user-{number}")

    first = await audit.page(AuditFilter(), actor=OPERATOR)
    second = await audit.page(AuditFilter(cursor=first.next_cursor), actor=OPERATOR)
    odd = await entries(audit, who="odd")

    numbers = [entry.number for entry in (*first.items, *second.items)]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 60
    assert (len(odd), second.next_cursor) == (30, None)
    assert await entries(audit, since=first.items[0].at) == first.items[:1]
    assert await entries(audit, until=second.items[-1].at) == []


async def test_an_entry_about_a_member_names_the_person(
    database: Database, audit: AuditService
) -> None:
    ada, task = await make_user(database, username="ada"), await make_task(database)
    gone = await make_user(database, username="gone")
    for person in (ada, gone):
        await add_member(database, task, person, TaskRole.EXPERT)
    async with database.transaction() as session:
        # As where somebody's account is deleted; the membership goes with it.
        await session.execute(text("DELETE FROM users WHERE id = :id"), {"id": gone.user_id})

    added = {
        entry.subject_id: entry.subject_name for entry in await entries(audit, act="member.added")
    }

    assert added[str(ada.user_id)] == "ada"
    assert added[str(gone.user_id)] is None


async def test_administrators_alone_see_all_of_it(database: Database, audit: AuditService) -> None:
    ada = await make_user(database, username="ada")

    with pytest.raises(DynabenchError):
        await audit.page(AuditFilter(), actor=ada)
