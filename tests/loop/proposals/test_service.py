import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.proposals.errors import (
    ProposalNotFoundError,
    ProposalReasonNeededError,
    ProposalRevisedError,
    ProposalStateError,
    TooManyProposalsError,
)
from dynabench.loop.proposals.schemas import (
    ProposalCreate,
    ProposalDecision,
    ProposalPatch,
    ProposalRead,
)
from dynabench.loop.proposals.service import ProposalService
from dynabench.loop.proposals.values import OPEN_LIMIT, Decision, ProposalStatus
from dynabench.loop.tasks.errors import ConfigInvalidError, SlugTakenError, TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.people.errors import AdminNeededError
from dynabench.people.notifications.service import NotificationService
from tests.factories.people import make_user
from tests.factories.tasks import NLI_CONFIG, make_task

pytestmark = pytest.mark.anyio

BETTER = NLI_CONFIG.replace("Inference", "Entailment")


@dataclass(frozen=True)
class Office:
    """Who takes part, and the services."""

    proposals: ProposalService
    tasks: TaskService
    notifications: NotificationService
    author: Actor
    admin: Actor

    async def propose(self, slug: str = "nli", *, key: RequestKey | None = None) -> ProposalRead:
        body = ProposalCreate(slug=slug, config=NLI_CONFIG, reason="To see what is inferred.")
        return await self.proposals.propose(body, actor=self.author, key=key)

    async def decide(
        self,
        proposal: ProposalRead,
        status: Decision,
        text: str = "",
        *,
        key: RequestKey | None = None,
    ) -> ProposalRead:
        body = ProposalDecision(status=status, revision=proposal.revision, text=text)
        return await self.proposals.decide(proposal.id, body, actor=self.admin, key=key)

    async def revise(
        self, proposal: ProposalRead, *, config: str = BETTER, answer: str = ""
    ) -> ProposalRead:
        body = ProposalPatch(revision=proposal.revision, config=config, answer=answer)
        return await self.proposals.revise(proposal.id, body, actor=self.author)

    async def told(self, actor: Actor) -> list[str]:
        page = await self.notifications.page(actor=actor, cursor=None)
        return [one.kind.value for one in page.items]


@pytest.fixture
async def office(database: Database, clock: Clock) -> Office:
    tasks = TaskService(database, clock)
    notifications = NotificationService(database, clock)
    return Office(
        proposals=ProposalService(
            db=database, clock=clock, tasks=tasks, notifications=notifications
        ),
        tasks=tasks,
        notifications=notifications,
        author=await make_user(database, username="ada"),
        admin=await make_user(database, username="root", is_admin=True),
    )


def _key(name: str) -> RequestKey:
    return RequestKey.of(actor_id=None, route="POST /proposals", key=name, body=b"")


async def test_a_proposal_goes_its_way_to_a_draft_of_its_author(office: Office) -> None:
    proposed = await office.propose()
    asked = await office.decide(proposed, Decision.CHANGES_ASKED, "Name it after what it asks.")
    revised = await office.revise(asked, answer="Done.")
    accepted = await office.decide(revised, Decision.ACCEPTED)

    assert (asked.status, revised.status) == (ProposalStatus.CHANGES_ASKED, ProposalStatus.OPEN)
    assert (accepted.status, accepted.revision) == (ProposalStatus.ACCEPTED, 2)
    assert accepted.task_slug == "nli"
    assert [(note.revision, note.status, note.written_by) for note in accepted.notes] == [
        (1, ProposalStatus.CHANGES_ASKED, "root"),
        (2, ProposalStatus.OPEN, "ada"),
        (2, ProposalStatus.ACCEPTED, "root"),
    ]
    task = await office.tasks.read("nli", actor=office.author)
    assert (task.status, task.title) == (TaskStatus.DRAFT, "Entailment")
    assert (task.my_role, task.owners) == (TaskRole.OWNER, ["ada"])
    assert await office.told(office.author) == ["proposal.accepted", "proposal.changes_asked"]
    assert await office.told(office.admin) == ["proposal.revised", "proposal.opened"]


@pytest.mark.parametrize("who", ["visitor", "stranger", "author", "admin"])
async def test_who_may_do_what(database: Database, office: Office, who: str) -> None:
    proposal = await office.propose()
    actors = {"visitor": VISITOR, "author": office.author, "admin": office.admin}
    actor = actors.get(who) or await make_user(database)
    decision = ProposalDecision(status=Decision.REJECTED, revision=1, text="No.")
    deeds: dict[str, Callable[[], Awaitable[object]]] = {
        "read": lambda: office.proposals.read(proposal.id, actor=actor),
        "revise": lambda: office.proposals.revise(
            proposal.id, ProposalPatch(revision=1), actor=actor
        ),
        "decide": lambda: office.proposals.decide(proposal.id, decision, actor=actor, key=None),
        "withdraw": lambda: office.proposals.withdraw(proposal.id, actor=actor),
    }
    came_of_it: dict[str, type[DynabenchError] | None] = {}
    for name, deed in deeds.items():
        try:
            await deed()
            came_of_it[name] = None
        except DynabenchError as error:
            came_of_it[name] = type(error)

    hidden, stranger = ProposalNotFoundError, SignInRequiredError
    assert [*came_of_it.values()] == {
        "visitor": [stranger, stranger, stranger, stranger],
        "stranger": [hidden, hidden, AdminNeededError, hidden],
        "author": [None, None, AdminNeededError, None],
        "admin": [None, hidden, None, hidden],
    }[who]


async def test_everybody_lists_their_own_and_administrators_all(
    database: Database, office: Office
) -> None:
    await office.propose("one")
    await office.decide(await office.propose("two"), Decision.REJECTED, "There is one already.")

    async def listed(actor: Actor, status: ProposalStatus | None = None) -> list[str]:
        page = await office.proposals.list(actor=actor, status=status, cursor=None)
        return sorted(one.slug for one in page.items)

    assert await listed(office.author) == ["one", "two"]
    assert await listed(office.admin) == ["one", "two"]
    assert await listed(office.admin, ProposalStatus.REJECTED) == ["two"]
    assert await listed(await make_user(database)) == []


async def test_nothing_is_half_done_where_a_proposal_cannot_be_accepted(
    database: Database, office: Office
) -> None:
    proposal = await office.propose()
    await make_task(database, slug="nli")

    with pytest.raises(SlugTakenError):
        await office.decide(proposal, Decision.ACCEPTED)

    after = await office.proposals.read(proposal.id, actor=office.author)
    assert (after.status, after.notes, after.task_slug) == (ProposalStatus.OPEN, [], None)
    assert await office.told(office.author) == []


async def test_a_decision_about_a_text_that_changed_meanwhile_is_refused(office: Office) -> None:
    seen = await office.propose()
    await office.revise(seen)

    with pytest.raises(ProposalRevisedError):
        await office.decide(seen, Decision.ACCEPTED)
    with pytest.raises(TaskNotFoundError):
        await office.tasks.get("nli")


async def test_two_administrators_at_once_make_one_decision(
    database: Database, office: Office
) -> None:
    proposal = await office.propose()
    body = ProposalDecision(status=Decision.ACCEPTED, revision=1)
    other = await make_user(database, is_admin=True)

    came = await asyncio.gather(
        *(
            office.proposals.decide(proposal.id, body, actor=one, key=None)
            for one in (office.admin, other)
        ),
        return_exceptions=True,
    )

    assert sorted(type(one).__name__ for one in came) == ["ProposalRead", "ProposalStateError"]
    assert await office.told(office.author) == ["proposal.accepted"]


async def test_a_click_sent_twice_proposes_revises_and_decides_once(office: Office) -> None:
    clicks = [office.propose(key=_key("propose")) for _ in range(3)]
    proposed = await asyncio.gather(*clicks)
    assert len({one.id for one in proposed}) == 1
    once = await office.revise(proposed[0])
    again = await office.revise(proposed[0])
    assert (once.revision, again.revision) == (2, 2)
    decided = await asyncio.gather(
        *(office.decide(once, Decision.ACCEPTED, key=_key("decide")) for _ in range(3))
    )
    assert {one.status for one in decided} == {ProposalStatus.ACCEPTED}
    assert len(decided[0].notes) == 2
    assert await office.told(office.admin) == ["proposal.opened"]


async def test_what_was_withdrawn_comes_back_by_a_revision_only(office: Office) -> None:
    proposal = await office.propose()
    withdrawn = await office.proposals.withdraw(proposal.id, actor=office.author)
    await office.proposals.withdraw(proposal.id, actor=office.author)
    with pytest.raises(ProposalStateError):
        await office.decide(withdrawn, Decision.ACCEPTED)

    back = await office.revise(withdrawn, config=NLI_CONFIG)

    assert (back.status, back.revision) == (ProposalStatus.OPEN, 2)
    assert await office.told(office.admin) == ["proposal.revised", "proposal.opened"]


async def test_a_person_has_so_many_proposals_waiting_and_no_more(office: Office) -> None:
    first, *_ = [await office.propose(f"task-{number}") for number in range(OPEN_LIMIT)]
    with pytest.raises(TooManyProposalsError):
        await office.propose("one-more")
    withdrawn = await office.proposals.withdraw(first.id, actor=office.author)
    await office.propose("one-more")
    with pytest.raises(TooManyProposalsError):
        await office.revise(withdrawn)


async def test_a_proposal_must_be_usable_and_turning_it_down_needs_a_reason(
    database: Database, office: Office
) -> None:
    await make_task(database, slug="taken")
    with pytest.raises(SlugTakenError):
        await office.propose("taken")
    broken = ProposalCreate(slug="nli", config="title: [", reason="To see.")
    with pytest.raises(ConfigInvalidError):
        await office.proposals.propose(broken, actor=office.author, key=None)
    proposal = await office.propose()
    with pytest.raises(ConfigInvalidError):
        await office.revise(proposal, config="title: [")
    with pytest.raises(ProposalReasonNeededError):
        await office.decide(proposal, Decision.REJECTED, "  ")
    unknown = UUID(int=1)
    with pytest.raises(ProposalNotFoundError):
        await office.proposals.read(unknown, actor=office.admin)
