"""Figures of releasing: from a closed round of a million attempts to a frozen dataset."""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import psycopg

from benchmarks.installation import database, wire_to
from benchmarks.report import Report, machine, write
from benchmarks.seed import seed
from dynabench.kit.db.database import libpq_url
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.values import OpenVerdicts, ReleaseOrder
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Submission
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan
from dynabench.loop.tasks.service import TaskService

EXAMPLES = 1_000_000
SECONDS = 120
GIGABYTES = 1.5
_CONFIG = """
title: Releasing
context: [{name: prompt, type: string}]
input:
  - {name: statement, type: string}
  - {name: label, type: multiclass, labels: [positive, negative, neutral]}
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: macro_f1, reference_name: label}
"""


def measure(out: Path) -> int:
    """Measure and write the report; returns how many figures are missed."""
    about = machine()
    report = Report(
        EXAMPLES,
        "releases",
        "Releasing a round of a million attempts",
        setting="One worker and the embedded PostgreSQL share the machine.",
    )
    with database() as (url, home):
        make_release(url, home, report)
    return write(report, out, about=about)


def make_release(url: str, home: Path, report: Report) -> UUID:
    """Fill a round and have a worker of its own release it; returns the dataset version."""
    round_id = asyncio.run(_fill(url, home))
    with psycopg.connect(libpq_url(url), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    found = json.loads(
        subprocess.run(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", __name__, url, str(home), str(round_id)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    report.settings |= {f"after {one}": seconds for one, seconds in found["steps"].items()}
    report.settings |= {
        "items": f"{found['items']:,}",
        "processor time of the worker": f"{found['processor_seconds']:.1f} s",
        "load while it ran": " ".join(f"{one:.2f}" for one in os.getloadavg()),
    }
    report.figure(
        f"release of {report.examples:,} attempts, {found['items']:,} items in it",
        value=f"{found['seconds']:.1f} s",
        wanted=f"< {SECONDS} s",
        holds=found["seconds"] < SECONDS,
    )
    report.figure(
        "peak memory of the worker that releases them",
        value=f"{found['gigabytes']:.2f} GB",
        wanted=f"< {GIGABYTES} GB",
        holds=found["gigabytes"] < GIGABYTES,
    )
    return UUID(found["version_id"])


async def _fill(url: str, home: Path) -> UUID:
    wiring = wire_to(url, home)
    try:
        task = await wiring.get(TaskService).ensure("releasing", _CONFIG)
        async with wiring.db.transaction() as session:
            model = await wiring.get(ModelService).register_handler(
                session, Submission(name="target", digest="sha256:" + "0" * 64), task=task
            )
        async with wiring.db.transaction() as session:
            round_ = await wiring.get(RoundService).create_closed(
                session,
                RoundPlan(target_model_ids=(model.id,)),
                task=task,
                number=1,
                reason="Enough.",
            )
    finally:
        await wiring.close()
    plain = libpq_url(url)
    await asyncio.to_thread(
        seed, plain, task_id=task.id, round_id=round_.id, model_id=model.id, examples=EXAMPLES
    )
    with psycopg.connect(plain) as connection:
        _add_votes(connection)
    return round_.id


def _add_votes(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Give every decided example three votes that agree and now and then one that does not."""
    connection.execute("SET session_replication_role = replica")
    connection.execute(
        "INSERT INTO validations (id, example_id, round_id, validator_id, vote, created_at)"
        " SELECT gen_random_uuid(), o.example_id, o.round_id, v.id,"
        " CASE WHEN v.place = 4 THEN 'incorrect' ELSE 'correct' END, now()"
        " FROM outcomes o CROSS JOIN (SELECT id, row_number() OVER () AS place"
        " FROM users LIMIT 4) v"
        " WHERE o.verdict = 'correct' AND (v.place < 4 OR hashtext(o.example_id::text) % 7 = 0)"
    )


async def _release(url: str, home: Path, round_id: UUID) -> dict[str, object]:
    """Release a round and tell how long it took and what it held in memory at most."""
    wiring = wire_to(url, home)
    steps: dict[str, str] = {}
    started = time.perf_counter()

    async def tell(done: float, total: float, message: str) -> None:
        del done, total
        steps[message] = f"{time.perf_counter() - started:.1f} s"

    order = ReleaseOrder(
        round_id=round_id, seed=0, licence="CC0-1.0", open_verdicts=OpenVerdicts.SETTLE
    )
    try:
        version = await wiring.get(ReleaseService).release(order, progress=tell)
    finally:
        await wiring.close()
    return {
        "seconds": time.perf_counter() - started,
        "processor_seconds": sum(
            spent.ru_utime + spent.ru_stime
            for spent in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        ),
        "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
        "items": version.items,
        "version_id": str(version.id),
        "steps": steps,
    }


if __name__ == "__main__":
    _url, _home, _round_id = sys.argv[1:]
    sys.stdout.write(json.dumps(asyncio.run(_release(_url, Path(_home), UUID(_round_id)))))
