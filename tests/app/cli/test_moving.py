"""`dynabench task export` and `import` on a database of their own."""

from pathlib import Path

import pytest

from tests.app.cli.conftest import Command
from tests.factories.replays import anli_line, write_lines


def test_a_replayed_and_released_task_leaves_is_looked_at_and_comes_again_as_a_copy(
    command: Command, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    lines = [anli_line(f"it-{number}", label="enc"[number % 3]) for number in range(6)]
    source = write_lines(tmp_path / "R1_dev_merged.jsonl", lines)
    file = tmp_path / "anli.zip"

    incomplete = command("replay", "anli", source, "--release")
    released = command("replay", "anli", source, "--release", "--allow-incomplete")
    left = command("task", "export", "anli", "--out", file)
    twice = command("task", "export", "anli", "--out", file)
    nowhere = command("task", "export", "anli", "--out", tmp_path / "none" / "anli.zip")
    seen = command("task", "import", file, "--dry-run")
    refused = command("task", "import", file, "--slug", "again")
    copied = command("task", "import", file, "--slug", "again", "--copy")

    assert (incomplete.status, released.status) == (1, 0), released.err
    assert "This release would be incomplete" in incomplete.err
    assert "Round 1 is released" in released.out
    assert "CC-BY-NC-4.0" in released.out
    assert left.status == 0, left.err
    assert "It never holds:" in left.out
    assert "already there" in twice.err
    assert (nowhere.status, "There is no folder" in nowhere.err) == (1, True)
    assert "is good; nothing was written" in seen.out
    assert "--copy" in refused.err
    assert copied.status == 0, copied.err
    assert "The task is here as “again”" in copied.out
