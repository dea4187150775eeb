"""An application around the routes that a test is about."""

from collections.abc import Mapping

from fastapi import APIRouter, FastAPI
from httpx2 import ASGITransport, AsyncClient

from dynabench.app.server.identity import Identity
from dynabench.app.server.problems import install_problem_handlers
from dynabench.kit.web import Surroundings
from dynabench.people.authentication.service import Authenticator


def make_client(
    *routers: APIRouter,
    services: Mapping[type[object], object],
    authenticator: Authenticator,
) -> AsyncClient:
    """Return a client of some routes, with the services that they ask for."""
    application = FastAPI(routes=[route for router in routers for route in router.routes])
    application.state.surroundings = Surroundings(
        services=services, identify=Identity(authenticator)
    )
    install_problem_handlers(application)
    return AsyncClient(transport=ASGITransport(app=application), base_url="http://test")
