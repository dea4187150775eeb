"""Calls about members of a task and the links that make one."""

from dynabench.client.addresses import Id, TaskRef
from dynabench.client.calls import delete, get, path, post, put, shape
from dynabench.client.links import JoinLink, make_link, secret_of
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.loop.tasks.schemas import (
    JoinedRead,
    JoinLinkCreate,
    JoinLinkRead,
    MemberRead,
    MemberUpdate,
)


class MemberCalls(Calls[FaceT]):
    """Who has which role in a task.

    Example::

        client.members.set("nli", "ada", role="expert")
    """

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[MemberRead]]:
        """List the members of a task (owners)."""
        return get(path("tasks", task, "members"), Table[MemberRead])

    @Endpoint
    def set(self, task: TaskRef, username: str, *, role: str) -> Steps[MemberRead]:
        """Give a person the role `owner`, `expert` or `annotator` in a task (owners)."""
        body = shape(MemberUpdate, {"role": role})
        return put(path("tasks", task, "members", username), MemberRead, body)

    @Endpoint
    def delete(self, task: TaskRef, username: str) -> Steps[None]:
        """Take a person's role in a task away (owners)."""
        return delete(path("tasks", task, "members", username))

    @Endpoint
    def join(self, link: str) -> Steps[JoinedRead]:
        """Take the role that a join link gives: its `url`, its `path` or its `secret`."""
        return post(path("join-links", secret_of(link)), JoinedRead)


class JoinLinkCalls(Calls[FaceT]):
    """Links that give their visitors a role in a task.

    Example::

        print(client.join_links.create("nli", role="annotator").url)
    """

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[JoinLinkRead]]:
        """List the join links of a task (owners)."""
        return get(path("tasks", task, "join-links"), Table[JoinLinkRead])

    @Endpoint
    def create(
        self,
        task: TaskRef,
        *,
        role: str = "annotator",
        expires_in_days: int = 14,
        note: str = "",
    ) -> Steps[JoinLink]:
        """Make a link that gives its visitors a role in the task (owners).

        Args:
            task: The task, by its slug.
            role: `owner`, `expert` or `annotator`.
            expires_in_days: How long it works.
            note: Whom it is for, in at most 200 characters; only owners see it.
        """
        said = {"role": role, "expires_in_days": expires_in_days, "note": note}
        body = shape(JoinLinkCreate, said)
        return make_link(path("tasks", task, "join-links"), JoinLink, body)

    @Endpoint
    def delete(self, task: TaskRef, link_id: Id) -> Steps[None]:
        """Take a join link back (owners)."""
        return delete(path("tasks", task, "join-links", link_id))
