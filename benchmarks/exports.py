"""Figures of exports: a version of a million items as one file, from rows to the store."""

import asyncio
import json
import resource
import time
from pathlib import Path
from uuid import UUID

import psutil
import psycopg

from benchmarks.installation import add_version, services
from benchmarks.perturbing import words
from benchmarks.report import Report, machine, write
from dynabench.app.wiring import Wiring
from dynabench.kit.db.database import libpq_url
from dynabench.loop.datasets.archives.making.service import ArchiveMaker
from dynabench.loop.datasets.archives.values import Archive
from dynabench.loop.tasks.service import TaskService

ITEMS = 1_000_000
SECONDS = 60
MEBIBYTES = 1_024
_LABELS = ("entailment", "neutral", "contradiction")
_PREMISE, _HYPOTHESIS = 50, 10
_CONFIG = """
title: Exporting
context: [{name: premise, type: string}]
input:
  - {name: hypothesis, type: string}
  - {name: label, type: multiclass, labels: [entailment, neutral, contradiction]}
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""


async def _quiet(done: float, total: float, message: str) -> None:
    """Tell nobody."""
    del done, total, message


def measure(out: Path) -> int:
    """Measure and report; returns how many figures are missed."""
    about = machine()
    report = Report(
        ITEMS,
        "exports",
        "Exporting a million items",
        setting="One worker and the embedded PostgreSQL share the machine.",
    )
    with services() as (wiring, _):
        asyncio.run(_measure(wiring, report))
    return write(report, out, about=about)


async def _measure(wiring: Wiring, report: Report) -> None:
    try:
        task = await wiring.get(TaskService).ensure("exporting", _CONFIG)
        version_id = await asyncio.to_thread(_seed, wiring.db.url, task.id)
        before = psutil.Process().memory_info().rss
        started, used = time.perf_counter(), time.process_time()
        made = await wiring.get(ArchiveMaker).make(version_id, progress=_quiet)
        seconds, of_processor = time.perf_counter() - started, time.process_time() - used
        assert made is not None
        _tell(report, made, seconds=seconds, of_processor=of_processor, before=before)
    finally:
        await wiring.close()


def _tell(
    report: Report, made: Archive, *, seconds: float, of_processor: float, before: int
) -> None:
    report.samples["archive"] = [seconds]
    report.figure(
        f"{ITEMS:,} items as JSON lines and Parquet in one zip, stored",
        value=f"{seconds:.1f} s ({of_processor:.1f} s of the worker's processors)",
        wanted=f"< {SECONDS} s",
        holds=seconds < SECONDS,
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report.memory |= {"before": before / 2**20, "peak": peak}
    report.figure(
        "Peak memory of the worker",
        value=f"{peak:,.0f} MiB ({before / 2**20:,.0f} MiB before)",
        wanted=f"< {MEBIBYTES:,} MiB",
        holds=peak < MEBIBYTES,
    )
    unpacked = sum(file.size_bytes for file in made.files)
    sizes = f"{made.size_bytes / 2**20:,.0f} MiB, unpacked {unpacked / 2**20:,.0f} MiB"
    report.settings["the file"] = sizes


def _seed(url: str, task_id: UUID) -> UUID:
    """Write a version straight into the tables: 98 % train, as a release of this size has it."""
    few = ITEMS // 100
    sizes = {"train": ITEMS - 2 * few, "dev": few, "test": few}
    source = words()
    with psycopg.connect(libpq_url(url)) as connection:
        version_id = add_version(connection, task_id, name="exporting", sizes=sizes)
        with connection.cursor().copy(
            "COPY dataset_items (version_id, uid, split, position, context, inputs, gold, tags,"
            " annotator, is_fooling, is_verified, context_digest) FROM STDIN"
        ) as copy:
            for number in range(ITEMS):
                copy.write_row(_row(source, version_id, number, few=few))
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE dataset_items")
    return version_id


def _row(source: list[str], version_id: UUID, number: int, *, few: int) -> list[object]:
    split = "test" if number < few else "dev" if number < 2 * few else "train"
    # A prime spreads uids over the set, as digests are.
    uid = f"{number * 7_919_973_713 % 2**64:016x}"
    premise, hypothesis = (
        _words(source, number * 13, size=_PREMISE),
        _words(source, number * 29 + 7, size=_HYPOTHESIS),
    )
    return [
        *(version_id, uid, split, number, json.dumps({"premise": premise})),
        *(json.dumps({"hypothesis": hypothesis}), json.dumps({"label": _LABELS[number % 3]})),
        *(["news"], f"annotator-{number % 1000}", number % 2 == 0, number % 3 == 0, bytes(32)),
    ]


def _words(source: list[str], start: int, *, size: int) -> str:
    step = 1 + start // len(source) % 7
    return " ".join(source[(start + place * step) % len(source)] for place in range(size))
