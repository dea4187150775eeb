"""The Python client of a running Dynabench."""

from typing import TYPE_CHECKING, Generic, get_origin, get_type_hints

import httpx2

from dynabench.client.aliases import renamed
from dynabench.client.audit import AuditCalls
from dynabench.client.boards import BoardCalls, SavedBoardCalls
from dynabench.client.chats import ChatCalls
from dynabench.client.comparisons import ComparisonCalls
from dynabench.client.contexts import ContextCalls
from dynabench.client.datasets import DatasetCalls, ReleaseCalls
from dynabench.client.evaluations import EvaluationCalls
from dynabench.client.examples import ExampleCalls
from dynabench.client.faces import DEFAULT_TIMEOUT_SECONDS, AsyncFace, Connection, SyncFace
from dynabench.client.gallery import GalleryCalls
from dynabench.client.jobs import JobCalls
from dynabench.client.media import MediaCalls
from dynabench.client.members import JoinLinkCalls, MemberCalls
from dynabench.client.methods import FaceT
from dynabench.client.models import ModelCalls
from dynabench.client.people import AccountCalls, InvitationCalls, TokenCalls, UserCalls
from dynabench.client.proposals import NotificationCalls, ProposalCalls
from dynabench.client.retries import RetryPolicy
from dynabench.client.rounds import RoundCalls
from dynabench.client.scales import ScaleCalls, SuspectedErrorCalls
from dynabench.client.tasks import ConfigCalls, TaskCalls
from dynabench.client.trainings import TrainingCalls
from dynabench.client.validations import OutcomeCalls, VoteCalls

_RETRIES = RetryPolicy().retries


class EveryCall(Generic[FaceT]):
    """All that the API does, by what it is done with; both faces of the client have it."""

    account: AccountCalls[FaceT]
    tokens: TokenCalls[FaceT]
    users: UserCalls[FaceT]
    invitations: InvitationCalls[FaceT]
    notifications: NotificationCalls[FaceT]
    audit: AuditCalls[FaceT]
    tasks: TaskCalls[FaceT]
    configs: ConfigCalls[FaceT]
    members: MemberCalls[FaceT]
    join_links: JoinLinkCalls[FaceT]
    proposals: ProposalCalls[FaceT]
    gallery: GalleryCalls[FaceT]
    contexts: ContextCalls[FaceT]
    media: MediaCalls[FaceT]
    rounds: RoundCalls[FaceT]
    examples: ExampleCalls[FaceT]
    chats: ChatCalls[FaceT]
    votes: VoteCalls[FaceT]
    outcomes: OutcomeCalls[FaceT]
    suspected_errors: SuspectedErrorCalls[FaceT]
    releases: ReleaseCalls[FaceT]
    datasets: DatasetCalls[FaceT]
    models: ModelCalls[FaceT]
    evaluations: EvaluationCalls[FaceT]
    comparisons: ComparisonCalls[FaceT]
    trainings: TrainingCalls[FaceT]
    boards: BoardCalls[FaceT]
    saved_boards: SavedBoardCalls[FaceT]
    scales: ScaleCalls[FaceT]
    jobs: JobCalls[FaceT]

    def _open(self) -> None:
        for name, kind in get_type_hints(EveryCall).items():
            setattr(self, name, get_origin(kind)(self))

    if not TYPE_CHECKING:
        # Editors and type checkers offer the new names alone.
        __getattr__ = renamed


class DynabenchClient(SyncFace, EveryCall[SyncFace]):
    """Speaks to a Dynabench server.

    What the API does stands under the noun that it is done with: `client.tasks.list()`,
    `client.rounds.open("nli/2")`, `client.models.submit(…)`, `client.boards["nli"]`. A thing
    is named by its id, by the object that came back, or by its address: `TASK` for a task or
    its latest round, `TASK/ROUND`, `TASK/MODEL`, `TASK/DATASET`, and `@VERSION` behind a name.

    Args:
        api_key: An API token (`dyb_…`); by default `DYNABENCH_API_KEY`. Without one,
            or with an empty one, the client is a visitor until `account.sign_in`.
        base_url: The server's address; by default `DYNABENCH_URL`, else this machine's
            port 8000.
        timeout_seconds: The longest silence that is borne while waiting for an answer.
        retries: How often a request that may be repeated is sent again.
        transport: Carries the requests instead of the network (proxies, tests).

    Raises:
        DynabenchError: Each method raises the failure that the server tells of, in the
            server's own classes: `NotFoundError`, `ForbiddenError`, `InvalidError`,
            `ConflictError`, `LimitError`, `UnavailableError` and their subclasses, all of
            them in `dynabench.errors`.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        retries: int = _RETRIES,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        connection = Connection.of(
            api_key=api_key, base_url=base_url, timeout_seconds=timeout_seconds, retries=retries
        )
        super().__init__(connection, transport=transport)
        self._open()


class AsyncDynabenchClient(AsyncFace, EveryCall[AsyncFace]):
    """The same client for asyncio: every method is awaited, every list is an `async for`.

    Takes the arguments of `DynabenchClient` and has its methods.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        retries: int = _RETRIES,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        connection = Connection.of(
            api_key=api_key, base_url=base_url, timeout_seconds=timeout_seconds, retries=retries
        )
        super().__init__(connection, transport=transport)
        self._open()
