"""Windows of the browser, which tests leave tidy and later tests take over."""

from playwright.sync_api import Browser, Error, Page

# Something of the same site that is no page of ours: what a page writes as it is left, it has
# written by then.
_OUTSIDE = "/api/v1/session"
_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Windows:
    """Windows with a context of their own; one that is taken over still has the page's scripts.

    To load them anew costs three times as much as everything else that a page does. Nothing
    else is left of what was done before: no cookie, nothing stored, no route, no theme.
    """

    def __init__(self, browser: Browser, *, address: str, patience_ms: float) -> None:
        self._browser = browser
        self._address = address
        self._patience_ms = patience_ms
        self._free: dict[str, list[Page]] = {}
        self._taken: list[tuple[str, Page]] = []

    def take(self, *, locale: str, width: int) -> Page:
        """Return a window that nobody else has, for somebody who reads in a language."""
        free = self._free.get(locale)
        page = free.pop() if free else self._open(locale)
        self._taken.append((locale, page))
        page.set_viewport_size({"width": width, "height": 800})
        return page

    def leave_all(self) -> None:
        """Tidy what was taken, for others."""
        while self._taken:
            locale, page = self._taken.pop()
            if _is_tidied(page):
                self._free.setdefault(locale, []).append(page)
            else:
                page.context.close()

    def _open(self, locale: str) -> Page:
        context = self._browser.new_context(
            base_url=self._address, reduced_motion="reduce", locale=locale
        )
        context.set_default_timeout(self._patience_ms)
        return context.new_page()


def _is_tidied(page: Page) -> bool:
    """Tidy a window; one that crashed, was closed or has opened others is no good any more."""
    if page.is_closed() or page.context.pages != [page]:
        return False
    try:
        page.unroute_all(behavior="ignoreErrors")
        page.emulate_media(color_scheme="light")
        page.goto(_OUTSIDE)
        page.evaluate(_FORGET)
        page.context.clear_cookies()
    except Error:
        return False
    return True
