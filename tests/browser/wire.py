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


class HeldCalls:
    """A page's requests, open until they are refused; 403 is not worth asking again.

    Who is signed in is answered unless told otherwise.
    """

    def __init__(self, page: Page, *, session_too: bool) -> None:
        self._session_too = session_too
        self._is_refusing = False
        self._held: list[Route] = []
        page.route(_CALLS, self._take)

    def refuse(self) -> None:
        """Fail every request, those that are open and those to come."""
        self._is_refusing = True
        while self._held:
            _fail(self._held.pop())

    def _take(self, route: Route) -> None:
        if not self._session_too and _SESSION.search(route.request.url):
            route.continue_()
        elif self._is_refusing:
            _fail(route)
        else:
            self._held.append(route)


def _fail(route: Route) -> None:
    route.fulfill(status=403, content_type="application/problem+json", body=_problem())


def answer(page: Page, answers: Mapping[str, object]) -> None:
    """Answer some requests with given JSON; the glob is matched against the whole address."""
    for glob, body in answers.items():
        page.route(glob, _giving(body))


def _giving(body: object) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=body)
