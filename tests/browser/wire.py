"""What comes of a page's requests: nothing yet, a failure, or an answer with nothing in it."""

import json
import re
from collections.abc import Callable, Mapping

from playwright.sync_api import Page, Route

_SESSION = re.compile(r"/api/v1/session$")
_CALLS = "**/api/v1/**"


def _problem() -> str:
    return json.dumps(
        {
            "type": "about:blank",
            "status": 403,
            "code": "tests.refused",
            "title": "Refused",
            "detail": "This was refused so that the page shows what it says then.",
            "facts": {},
            "fields": {},
            "request_id": "a-test",
        }
    )


def hold(page: Page, *, session_too: bool) -> None:
    """Leave every request open; who is signed in is answered unless told otherwise."""

    def wait(route: Route) -> None:
        if not session_too and _SESSION.search(route.request.url):
            route.continue_()

    page.route(_CALLS, wait)


def refuse(page: Page, *, session_too: bool) -> None:
    """Fail every request at once; 403 is not worth asking again."""

    def fail(route: Route) -> None:
        if not session_too and _SESSION.search(route.request.url):
            route.continue_()
            return
        route.fulfill(status=403, content_type="application/problem+json", body=_problem())

    page.route(_CALLS, fail)


def answer(page: Page, answers: Mapping[str, object]) -> None:
    """Answer some requests with given JSON; the glob is matched against the whole address."""
    for glob, body in answers.items():
        page.route(glob, _giving(body))


def _giving(body: object) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=body)
