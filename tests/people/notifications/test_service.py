import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.kit.paging import BadCursorError
from dynabench.people.notifications.errors import NotificationNotFoundError
from dynabench.people.notifications.service import NotificationService
from dynabench.people.notifications.values import PAGE_SIZE, News, NotificationKind
from tests.conftest import HeldClock
from tests.factories.people import make_user

pytestmark = pytest.mark.anyio


@pytest.fixture
def service(database: Database, clock: HeldClock) -> NotificationService:
    return NotificationService(database, clock)


async def _tell(
    database: Database,
    service: NotificationService,
    *people: Actor,
    clock: HeldClock,
    count: int,
) -> None:
    ids = [one.user_id for one in people if one.user_id is not None]
    for number in range(count):
        clock.advance(seconds=1)
        news = News(
            kind=NotificationKind.PROPOSAL_REJECTED,
            details={"slug": f"task-{number}", "by": "root"},
            path="/proposals",
        )
        async with database.transaction() as session:
            await service.notify(session, ids, news, actor=VISITOR)


async def test_one_page_follows_the_other_and_nothing_is_told_twice(
    database: Database, service: NotificationService, clock: HeldClock
) -> None:
    ada, ben = await make_user(database), await make_user(database)
    await _tell(database, service, ada, ben, clock=clock, count=PAGE_SIZE + 3)

    first = await service.page(actor=ada, cursor=None)
    second = await service.page(actor=ada, cursor=first.next_cursor)

    slugs = [one.details["slug"] for one in [*first.items, *second.items]]
    assert slugs == [f"task-{number}" for number in reversed(range(PAGE_SIZE + 3))]
    assert (first.unread, second.next_cursor) == (PAGE_SIZE + 3, None)


async def test_reading_one_or_all_up_to_one_counts_for_the_reader_alone(
    database: Database, service: NotificationService, clock: HeldClock
) -> None:
    ada, ben = await make_user(database), await make_user(database)
    await _tell(database, service, ada, ben, clock=clock, count=4)
    newest, second, *_ = (await service.page(actor=ada, cursor=None)).items

    await service.mark_read_through(second.id, actor=ada)
    left = await service.page(actor=ada, cursor=None)
    assert [one.read_at is None for one in left.items] == [True, False, False, False]
    await service.mark_read(newest.id, actor=ada)
    await service.mark_read(newest.id, actor=ada)

    assert (await service.page(actor=ada, cursor=None)).unread == 0
    assert (await service.page(actor=ben, cursor=None)).unread == 4
    for marked in (service.mark_read, service.mark_read_through):
        for foreign in (newest.id, new_id()):
            with pytest.raises(NotificationNotFoundError):
                await marked(foreign, actor=ben)
        with pytest.raises(SignInRequiredError):
            await marked(newest.id, actor=VISITOR)


async def test_who_did_it_is_not_told_and_a_visitor_is_told_nothing(
    database: Database, service: NotificationService
) -> None:
    root = await make_user(database, is_admin=True)
    news = News(kind=NotificationKind.PROPOSAL_OPENED, details={"slug": "nli"}, path="/proposals")
    async with database.transaction() as session:
        admins = await service.admin_ids(session)
        await service.notify(session, admins, news, actor=root)

    assert admins == {root.user_id}
    assert (await service.page(actor=root, cursor=None)).items == []
    with pytest.raises(BadCursorError):
        await service.page(actor=root, cursor="nonsense")
    with pytest.raises(SignInRequiredError):
        await service.page(actor=VISITOR, cursor=None)
