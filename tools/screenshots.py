"""Picture every page of a running product, wide and narrow, in both themes, to be looked at.

`python tools/screenshots.py FOLDER --address http://127.0.0.1:8000 --user admin=SECRET`
signs in as each `--user NAME=PASSWORD`; the first is the owner of the owner's pages, the
last the one who writes and validates. A page is pictured whole, not only its first screen.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

CHROMIUM = Path("/usr/bin/chromium")
WIDTHS = (1280, 375)
THEMES = ("light", "dark")
_HEIGHTS = {1280: 800, 375: 700}
_SETTLE_MS = 15_000


@dataclass(frozen=True)
class Picture:
    """One page to picture: what the file is called, where it is, who looks."""

    name: str
    path: str
    reader: str | None


def pictures(tasks: Sequence[str], *, owner: str, writer: str) -> Iterator[Picture]:
    """Yield every page of the product."""
    yield Picture("tasks", "/", None)
    yield Picture("sign-in", "/sign-in", None)
    yield Picture("sign-up", "/sign-up", None)
    yield Picture("password-reset", "/password-reset/a-secret", None)
    yield Picture("join", "/join/a-secret", writer)
    yield Picture("not-found", "/nothing/here", None)
    yield Picture("profile", f"/users/{writer}", writer)
    yield Picture("admin", "/admin", owner)
    for task in tasks:
        yield Picture(f"{task}-task", f"/tasks/{task}", None)
        yield Picture(f"{task}-sandbox", f"/tasks/{task}/create", None)
        yield Picture(f"{task}-create", f"/tasks/{task}/create", writer)
        yield Picture(f"{task}-validate", f"/tasks/{task}/validate", writer)
        yield Picture(f"{task}-round", f"/tasks/{task}/rounds/1", owner)
        yield Picture(f"{task}-owner", f"/tasks/{task}/owner", owner)
        yield Picture(f"{task}-submit", f"/tasks/{task}/submit", writer)
        yield Picture(f"{task}-compare", f"/tasks/{task}/compare", None)
        for page in ("examples", "contexts", "models", "members", "data"):
            yield Picture(f"{task}-owner-{page}", f"/tasks/{task}/owner/{page}", owner)


def _sign_in(context: BrowserContext, username: str, password: str) -> None:
    answer = context.request.post(
        "/api/v1/session", data={"username": username, "password": password}
    )
    if not answer.ok:
        message = f"{username} cannot sign in: {answer.text()}"
        raise SystemExit(message)


def _accept_warnings(page: Page) -> None:
    """Read the content warning, as somebody has to before there is more to see."""
    show = page.get_by_role("button", name="Show it")
    if show.count() > 0:
        show.click()
        page.wait_for_load_state("networkidle")


def _take(page: Page, picture: Picture, folder: Path, *, width: int, theme: str) -> None:
    page.goto(picture.path)
    page.wait_for_load_state("networkidle")
    _accept_warnings(page)
    path = folder / f"{picture.name}-{width}-{theme}.png"
    page.screenshot(path=path, full_page=True, animations="disabled")


def _tasks_at(browser: Browser, address: str) -> list[str]:
    context = browser.new_context(base_url=address)
    found = context.request.get("/api/v1/tasks").json()
    context.close()
    return [task["slug"] for task in found]


def _run(arguments: argparse.Namespace, people: dict[str, str]) -> int:
    taken = 0
    owner, writer = next(iter(people)), list(people)[-1]
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        tasks = arguments.task or _tasks_at(browser, arguments.address)
        wanted = list(pictures(tasks, owner=owner, writer=writer))
        for reader in (None, *people):
            for width in arguments.width:
                context = browser.new_context(
                    base_url=arguments.address,
                    viewport={"width": width, "height": _HEIGHTS.get(width, 800)},
                    reduced_motion="reduce",
                )
                context.set_default_timeout(_SETTLE_MS)
                if reader is not None:
                    _sign_in(context, reader, people[reader])
                page = context.new_page()
                for picture in wanted:
                    if picture.reader != reader or arguments.only not in picture.name:
                        continue
                    for theme in arguments.theme:
                        page.emulate_media(color_scheme=theme)
                        _take(page, picture, arguments.folder, width=width, theme=theme)
                        taken += 1
                context.close()
        browser.close()
    return taken


def main() -> int:
    """Take the pictures; returns the exit status for the shell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("--user", action="append", required=True, metavar="NAME=PASSWORD")
    parser.add_argument("--task", action="append", help="a task's slug; every task by default")
    parser.add_argument("--only", default="", help="only pictures whose name contains this")
    parser.add_argument("--width", type=int, action="append")
    parser.add_argument("--theme", choices=THEMES, action="append")
    arguments = parser.parse_args()
    arguments.width = arguments.width or WIDTHS
    arguments.theme = arguments.theme or THEMES
    people = dict(entry.split("=", 1) for entry in arguments.user)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    try:
        taken = _run(arguments, people)
    except BrowserError as error:
        sys.stderr.write(f"The browser could not go on: {error.message}\n")
        return 1
    sys.stdout.write(f"{taken} pictures are in {arguments.folder}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
