"""What comes of a page's requests: nothing yet, a failure, or an answer with nothing in it.

It has to be settled before the page is opened: a page that is busy may not have heard of it yet
when it sends its next request. Chromium is told directly, for Playwright's own routes switch its
cache off, and a page without it costs three times as much.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from playwright.sync_api import CDPSession, Error, Page

_SESSION = re.compile(r"/api/v1/session$")
_CALLS = "*/api/v1/*"


class Call:
    """A request that waits for somebody to say what comes of it."""

    # The browser's protocol is JSON.
    def __init__(self, session: CDPSession, event: Mapping[str, Any]) -> None:
        self.url = str(event["request"]["url"])
        self._session = session
        self._id = event["requestId"]

    def let_go(self) -> None:
        """Send it to the server after all."""
        self._tell("Fetch.continueRequest", {})

    def lose(self) -> None:
        """Let it fail on its way."""
        self._tell("Fetch.failRequest", {"errorReason": "Failed"})

    def answer(self, body: object, *, status: int = 200, kind: str = "application/json") -> None:
        """Answer in the server's place, in JSON."""
        sent = {
            "responseCode": status,
            "responseHeaders": [{"name": "Content-Type", "value": kind}],
            "body": base64.b64encode(json.dumps(body).encode()).decode(),
        }
        self._tell("Fetch.fulfillRequest", sent)

    def _tell(self, method: str, what: dict[str, object]) -> None:
        # The page may have been left meanwhile, and its request with it.
        with suppress(Error):
            self._session.send(method, {"requestId": self._id, **what})


class Wire:
    """Takes requests of pages until they are left."""

    def __init__(self) -> None:
        self._sessions: list[CDPSession] = []

    def take(self, page: Page, taker: Callable[[Call], None]) -> None:
        """Give the calls of the API to somebody who says what comes of each."""
        session = page.context.new_cdp_session(page)
        session.on("Fetch.requestPaused", lambda event: taker(Call(session, event)))
        session.send("Fetch.enable", {"patterns": [{"urlPattern": _CALLS}]})
        self._sessions.append(session)

    def leave(self) -> None:
        """Leave every page; what it waits for goes to the server."""
        while self._sessions:
            # A page that is closed has left by itself.
            with suppress(Error):
                self._sessions.pop().detach()


class HeldCalls:
    """A page's requests, open until they are refused; 403 is not worth asking again.

    Who is signed in is answered unless told otherwise.
    """

    def __init__(self, wire: Wire, page: Page, *, session_too: bool) -> None:
        self._session_too = session_too
        self._is_refusing = False
        self._held: list[Call] = []
        wire.take(page, self._take)

    def refuse(self) -> None:
        """Fail every request, those that are open and those to come."""
        self._is_refusing = True
        while self._held:
            _refuse(self._held.pop())

    def _take(self, call: Call) -> None:
        if not self._session_too and _SESSION.search(call.url):
            call.let_go()
        elif self._is_refusing:
            _refuse(call)
        else:
            self._held.append(call)


def _refuse(call: Call) -> None:
    problem = {
        "type": "about:blank",
        "status": 403,
        "code": "tests.refused",
        "title": "Refused",
        "detail": "This was refused so that the page shows what it says then.",
        "facts": {},
        "fields": {},
        "request_id": "a-test",
    }
    call.answer(problem, status=403, kind="application/problem+json")


class LostCalls:
    """Requests whose address ends in some way, lost while `are_lost`.

    Args:
        wire: Takes them.
        page: Whose requests they are.
        ending: How their addresses end.
        lose: What becomes of a lost one: by default the page is told that it failed.
    """

    def __init__(
        self, wire: Wire, page: Page, ending: str, *, lose: Callable[[Call], None] = Call.lose
    ) -> None:
        self.are_lost = True
        self._ending = ending
        self._lose = lose
        wire.take(page, self._take)

    def _take(self, call: Call) -> None:
        if self.are_lost and call.url.endswith(self._ending):
            self._lose(call)
        else:
            call.let_go()


def answer(wire: Wire, page: Page, answers: Mapping[str, object]) -> None:
    """Answer some requests with given JSON; the glob is matched against the whole address."""
    known = [(_pattern(glob), body) for glob, body in answers.items()]

    def take(call: Call) -> None:
        for pattern, body in known:
            if pattern.fullmatch(call.url):
                call.answer(body)
                return
        call.let_go()

    if known:
        wire.take(page, take)


def _pattern(glob: str) -> re.Pattern[str]:
    """Two stars stand for anything, one for anything within a part of the address."""
    words = {"**": ".*", "*": "[^/]*"}
    return re.compile(
        "".join(words.get(part, re.escape(part)) for part in re.split(r"(\*+)", glob))
    )
