"""Figures of perturbing: all transforms on many items, as the worker's job varies them."""

import asyncio
import json
import resource
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

from benchmarks.report import Report, machine, write
from dynabench.engines.processes.pool import ProcessPool
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.perturbing.rules import Recipe, recipe_of, vary
from dynabench.loop.datasets.perturbing.values import PerturbationOrder
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.science.perturbations.registry import TRANSFORMS
from dynabench.science.perturbations.values import TransformKind
from dynabench.science.task_config.loader import load_task_config

CATALOG = Path(__file__).resolve().parent.parent / "dynabench" / "catalog" / "tasks"
ITEMS = 10_000
WORDS = 25
PROCESSES = 2
SECONDS = 20
REPEATS = 3
_AT_ONCE = 100


def words() -> list[str]:
    """Return the words of the core tasks' contexts and training texts, one after the other."""
    found: list[str] = []
    for file in sorted(CATALOG.glob("*/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for part in ("context", "inputs"):
                texts = [one for one in row.get(part, {}).values() if isinstance(one, str)]
                found += [word for text in texts for word in text.split()]
    return found


def items() -> list[DatasetItem]:
    """Return items of a sentiment task, of 25 words each, that begin at different words."""
    source = words()
    return [
        DatasetItem(
            uid=f"item-{number}",
            split=Split.TEST,
            position=number,
            context={},
            inputs={"statement": " ".join(_slice(source, number * WORDS))},
            gold={"label": "positive"},
            tags=(),
            annotator="",
            is_fooling=None,
            is_verified=True,
            context_digest=b"",
        )
        for number in range(ITEMS)
    ]


def _slice(source: list[str], start: int) -> Iterator[str]:
    # A prime step past the end keeps later rounds from repeating earlier ones.
    offset = start // len(source) * 7
    return (source[(start + offset + place) % len(source)] for place in range(WORDS))


def recipes() -> list[Recipe]:
    """Return how both kinds vary them, with every transform there is."""
    config = load_task_config((CATALOG / "sentiment" / "task.yaml").read_text(encoding="utf-8"))
    return [
        recipe_of(
            config,
            PerturbationOrder(
                version_id=new_id(),
                kind=kind,
                transforms=tuple(name for name, one in TRANSFORMS.items() if one.kind is kind),
            ),
        )
        for kind in TransformKind
    ]


async def vary_all(originals: list[DatasetItem]) -> int:
    """Vary the items with everything; returns how many variants there are."""

    async def pages() -> AsyncIterator[list[DatasetItem]]:
        for start in range(0, len(originals), _AT_ONCE):
            yield originals[start : start + _AT_ONCE]

    count = 0
    async with ProcessPool(processes=PROCESSES) as pool:
        for recipe in recipes():
            async for _, variants in pool.map(partial(vary, recipe=recipe), pages()):
                count += len(variants)
    return count


def measure(out: Path) -> int:
    """Measure and report; returns how many figures are missed."""
    about = machine()
    report = Report(ITEMS, "perturbing", "Perturbing many items", setting=SETTING)
    originals = items()
    seconds: list[float] = []
    of_processors: list[float] = []
    variants = 0
    for _ in range(REPEATS):
        started, used = time.perf_counter(), _processor_seconds()
        variants = asyncio.run(vary_all(originals))
        seconds.append(time.perf_counter() - started)
        of_processors.append(_processor_seconds() - used)
    report.samples |= {"perturb": seconds, "perturb, processor seconds": of_processors}
    median = statistics.median(seconds)
    report.figure(
        f"{ITEMS:,} items of {WORDS} words, all {len(TRANSFORMS)} transforms, {variants:,} "
        f"variants, {PROCESSES} processes, median of {REPEATS}",
        value=f"{median:.1f} s ({statistics.median(of_processors):.1f} s of processors)",
        wanted=f"< {SECONDS} s",
        holds=median < SECONDS,
    )
    return write(report, out, about=about)


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it waited for."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


SETTING = "The job's function on pages of items, in its pool of processes, their start included."
