"""`make test-real`: tests on real public datasets; fails where they are absent.

It ends with a table of what was derived beside what was published. The table holds counts
and rates only, no text of the datasets, so that it can stand in a note.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("anli", "davidson", "dynasent", "hatecheck", "hatemoji", "ling_in_loop", "sst5")
COLUMNS = ("source", "what", "derived", "published")


def main() -> int:
    """Run the tests on real data; returns the exit status for the shell."""
    folder = Path(os.environ.get("DYNABENCH_REAL_DATA") or ROOT / "../shared/data").resolve()
    missing = [name for name in FOLDERS if not (folder / name).is_dir()]
    if missing:
        print(
            f"{folder} lacks the real datasets {', '.join(missing)}."
            " Name the folder that holds them in DYNABENCH_REAL_DATA."
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="dynabench-real-") as scratch:
        note = Path(scratch) / "note.jsonl"
        named = {"DYNABENCH_REAL_DATA": str(folder), "DYNABENCH_REAL_NOTE": str(note)}
        command = [sys.executable, "-m", "pytest", "tests/real", "-m", "real_data", "-q", "-n", "2"]
        # The interpreter that runs this file, with words of our own.
        status = subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=dict(os.environ) | named, check=False
        ).returncode
        lines = note.read_text(encoding="utf-8").splitlines() if note.exists() else []
    show([json.loads(line) for line in lines])
    return status


def show(notes: list[dict[str, object]]) -> None:
    """Print the notes as a table, each source's together; `null` is derived, “–” not published."""
    rows = [
        (
            str(one["source"]),
            str(one["what"]),
            "null" if one["derived"] is None else str(one["derived"]),
            "–" if one["published"] is None else str(one["published"]),
        )
        for one in sorted(notes, key=lambda one: str(one["source"]))
    ]
    widths = [max(len(row[place]) for row in [COLUMNS, *rows]) for place in range(len(COLUMNS))]
    rule = tuple("-" * width for width in widths)
    print()
    for row in [COLUMNS, rule, *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    sys.exit(main())
