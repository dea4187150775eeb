"""Kill every process of a running product in turn under load, and check every promise.

    python tools/chaos.py --kills 50

32 clients write and vote with idempotency keys; whatever was answered with 2xx is read back
through the API at the end, nothing else may be stored, and every derived value is computed
again. The exit status is 1 where anything was lost, doubled or wrong.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# Found only after the line above.
from tests.stories.chaos.storm import Report, run_storm


def _table(report: Report) -> Table:
    table = Table("What", "How much")
    for victim, kills in report.kills.items():
        silence = report.longest_silence_seconds.get(victim, 0.0)
        table.add_row(f"kill -9 of {victim}", f"{kills}, served again within {silence:.1f} s")
    table.add_row("kills", str(sum(report.kills.values())))
    table.add_row("clients", str(report.clients))
    table.add_row("seconds of load", f"{report.load_seconds:.0f}")
    table.add_row("examples promised", str(report.examples))
    table.add_row("votes promised", str(report.votes))
    for name, times in sorted(report.seen.items()):
        table.add_row(f"answer or failure: {name}", str(times))
    table.add_row("promises broken, things doubled, values wrong", str(len(report.findings)))
    return table


def main() -> int:
    """Run the storm and print what it found; the exit status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=32)
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="dynabench-chaos-") as folder:
        report = asyncio.run(
            run_storm(
                Path(folder), kills=arguments.kills, clients=arguments.clients, tell=console.print
            )
        )
    console.print(_table(report))
    for finding in report.findings[:50]:
        console.print(finding, markup=False)
    if report.findings:
        console.print(report.log, markup=False)
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
