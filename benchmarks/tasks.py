"""Figures of tasks: a list of a thousand, a config checked cold, a page that can be written in."""

import asyncio
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.load import reading, run
from benchmarks.product import Product
from benchmarks.report import Report
from benchmarks.wire import Connection

CATALOG = Path(__file__).resolve().parent.parent / "dynabench" / "catalog"
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
TASKS = 1_000
_AT_ONCE = 8
_ASKED = 60
_OPENED = 5
_CHECKED = 3
_JOB_SECONDS = 300.0
# What a person writes, chooses or says first on the create page.
_WRITABLE = "main form :is(textarea, input, select, button[type=submit]):enabled:visible"


def configs() -> list[Path]:
    """Return the config of every core and gallery task."""
    return sorted(CATALOG.glob("tasks/*/task.yaml")) + sorted(CATALOG.glob("gallery/*/task.yaml"))


async def measure_list(product: Product, report: Report) -> None:
    """Fill the list up to a thousand tasks and read it, as a visitor and as an administrator."""
    admin = await _administrator(product)
    text = (CATALOG / "tasks" / "nli" / "task.yaml").read_text(encoding="utf-8")
    known = (await admin.request("GET", "/api/v1/tasks")).json()
    assert isinstance(known, list)
    numbers = iter(range(TASKS - len(known)))
    connections = [
        Connection(product.port, {"cookie": admin.headers["cookie"]}) for _ in range(_AT_ONCE)
    ]

    async def fill(connection: Connection) -> None:
        for number in numbers:
            slug = f"listed-{number}"
            config = text.replace("\ntitle: ", f"\ntitle: {number} ")
            made = await connection.request(
                "POST", "/api/v1/tasks", {"slug": slug, "config": config}
            )
            assert made.status == 201, made.body
            opened = await connection.request("POST", f"/api/v1/tasks/{slug}/activate")
            assert opened.status == 200, opened.body

    await asyncio.gather(*(fill(one) for one in connections))
    for who, reader in (("visitor", Connection(product.port)), ("administrator", admin)):
        measured = await run(
            f"GET tasks, {TASKS} tasks, {who}",
            [reader],
            reading("/api/v1/tasks"),
            seconds=60,
            turns=_ASKED,
        )
        report.add(measured)
        value = measured.quantile(0.95)
        report.figure(
            f"{measured.name}, p95",
            value=f"{value:.1f} ms",
            wanted="< 100 ms",
            holds=value < 100 and not measured.errors,
        )
    for one in (admin, *connections):
        await one.close()


async def add_gallery(product: Product) -> list[str]:
    """Add every gallery task, as an administrator does; returns what can be written in then."""
    admin = await _administrator(product)
    entries = (await admin.request("GET", "/api/v1/gallery")).json()
    assert isinstance(entries, list)
    for entry in entries:
        asked = await admin.request("POST", f"/api/v1/gallery/{entry['name']}", {})
        assert asked.status == 202, asked.body
        await _done(admin, asked.json())
    found = (await admin.request("GET", "/api/v1/current-rounds")).json()
    assert isinstance(found, list)
    await admin.close()
    return sorted(str(one["task_slug"]) for one in found if one["round"]["status"] == "open")


async def _done(admin: Connection, job: object) -> None:
    assert isinstance(job, dict)
    ends = time.monotonic() + _JOB_SECONDS
    while time.monotonic() < ends:
        found = (await admin.request("GET", f"/api/v1/jobs/{job['id']}")).json()
        assert isinstance(found, dict)
        if found["finished_at"] is not None:
            assert found["error"] is None, found["error"]
            return
        await asyncio.sleep(0.2)
    message = f"the job {job['name']} did not end"
    raise RuntimeError(message)


async def _administrator(product: Product) -> Connection:
    admin = Connection(product.port)
    answer = await admin.request(
        "POST", "/api/v1/session", {"username": "admin", "password": product.admin_password}
    )
    assert answer.status == 200, answer.body
    admin.headers["cookie"] = admin.cookie
    return admin


def measure_checks(report: Report) -> None:
    """Check every config in a process of its own, start included."""
    slowest = (0.0, "")
    for file in configs():
        command = [sys.executable, "-m", "dynabench.app.cli.main", "task", "check", str(file)]
        seconds = []
        for _ in range(_CHECKED):
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own files
            seconds.append(time.perf_counter() - started)
        report.samples[f"task check {file.parent.name}"] = seconds
        slowest = max(slowest, (statistics.median(seconds), file.parent.name))
    report.figure(
        f"dynabench task check, cold, slowest of {len(configs())} configs ({slowest[1]}), median",
        value=f"{slowest[0]:.2f} s",
        wanted="< 1 s",
        holds=slowest[0] < 1,
    )


def measure_pages(product: Product, report: Report, slugs: list[str]) -> None:
    """Open each task's create page in a fresh browser context until one can write in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        cookie = _browser_cookie(product, browser)
        _open(browser, product, slugs[0], cookie)
        slowest = (0.0, "")
        for slug in slugs:
            seconds = [_open(browser, product, slug, cookie) for _ in range(_OPENED)]
            report.samples[f"create page {slug}"] = seconds
            slowest = max(slowest, (statistics.median(seconds), slug))
        browser.close()
    report.figure(
        f"create page interactive, slowest of {len(slugs)} tasks ({slowest[1]}), median",
        value=f"{slowest[0]:.2f} s",
        wanted="< 1.5 s",
        holds=slowest[0] < 1.5,
    )


def _browser_cookie(product: Product, browser: Browser) -> str:
    """Sign somebody in whose tries count, and return the browser state's file-less form."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{product.port}")
    answer = context.request.post(
        "/api/v1/session", data={"username": "admin", "password": product.admin_password}
    )
    assert answer.ok, answer.text()
    (cookie,) = context.cookies()
    context.close()
    return f"{cookie['name']}={cookie['value']}"


def _open(browser: Browser, product: Product, slug: str, cookie: str) -> float:
    """Return the seconds from the address to the first thing to write in, nothing cached."""
    address = f"http://127.0.0.1:{product.port}"
    context = browser.new_context(base_url=address)
    name, _, value = cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": address}])
    page = context.new_page()
    started = time.perf_counter()
    page.goto(f"/tasks/{slug}/create", wait_until="commit")
    writable = page.locator(_WRITABLE).first
    accept = page.get_by_role("button", name="Show it")
    writable.or_(accept).first.wait_for()
    if accept.count():
        # A content warning is accepted first: to read it is a person's time, not the page's.
        accept.click()
        writable.wait_for()
    seconds = time.perf_counter() - started
    context.close()
    return seconds
