"""Chromium before the real product; without a browser these tests are skipped, and say so."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import psycopg
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Cookie,
    Page,
    expect,
    sync_playwright,
)

from dynabench.app.server.page import page_folder
from tests.browser.installation import PASSWORD, STANDING, Installation, installed
from tests.browser.watching import ConsoleWatch
from tests.browser.windows import Windows
from tests.browser.wire import Wire

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Long enough for a machine that does much else; what comes is not waited for any longer.
_PATIENCE_MS = 30_000

OpenPage = Callable[..., Page]
SignIns = dict[str, list[Cookie]]

expect.set_options(timeout=_PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Where the browser is; there is also a page to show in it."""
    assert (page_folder() / "index.html").is_file(), "The page is not built: run `make page`."
    if not CHROMIUM.is_file():
        message = f"There is no browser at {CHROMIUM} (Debian: apt-get install chromium)."
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return CHROMIUM


@pytest.fixture(scope="session")
def product(chromium: Path, postgres_url: str, template_database: str) -> Iterator[Installation]:
    """One running product per test process; tests make their own tasks in it."""
    assert chromium.is_file()
    name = f"browser_{os.getpid()}"
    start, _, options = postgres_url.partition("?")
    url = f"{start.rpartition('/')[0]}/{name}" + (f"?{options}" if options else "")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template_database}"'.encode())
        with (
            tempfile.TemporaryDirectory(prefix="dynabench-browser-") as home,
            installed(database_url=url, home=Path(home)) as product,
        ):
            yield product
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def _life_of_a_browser(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:
    """Keep one browser where nothing but browser tests runs, else one per module.

    Playwright's loop holds the thread, which async tests need too.
    """
    del fixture_name
    return "session" if config.option.markexpr == "browser" else "module"


@pytest.fixture(scope=_life_of_a_browser)
def browser(chromium: Path, product: Installation) -> Iterator[Browser]:
    """The browser, in which every page gets a context of its own; it ends before the server."""
    assert product.address
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def console() -> Iterator[ConsoleWatch]:
    """The consoles of the test's pages, which have to stay silent."""
    watch = ConsoleWatch()
    yield watch
    assert watch.unexpected() == []


@pytest.fixture(scope=_life_of_a_browser)
def windows(browser: Browser, product: Installation) -> Windows:
    """The browser's windows."""
    return Windows(browser, address=product.address, patience_ms=_PATIENCE_MS)


@pytest.fixture(scope="session")
def sign_ins() -> SignIns:
    """The cookies of the standing people; whom one test made signs in each time."""
    return {}


@pytest.fixture
def wire() -> Wire:
    """What comes of the requests of the test's pages, where that is not for the server to say."""
    return Wire()


@pytest.fixture
def open_page(
    windows: Windows, console: ConsoleWatch, wire: Wire, sign_ins: SignIns
) -> Iterator[OpenPage]:
    """Open an address as somebody, in a window of their own; None is a visitor.

    "about:blank" is a window in which nothing of ours is open yet.
    """

    def opened(
        path: str, reader: str | None = None, *, width: int = 1280, locale: str = "en-GB"
    ) -> Page:
        page = windows.take(locale=locale, width=width)
        if reader is not None:
            _sign_in(page.context, reader, sign_ins)
        console.watch(page)
        if path != "about:blank":
            page.goto(path)
        return page

    yield opened
    wire.leave()
    console.leave()
    windows.leave_all()


def _sign_in(context: BrowserContext, reader: str, sign_ins: SignIns) -> None:
    if reader in sign_ins:
        for kept in sign_ins[reader]:
            context.add_cookies(
                [
                    {
                        "name": kept["name"],
                        "value": kept["value"],
                        "domain": kept["domain"],
                        "path": kept["path"],
                        "httpOnly": kept["httpOnly"],
                        "secure": kept["secure"],
                        "sameSite": kept["sameSite"],
                    }
                ]
            )
        return
    answer = context.request.post(
        "/api/v1/session", data={"username": reader, "password": PASSWORD}
    )
    assert answer.ok, answer.text()
    if reader in STANDING:
        sign_ins[reader] = context.cookies()
