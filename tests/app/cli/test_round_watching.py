"""`dynabench round watch`, up to the release that ends it."""

from pathlib import Path

from rich.console import Console

from dynabench.app.cli.round_watching import table_of
from dynabench.loop.leaderboards.live.schemas import RoundNumbersRead
from tests.app.cli.conftest import Command
from tests.factories.replays import anli_line, write_lines


def test_a_round_is_watched_until_there_is_nothing_more_to_see(
    owner: Command, tmp_path: Path
) -> None:
    source = write_lines(tmp_path / "dev.jsonl", [anli_line(f"u{one}") for one in range(6)])
    replayed = owner("replay", "anli", source, "--release", "--allow-incomplete")
    assert replayed.status == 0, replayed.err
    watched = owner("round", "watch", "anli/1", "--json")
    assert watched.status == 0, watched.err
    assert watched.out.count("\n") == 1, watched.out
    numbers = RoundNumbersRead.model_validate_json(watched.out)
    assert numbers.collection is None

    console = Console(width=120, record=True, highlight=False)
    console.print(table_of(numbers))
    shown = console.export_text()
    assert "anli/1 (released)" in shown
    assert "people ahead of the targets" in shown
