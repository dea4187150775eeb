"""The Python client of a running Dynabench."""

import httpx2

from dynabench.client.archives import ArchiveCalls
from dynabench.client.audit import AuditCalls
from dynabench.client.boards import BoardCalls, SavedBoardCalls
from dynabench.client.chats import ChatCalls
from dynabench.client.comparisons import ItemCalls
from dynabench.client.contexts import ContextCalls
from dynabench.client.dataset_uploads import DatasetUploadCalls
from dynabench.client.datasets import DatasetCalls
from dynabench.client.evaluations import EvaluationCalls
from dynabench.client.examples import ExampleCalls
from dynabench.client.faces import DEFAULT_TIMEOUT_SECONDS, AsyncFace, Connection, SyncFace
from dynabench.client.gallery import GalleryCalls
from dynabench.client.jobs import JobCalls
from dynabench.client.live import LiveCalls
from dynabench.client.media import MediaCalls
from dynabench.client.models import ModelCalls
from dynabench.client.people import PeopleCalls
from dynabench.client.proposals import NotificationCalls, ProposalCalls
from dynabench.client.reports import ReportCalls
from dynabench.client.retries import RetryPolicy
from dynabench.client.rounds import RoundCalls
from dynabench.client.scales import ScaleCalls
from dynabench.client.submissions import SubmissionCalls
from dynabench.client.tasks import TaskCalls
from dynabench.client.trainings import TrainingCalls
from dynabench.client.validations import OutcomeCalls, RateCalls, VoteCalls

_RETRIES = RetryPolicy().retries


class EveryCall(
    PeopleCalls,
    AuditCalls,
    NotificationCalls,
    TaskCalls,
    ProposalCalls,
    ModelCalls,
    SubmissionCalls,
    RoundCalls,
    ContextCalls,
    MediaCalls,
    ExampleCalls,
    ChatCalls,
    VoteCalls,
    OutcomeCalls,
    RateCalls,
    DatasetCalls,
    DatasetUploadCalls,
    ArchiveCalls,
    EvaluationCalls,
    ItemCalls,
    ReportCalls,
    TrainingCalls,
    BoardCalls,
    SavedBoardCalls,
    ScaleCalls,
    GalleryCalls,
    JobCalls,
    LiveCalls,
):
    """All that the API does, one method each; both faces of the client have them."""


class DynabenchClient(SyncFace, EveryCall):
    """Speaks to a Dynabench server.

    Args:
        api_key: An API token (`dyb_…`); by default `DYNABENCH_API_KEY`. Without one,
            or with an empty one, the client is a visitor until `sign_in`.
        base_url: The server's address; by default `DYNABENCH_URL`, else this machine's
            port 8000.
        timeout_seconds: The longest silence that is borne while waiting for an answer.
        retries: How often a request that may be repeated is sent again.
        transport: Carries the requests instead of the network (proxies, tests).

    Raises:
        DynabenchError: Each method raises the failure that the server tells of, in the
            server's own classes: `NotFoundError`, `ForbiddenError`, `InvalidError`,
            `ConflictError`, `LimitError`, `UnavailableError` and their subclasses.
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


class AsyncDynabenchClient(AsyncFace, EveryCall):
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
