"""Whether this server lives and is ready, part by part, and the folds that run beside requests."""

import asyncio
import os
from collections import Counter
from dataclasses import dataclass

import structlog
from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text

from dynabench.app.listening import INSTANCE_HEADER, INSTANCE_VARIABLE
from dynabench.app.monitoring.figures import Figures
from dynabench.app.server.identity import Identity
from dynabench.app.server.request_rates import comes_from_here
from dynabench.app.wiring import Wiring
from dynabench.kit.db.database import Session
from dynabench.kit.errors import UnavailableError
from dynabench.loop.validations.folds.service import FoldService
from dynabench.migrations.head import newest_revision
from dynabench.people.permissions import require_admin

_FOLD_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
_UNREADY = 503
WORKERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = 'dynabench worker guard'"
)
"""Counts the workers that hold their lock."""

_SCHEMA = text("SELECT to_regclass('alembic_version') IS NOT NULL")
_REVISION = text("SELECT version_num FROM alembic_version")
_log = structlog.get_logger(__name__)


class BackgroundFolds:
    """Keeps counts and the validation queue fresh even while nobody reads them.

    After a failure it waits twice as long each time, up to half a minute. A trouble is
    written once, with its traceback, and once more when it is over.

    Args:
        folds: What folds.
        pause_seconds: The pause between two folds that succeed.
    """

    def __init__(self, folds: FoldService, *, pause_seconds: float = _FOLD_SECONDS) -> None:
        self._folds = folds
        self._usual_pause = pause_seconds
        self.pause_seconds = pause_seconds
        self.trouble: str | None = None

    async def keep_folding(self) -> None:
        """Fold again and again, until cancelled."""
        while True:
            await asyncio.sleep(self.pause_seconds)
            await self.turn()

    async def turn(self) -> None:
        """Fold once, and decide how long to wait for the next time."""
        try:
            await self._folds.catch_up()
        except UnavailableError as error:
            self._note(error.message)
        # The edge of a background task: whatever it is, a later turn tries again.
        except Exception as error:  # noqa: BLE001
            self._note(type(error).__name__, with_traceback=True)
        else:
            if self.trouble is not None:
                _log.info("counts are folded again")
            self.trouble, self.pause_seconds = None, self._usual_pause

    def _note(self, trouble: str, *, with_traceback: bool = False) -> None:
        if trouble != self.trouble:
            _log.error("counts cannot be folded; they wait", why=trouble, exc_info=with_traceback)
        self.trouble = trouble
        self.pause_seconds = min(2 * self.pause_seconds, _LONGEST_PAUSE_SECONDS)


@dataclass(frozen=True)
class Readiness:
    """What a load balancer asks: each part with a word, `ok` where all is well.

    Attributes:
        parts: What each part says.
        is_ready: Whether requests can be answered; without a worker they can, but jobs wait.
    """

    parts: dict[str, str]
    is_ready: bool

    @property
    def status(self) -> str:
        """Everything in one word: `ok`, `degraded` or `unready`."""
        if not self.is_ready:
            return "unready"
        return "ok" if set(self.parts.values()) == {"ok"} else "degraded"


async def readiness(wiring: Wiring, folds: BackgroundFolds) -> Readiness:
    """Look at the database, its schema, the counts, the target models and the workers."""
    targets = Counter(health.state for health in wiring.host.health().values())
    parts = {
        "database": "no answer",
        "schema": "unknown",
        "counts": "ok" if folds.trouble is None else "waiting",
        "targets": f"{targets['stopped']} stopped" if targets["stopped"] else "ok",
        "worker": "unknown",
    }
    try:
        async with wiring.db.read() as session:
            parts["database"] = "ok"
            parts["schema"] = await _schema(session)
            workers = (await session.execute(text(WORKERS))).scalar_one()
            parts["worker"] = "ok" if workers else "none"
    except UnavailableError:
        pass
    needed = ("database", "schema", "counts")
    return Readiness(parts, is_ready=all(parts[name] == "ok" for name in needed))


async def _schema(session: Session) -> str:
    if not (await session.execute(_SCHEMA)).scalar_one():
        return "missing"
    found = (await session.execute(_REVISION)).scalar_one_or_none()
    return "ok" if found == newest_revision() else f"at revision {found or 'none'}"


def health_routes(
    wiring: Wiring, folds: BackgroundFolds, *, figures: Figures, identity: Identity
) -> APIRouter:
    """Return `/healthz`, `/readyz` and `/metrics`; the last for this machine and administrators."""
    router = APIRouter(include_in_schema=False)
    # By its name `dynabench up` knows the server that it started from a stranger.
    name = {INSTANCE_HEADER: os.environ.get(INSTANCE_VARIABLE, "")}

    @router.get("/healthz")
    async def healthz(response: Response) -> dict[str, str]:
        response.headers.update(name)
        return {"status": "ok"}

    @router.get("/readyz")
    async def readyz(response: Response) -> dict[str, object]:
        found = await readiness(wiring, folds)
        response.headers.update(name)
        response.status_code = 200 if found.is_ready else _UNREADY
        return {"status": found.status, "parts": found.parts}

    @router.get("/metrics")
    async def metrics(request: Request) -> Response:
        if not comes_from_here(request):
            require_admin(await identity(request))
        return Response(await figures.write(), media_type=CONTENT_TYPE_LATEST)

    return router
