"""The report: raw samples as JSON, and a page for people beside it."""

import json
import os
import platform
import subprocess
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.load import Measured


@dataclass
class Report:
    """Everything one run measured.

    Attributes:
        examples: How many examples were there before.
        name: What its files are called.
        title: The heading of its page.
        setting: What ran beside the load.
    """

    examples: int
    name: str
    title: str
    setting: str = (
        "One server process, one worker, the embedded PostgreSQL and the load itself share the "
        "machine."
    )
    figures: list[tuple[str, str, str, bool]] = field(default_factory=list)
    samples: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)

    def add(self, measured: Measured) -> None:
        """Keep a load's samples."""
        self.samples[measured.name] = [round(one, 6) for one in measured.seconds]
        if measured.errors:
            self.errors[measured.name] = measured.errors[:20]

    def figure(self, what: str, *, value: str, wanted: str, holds: bool) -> None:
        """Keep one figure beside the one that was promised."""
        self.figures.append((what, value, wanted, holds))
        print(f"{'ok  ' if holds else 'MISS'} {what}: {value} (wanted {wanted})", flush=True)


def machine() -> dict[str, str]:
    """Describe the machine as far as it matters here."""
    model = "unknown"
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": model,
        "cores": str(os.cpu_count()),
        "memory_gib": f"{memory:.0f}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        # A shared machine is faster at one time than at another: what its core does just now.
        "ten_million_additions": f"{_additions_seconds():.2f} s",
        "load_before": " ".join(f"{one:.2f}" for one in os.getloadavg()),
    }


def _additions_seconds() -> float:
    started = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - started


def commit() -> str:
    """Return the commit under test, marked if the tree differs from it."""
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or "unknown"


def write(report: Report, folder: Path, *, about: dict[str, str]) -> int:
    """Write a JSON file with every sample and a page for people.

    Returns:
        How many figures were missed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = report.name
    raw = {
        "commit": commit(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": about,
        "database": report.settings,
        "examples": report.examples,
        "figures": [
            {"what": what, "value": value, "wanted": wanted, "holds": holds}
            for what, value, wanted, holds in report.figures
        ],
        "memory_mib": report.memory,
        "errors": report.errors,
        "samples_seconds": report.samples,
    }
    (folder / f"{name}.json").write_text(json.dumps(raw, separators=(",", ":")) + "\n")
    lines = [
        f"# {report.title}",
        "",
        (f"Commit {raw['commit']}, {raw['time']}. {report.setting}"),
        "",
        "| machine | |",
        "| --- | --- |",
        *(f"| {key} | {value} |" for key, value in {**about, **report.settings}.items()),
        "",
        "| figure | measured | wanted | |",
        "| --- | --- | --- | --- |",
        *(
            f"| {what} | {value} | {wanted} | {'holds' if holds else '**missed**'} |"
            for what, value, wanted, holds in report.figures
        ),
        "",
        f"Every sample is in `{name}.json`.",
        "",
    ]
    (folder / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")
    return sum(not holds for *_, holds in report.figures)
