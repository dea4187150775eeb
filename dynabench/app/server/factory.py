"""Builds the web application out of a wiring."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from dynabench import __version__
from dynabench.app.monitoring.figures import Figures
from dynabench.app.server import job_endpoints
from dynabench.app.server.guard import RequestGuard
from dynabench.app.server.health import BackgroundFolds, health_routes, readiness
from dynabench.app.server.host_names import HostNames
from dynabench.app.server.identity import Identity
from dynabench.app.server.openapi import build_openapi
from dynabench.app.server.page import install_page
from dynabench.app.server.problems import install_problem_handlers
from dynabench.app.server.request_rates import RequestRates
from dynabench.app.wiring import Wiring
from dynabench.kit.addresses import AddressSet
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.web import Surroundings
from dynabench.loop.assignments import endpoints as assignments
from dynabench.loop.chats import endpoints as chats
from dynabench.loop.contexts import endpoints as contexts
from dynabench.loop.datasets import endpoints as datasets
from dynabench.loop.datasets.archives import endpoints as archives
from dynabench.loop.datasets.perturbing import endpoints as perturbations
from dynabench.loop.datasets.releases import endpoints as releases
from dynabench.loop.datasets.uploads import endpoints as dataset_uploads
from dynabench.loop.evaluations import endpoints as evaluations
from dynabench.loop.evaluations.comparisons import endpoints as comparisons
from dynabench.loop.evaluations.discards import endpoints as discards
from dynabench.loop.evaluations.items import endpoints as evaluation_items
from dynabench.loop.evaluations.prediction_files import endpoints as prediction_files
from dynabench.loop.evaluations.removals import endpoints as removals
from dynabench.loop.evaluations.signed_reports import endpoints as signed_reports
from dynabench.loop.examples import endpoints as examples
from dynabench.loop.interchange.gallery import endpoints as gallery
from dynabench.loop.interchange.transfer.exporting import endpoints as exporting
from dynabench.loop.leaderboards import endpoints as leaderboards
from dynabench.loop.leaderboards.errata import endpoints as errata
from dynabench.loop.leaderboards.live import endpoints as live_numbers
from dynabench.loop.leaderboards.next_round import endpoints as next_rounds
from dynabench.loop.leaderboards.preferences import endpoints as preferences
from dynabench.loop.leaderboards.saved import endpoints as saved_boards
from dynabench.loop.leaderboards.scales import endpoints as scales
from dynabench.loop.leaderboards.suspicions import endpoints as suspicions
from dynabench.loop.media import endpoints as media
from dynabench.loop.models import endpoints as models
from dynabench.loop.models.submissions import endpoints as submissions
from dynabench.loop.models.submissions.allowances import endpoints as allowances
from dynabench.loop.proposals import endpoints as proposals
from dynabench.loop.rounds import endpoints as rounds
from dynabench.loop.tasks import endpoints as tasks
from dynabench.loop.training import endpoints as training
from dynabench.loop.validations import endpoints as validations
from dynabench.loop.validations.consensus import endpoints as consensus
from dynabench.loop.validations.folds.service import FoldService
from dynabench.people import endpoints as people
from dynabench.people.audit import endpoints as audit
from dynabench.people.authentication.service import Authenticator
from dynabench.people.notifications import endpoints as notifications

# Routes are tried one after the other: what annotators wait for comes first.
_ROUTERS: tuple[APIRouter, ...] = (
    examples.router,
    validations.router,
    consensus.router,
    chats.router,
    assignments.router,
    people.router,
    audit.router,
    notifications.router,
    tasks.router,
    proposals.router,
    models.router,
    submissions.router,
    allowances.router,
    prediction_files.router,
    removals.router,
    discards.router,
    rounds.router,
    contexts.router,
    media.router,
    datasets.router,
    releases.router,
    dataset_uploads.router,
    archives.router,
    perturbations.router,
    evaluations.router,
    evaluation_items.router,
    comparisons.router,
    signed_reports.router,
    leaderboards.router,
    live_numbers.router,
    saved_boards.router,
    scales.router,
    suspicions.router,
    errata.router,
    preferences.router,
    next_rounds.router,
    training.router,
    gallery.router,
    exporting.router,
    job_endpoints.router,
)


def create_application(
    wiring: Wiring, *, fold_in_background: bool = True, on_start: Callable[[], None] | None = None
) -> FastAPI:
    """Return the web application: API, health routes and the built page.

    Args:
        wiring: The process's services.
        fold_in_background: Whether counts are folded twice a second even if nobody reads.
        on_start: Called once the application takes requests.
    """
    identity = Identity(wiring.get(Authenticator))
    folds = BackgroundFolds(wiring.get(FoldService))

    async def parts() -> dict[str, str]:
        return (await readiness(wiring, folds)).parts

    figures = Figures(wiring, parts)

    @asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[None]:
        del application
        folding = asyncio.create_task(folds.keep_folding()) if fold_in_background else None
        if on_start:
            on_start()
        try:
            yield
        finally:
            if folding:
                folding.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await folding
            await wiring.close()

    application = FastAPI(
        title="Dynabench",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        # Not included, which would build every route a second time, when it is first matched.
        routes=[route for router in _ROUTERS for route in router.routes],
    )
    application.state.surroundings = Surroundings(services=wiring.services, identify=identity)
    install_problem_handlers(application)
    _guard(application, wiring, identity, figures)
    application.include_router(health_routes(wiring, folds, figures=figures, identity=identity))
    install_page(application)
    _serve_openapi(application)
    return application


def _guard(application: FastAPI, wiring: Wiring, identity: Identity, figures: Figures) -> None:
    """Put what looks at every request before the routes; what is added last comes first."""
    settings = wiring.settings
    application.add_middleware(
        RequestRates,
        limiter=wiring.get(RateLimiter),
        identify=identity,
        unlimited=AddressSet(settings.unlimited_addresses),
    )
    application.add_middleware(
        RequestGuard,
        hosts=HostNames.of(settings),
        is_https=settings.base_url.startswith("https://"),
        answered=figures.answered,
    )


def _serve_openapi(application: FastAPI) -> None:
    """Have FastAPI serve our document, built once."""

    def openapi() -> dict[str, object]:
        if application.openapi_schema is None:
            application.openapi_schema = build_openapi(application)
        return application.openapi_schema

    # FastAPI's documented way to replace its document is to replace this method.
    application.openapi = openapi  # type: ignore[method-assign]
