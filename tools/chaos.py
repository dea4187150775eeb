"""Kill every process of a running product in turn under load, and check every promise.

    python tools/chaos.py --kills 50

32 clients write and vote with idempotency keys; whatever was answered with 2xx is read back
through the API at the end, nothing else may be stored, and every derived value is computed
again. The exit status is 1 where anything was lost, doubled or wrong.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# Found only after the line above.
from tests.stories.chaos.storm import Report, run_storm


def _kills(report: Report) -> Table:
    table = Table("kill -9 of", "Kills", "Served again after: median s", "longest s")
    for victim, seconds in report.recovery_seconds.items():
        times = (f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}")
        table.add_row(victim, str(report.kills[victim]), *times)
    table.add_row("together", str(sum(report.kills.values())))
    return table


def _promises(report: Report) -> Table:
    table = Table("What", "How much")
    failed = {name: times for name, times in report.seen.items() if not name.startswith("2")}
    rows: dict[str, object] = {
        "clients": report.clients,
        "seconds of load": round(report.load_seconds),
        "requests": report.requests,
        "answered with 2xx": report.accepted,
        **{f"answered or failed with {name}": times for name, times in sorted(failed.items())},
        "ids promised": f"{report.promised} ({report.examples} examples, {report.votes} votes)",
        "ids read back with equal content": report.read_back,
        "ids lost": report.lost,
        "other findings (doubled, unasked for, wrongly derived)": len(report.findings)
        - report.lost,
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    return table


def main() -> int:
    """Run the storm and print what it found; the exit status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=32)
    arguments = parser.parse_args()
    # Narrow output, as in a pipe, would break the table's words apart.
    console = Console(width=100)
    with tempfile.TemporaryDirectory(prefix="dynabench-chaos-") as folder:
        report = asyncio.run(
            run_storm(
                Path(folder), kills=arguments.kills, clients=arguments.clients, tell=console.print
            )
        )
    console.print(_kills(report))
    console.print(_promises(report))
    for finding in report.findings[:50]:
        console.print(finding, markup=False)
    if report.findings:
        console.print(report.log, markup=False)
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
