"""Boards by page: weighed by keyboard, looked at in every way, saved, taken along, framed."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import OWNER, Installation, MadeTask
from tests.browser.model_files import add_datasets, handler_zip, run_jobs

pytestmark = pytest.mark.browser

_CARD = {
    "intended_use": "Tests.",
    "training_data": "None.",
    "limitations": "It knows three words.",
    "licence": "Apache-2.0",
}
_BOARD = re.compile("models that have all that is weighed")


@pytest.fixture(scope="module")
def task(product: Installation, tmp_path_factory: pytest.TempPathFactory) -> MadeTask:
    """A task whose board has two published models besides its target."""
    task = product.make_task(title="Boarded")
    add_datasets(product, task)
    owner = product.client(OWNER)
    made = []
    for name, friendly in (("words", ("good", "lovely", "bright")), ("rival", ("good",))):
        files = handler_zip(tmp_path_factory.mktemp(name), friendly=friendly)
        made.append(
            owner.models.submit(model_path=files, task=task.slug, name=name, card=_CARD, wait=False)
        )
    run_jobs(product)
    for model_id in made:
        owner.models.publish(model_id)
    run_jobs(product)
    return task


def _board(page: Page) -> None:
    expect(page.get_by_role("table", name=_BOARD)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["table", "pareto", "rounds", "tags"])
def test_every_view_is_accessible_and_fits_a_telephone(
    task: MadeTask, open_page: OpenPage, view: str, scheme: str
) -> None:
    page = open_page("about:blank", OWNER)
    # "light" or "dark", as Playwright's types want them spelled out.
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{task.path}/leaderboard?view={view}&metrics=macro_f1:4")
    expect(page.get_by_role("tabpanel").last).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert violations(page) == []
    for width in (1280, 375):
        page.set_viewport_size({"width": width, "height": 800})
        assert overflow(page) == []


def test_weights_are_set_by_keyboard_and_stand_in_the_address(
    task: MadeTask, open_page: OpenPage
) -> None:
    page = open_page(f"{task.path}/leaderboard?metrics=macro_f1:4")
    _board(page)
    slider = page.get_by_role("slider", name=re.compile("^Throughput"))
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"throughput%3A2|throughput:2"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^2 of 5, 33"))
    page.go_back()
    expect(slider).to_have_value("0")
    page.get_by_role("button", name="Back to the task's own weights").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/leaderboard$"))


def test_a_rank_is_an_interval_and_a_snapshot_stays(
    task: MadeTask, open_page: OpenPage, product: Installation
) -> None:
    page = open_page(f"{task.path}/leaderboard?metrics=macro_f1:4", OWNER)
    _board(page)
    rows = page.get_by_role("table", name=_BOARD).get_by_role("row")
    expect(rows.nth(1)).to_contain_text("words v1")
    page.get_by_role("button", name="Save this board").click()
    dialog = page.get_by_role("dialog", name="Save this board")
    dialog.get_by_role("radio", name=re.compile("Everything")).check()
    dialog.get_by_label("Name").fill("First day")
    dialog.get_by_role("button", name="Freeze the board").click()
    expect(page.get_by_role("heading", level=1, name="First day")).to_be_visible()
    expect(page.get_by_text(re.compile("it never changes"))).to_be_visible()
    board = page.get_by_role("table", name=_BOARD)
    before = board.inner_text()
    product.client(OWNER).models.withdraw(_model_of(product, task, "rival"))
    page.reload()
    # Its numbers stay, and its name is not shown while it is withdrawn.
    expect(board).to_contain_text("withdrawn model v1")
    expect(board).not_to_contain_text("rival")
    product.client(OWNER).models.publish(_model_of(product, task, "rival"))
    page.reload()
    expect(board).to_have_text(before, use_inner_text=True)
    page.get_by_role("link", name="Today's board").click()
    expect(page.get_by_role("link", name="First day")).to_be_visible()


def _model_of(product: Installation, task: MadeTask, name: str) -> str:
    found = [one for one in product.client(OWNER).models.list(task.slug) if one.name == name]
    return str(found[0].id)


@contextmanager
def _site_with(body: str) -> Iterator[str]:
    """Serve a page as another site on this machine does; gives its address."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<link rel=icon href=data:,><title>Site</title>{body}".encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_a_board_is_taken_along_and_shown_elsewhere(
    task: MadeTask, open_page: OpenPage, product: Installation
) -> None:
    page = open_page(f"{task.path}/leaderboard?metrics=macro_f1:4")
    _board(page)
    with page.expect_download() as taken:
        page.get_by_role("link", name="CSV").click()
    assert "words" in Path(taken.value.path()).read_text(encoding="utf-8")
    page.get_by_role("button", name="Embed").click()
    code = page.get_by_role("dialog").locator("code").inner_text()
    found = re.search('src="([^"]+)"', code)
    assert found is not None
    with _site_with(
        f'<iframe src="{found[1]}" title="Board" width="900" height="600"></iframe>'
    ) as url:
        other = open_page(url)
        inside = other.frame_locator("iframe")
        expect(inside.get_by_role("table", name=_BOARD)).to_be_visible()
        expect(inside.get_by_role("navigation")).to_have_count(0)
    # Nothing else may be framed.
    assert (
        page.request.get(f"{product.address}{task.path}")
        .headers["content-security-policy"]
        .endswith("frame-ancestors 'none'")
    )
