"""`make bench`: the loop's figures on the real product, over real HTTP, on loopback."""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from uuid import UUID

import psycopg

from benchmarks import boards, exports, perturbing, releases, sandbox, scales, scoring
from benchmarks.installation import new_home
from benchmarks.load import Measured, people, reading, run, submitting, validating
from benchmarks.product import Product, running
from benchmarks.report import Report, machine, write
from benchmarks.seed import Scene, seed
from benchmarks.tasks import add_gallery, measure_checks, measure_list, measure_pages
from benchmarks.wire import Connection

ROOT = Path(__file__).resolve().parent.parent
TASK = "sentiment"
_ONE, _MANY = 1, 32
NAMED: Mapping[str, Callable[[Path], int]] = {
    "boards": boards.measure,
    "exports": exports.measure,
    "perturbing": perturbing.measure,
    "releases": releases.measure,
    "sandbox": sandbox.measure,
    "scales": scales.measure,
    "scoring": scoring.measure,
}
"""Measurements that need no seeded examples, each of which tells how many figures it missed."""


async def _scene(product: Product, examples: int) -> tuple[Scene, Connection]:
    """Open a roomy round of a core task and fill it."""
    admin = Connection(product.port)
    answer = await admin.request(
        "POST", "/api/v1/session", {"username": "admin", "password": product.admin_password}
    )
    assert answer.status == 200, answer.body
    admin.headers["cookie"] = admin.cookie
    found = (await admin.request("GET", f"/api/v1/tasks/{TASK}/rounds")).json()
    assert isinstance(found, list)
    target = found[0]["targets"][0]["model_id"]
    await admin.request("POST", f"/api/v1/rounds/{found[0]['id']}/close")
    draft = (
        await admin.request(
            "POST",
            f"/api/v1/tasks/{TASK}/rounds",
            {"target_model_ids": [target], "max_tries": 1000},
        )
    ).json()
    assert isinstance(draft, dict)
    opened = await admin.request("POST", f"/api/v1/rounds/{draft['id']}/open")
    assert opened.status == 200, opened.body
    task = (await admin.request("GET", f"/api/v1/tasks/{TASK}")).json()
    assert isinstance(task, dict)
    scene = await asyncio.to_thread(
        seed,
        product.database_url,
        task_id=UUID(task["id"]),
        round_id=UUID(draft["id"]),
        model_id=UUID(target),
        examples=examples,
    )
    return scene, admin


def _latency(report: Report, measured: Measured, *, p50: float | None, p95: float) -> None:
    report.add(measured)
    if p50 is not None:
        value = measured.quantile(0.5)
        report.figure(
            f"{measured.name}, p50, {measured.clients} client",
            value=f"{value:.1f} ms",
            wanted=f"< {p50:.0f} ms",
            holds=value < p50,
        )
    value = measured.quantile(0.95)
    report.figure(
        f"{measured.name}, p95, {measured.clients} client",
        value=f"{value:.1f} ms",
        wanted=f"< {p95:.0f} ms",
        holds=value < p95 and not measured.errors,
    )


def _throughput(report: Report, measured: Measured, *, wanted: float) -> None:
    report.add(measured)
    report.figure(
        f"{measured.name}, {measured.clients} clients",
        value=f"{measured.per_second:.0f} per second, {len(measured.errors)} errors",
        wanted=f"> {wanted:.0f} per second, no error",
        holds=measured.per_second > wanted and not measured.errors,
    )


async def _measure(product: Product, report: Report, *, seconds: float, slack: float) -> None:
    scene, admin = await _scene(product, report.examples)
    everyone = await people(product.port, _MANY, prefix="bench")
    one = everyone[:_ONE]
    await run("warm-up", everyone, submitting(scene), seconds=2)
    _latency(
        report,
        await run("submit", one, submitting(scene), seconds=seconds),
        p50=10 * slack,
        p95=25 * slack,
    )
    _throughput(
        report,
        await run("submit at once", everyone, submitting(scene), seconds=seconds),
        wanted=250 / slack,
    )
    _latency(
        report,
        await run("next and vote", one, validating(scene), seconds=seconds, turns=400),
        p50=None,
        p95=20 * slack,
    )
    _throughput(
        report,
        await run("next and vote at once", everyone, validating(scene), seconds=seconds),
        wanted=400 / slack,
    )
    await _read_pages(report, one, scene)
    await _read_settings(product, report)
    for connection in (*everyone, admin):
        await connection.close()


async def _read_pages(report: Report, one: list[Connection], scene: Scene) -> None:
    round_ = f"/api/v1/rounds/{scene.round_id}"
    total = 0.0
    for path in (
        f"/api/v1/tasks/{TASK}",
        f"/api/v1/tasks/{TASK}/current-round",
        f"/api/v1/tasks/{TASK}/rounds",
        f"{round_}/annotators",
        f"{round_}/days",
        f"/api/v1/tasks/{TASK}/scores",
        "/api/v1/current-rounds",
    ):
        measured = await run(f"GET {path.split('/')[-1]}", one, reading(path), seconds=20, turns=40)
        report.add(measured)
        total = max(total, measured.quantile(0.95))
    report.figure(
        "task page, slowest of its requests, p95",
        value=f"{total:.1f} ms",
        wanted="< 50 ms",
        holds=total < 50,
    )


async def _read_settings(product: Product, report: Report) -> None:
    with psycopg.connect(product.database_url) as connection:
        for name in ("server_version", "fsync", "synchronous_commit", "shared_buffers"):
            row = connection.execute(f"SHOW {name}".encode()).fetchone()
            report.settings[name] = str(row[0]) if row else ""


def _idle(product: Product, report: Report) -> None:
    time.sleep(5)
    report.memory = {name: round(size, 1) for name, size in product.memory_mib().items()}
    total = sum(report.memory.values())
    report.figure(
        "idle memory of everything, four warm targets, PSS",
        value=f"{total:.0f} MiB",
        wanted="< 600 MB",
        holds=total * 2**20 < 600e6,
    )


async def _warm_targets(product: Product) -> None:
    """Ask each core task's target once."""
    visitor = Connection(product.port)
    for task in ("nli", "qa", "sentiment", "hate-speech"):
        sample = (await visitor.request("GET", f"/api/v1/tasks/{task}/sample-context")).json()
        assert isinstance(sample, dict)
        content = sample["content"]
        inputs = {"nli": {"hypothesis": "It rains."}, "qa": {"question": "What is it?"}}.get(
            task, {"statement": "It was fine."}
        )
        text = str(next(iter(content.values()), ""))[:3]
        answer: object = {
            "label": {"nli": "neutral", "hate-speech": "not-hateful"}.get(task, "neutral")
        }
        if task == "qa":
            answer = {"answer": {"text": text, "start": 0, "end": 3}}
        body = {"context_id": sample["id"], "inputs": inputs, "answer": answer}
        found = await visitor.request("POST", f"/api/v1/tasks/{task}/tries", body)
        assert found.status == 200, found.body
    await visitor.close()


def _tasks(port: int, out: Path) -> int:
    """Measure what many tasks and their configs cost; returns how many figures are missed."""
    about = machine()
    report = Report(0, "tasks-1000", "A thousand tasks, their configs and their pages")
    with new_home() as home, running(home, port=port) as product:
        slugs = asyncio.run(add_gallery(product))
        measure_pages(product, report, slugs)
        asyncio.run(measure_list(product, report))
        asyncio.run(_read_settings(product, report))
    measure_checks(report)
    return write(report, out, about=about)


def main() -> int:
    """Measure and report; the exit status is 1 where a figure is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, nargs="*", default=[20_000, 1_000_000])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks")
    parser.add_argument("--only", help="measure with this many examples there, or one of a name")
    parser.add_argument("--tasks", action="store_true", help="measure many tasks alone")
    arguments = parser.parse_args()
    if arguments.only in NAMED:
        return 1 if NAMED[arguments.only](arguments.out) else 0
    counts = [int(arguments.only)] if arguments.only else arguments.examples
    missed = 0
    if not arguments.only:
        missed = _tasks(arguments.port, arguments.out)
        if not arguments.tasks:
            missed += sum(measure(arguments.out) for measure in NAMED.values())
    if arguments.tasks:
        return 1 if missed else 0
    for examples in counts:
        about = machine()
        title = f"The loop with {examples:,} examples already there"
        report = Report(examples, f"loop-{examples}", title)
        # Figures at a million examples may be half again as large.
        slack = 1.0 if examples <= 50_000 else 1.5
        with new_home() as home:
            with running(home, port=arguments.port):
                pass
            with running(home, port=arguments.port) as product:
                report.figure(
                    "first page after a second start",
                    value=f"{product.seconds_to_first_page:.1f} s",
                    wanted="< 4 s",
                    holds=product.seconds_to_first_page < 4,
                )
                asyncio.run(_warm_targets(product))
                _idle(product, report)
                asyncio.run(_measure(product, report, seconds=arguments.seconds, slack=slack))
        missed += write(report, arguments.out, about=about)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
