"""`dynabench replay` in processes of its own: killed, run again, given what it cannot use."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from dynabench.loop.datasets.cards.artifacts import service as artifacts
from tests.app.cli.conftest import Command
from tests.factories.replays import anli_line, dynasent_line, hatemoji_table, write_lines

RECORDS = 1500


@pytest.fixture
def replay(command: Command, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    return lambda *words: command("replay", *words)


def stored(database_url: str) -> tuple[int, int]:
    """Return how many examples and votes are there; nothing before there are tables."""
    asked = "SELECT (SELECT count(*) FROM examples), (SELECT count(*) FROM validations)"
    with psycopg.connect(database_url) as connection:
        row = connection.execute(asked).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def test_killed_in_the_middle_and_run_again_nothing_is_there_twice(
    replay: Command, database_url: str, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "dev.jsonl.gz", (anli_line(f"r{one}") for one in range(RECORDS)))
    out = tmp_path / "out.json"

    program = [sys.executable, "-m", "dynabench.app.cli.main"]
    words = [*program, "replay", "anli", str(file), "--json", str(out)]
    # Its own session, so that nothing of it outlives the kill.
    process = subprocess.Popen(words, env=os.environ.copy(), start_new_session=True)  # noqa: S603
    patience = time.monotonic() + 60
    while stored(database_url)[0] == 0 and time.monotonic() < patience:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    examples, votes = stored(database_url)
    again = replay("anli", file, "--json", out)
    third = replay("anli", file)

    assert 0 < examples < RECORDS
    assert votes == 2 * examples
    assert again.status == 0, again.err
    assert f"records                     {RECORDS:,} ({RECORDS - examples:,} new)" in again.out
    assert f"{RECORDS:,} of {RECORDS:,} = 1.0000" in again.out
    assert f"{RECORDS:,} (0 new)" in third.out
    assert stored(database_url) == (RECORDS, 2 * RECORDS)
    (round_,) = json.loads(out.read_text())["rounds"]
    assert round_["error_rate"]["verified_fooled"] == RECORDS
    assert len(round_["examples"]) == RECORDS


def test_what_is_derived_stands_beside_what_the_source_says(
    replay: Command, tmp_path: Path
) -> None:
    names = ("w2", "w3", "w4", "w5", "w6")
    file = write_lines(
        tmp_path / "round02.jsonl",
        [
            dynasent_line("a", {"positive": names}),
            dynasent_line(
                "b", {"neutral": names}, sentence="It opens at nine.", gold_label="mixed"
            ),
        ],
    )

    done = replay("dynasent", file)

    assert done.status == 0, done.err
    assert "DynaSent, round 2 (task “dynasent”)" in done.out
    assert "The gold differs in 1 record: b." in done.out
    assert "100 %" in done.err


def test_what_cannot_be_derived_comes_with_its_reason(replay: Command, tmp_path: Path) -> None:
    file = tmp_path / "build.csv"
    row = {
        "entry_id": 7,
        "text": "My neighbour sings 🎶",
        "round.base": 5,
        "round.set": "5a",
        "label_gold": 0,
        "matched_id": "",
    }
    file.write_text(hatemoji_table([row]), encoding="utf-8")

    done = replay("hatemoji", file)

    assert done.status == 0, done.err
    assert "No verdicts: The source holds no votes" in done.out
    assert "vMER" in done.out
    assert "For none of these examples is it known whether a model was fooled." in done.out


def test_what_is_logged_is_no_part_of_the_answer(
    replay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifacts, "_PATIENCE_SECONDS", 0.0)
    labels = (("e", "n"), ("n", "c"), ("c", "e"))
    lines = [
        anli_line(f"u{one}", label=label, model_label=answer, verifiers=(label, label))
        for one in range(160)
        for label, answer in [labels[one % 3]]
    ]
    source = write_lines(tmp_path / "dev.jsonl", lines)

    done = replay("anli", source, "--release", "--allow-incomplete")

    assert done.status == 0, done.err
    assert "took too long" in done.err
    assert "took too long" not in done.out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["anli", "missing.jsonl"], 2, "missing.jsonl"),
        (["snli", "broken.jsonl"], 2, "snli"),
        (["anli", "."], 2, "is a directory"),
        (["anli", "broken.jsonl"], 1, "broken.jsonl, line 1: This is not JSON"),
        (["anli", "good.jsonl", "--json", "no/such/out.json"], 1, "out.json cannot be written"),
        (["dynasent", "good.jsonl"], 1, "good.jsonl, line 1: sentence_author: It is missing"),
        (["anli", "good.jsonl", "--task", "UPPER CASE"], 1, "“UPPER CASE” cannot be a task's slug"),
    ],
)
def test_what_it_cannot_use_is_told_and_leaves_nothing(
    replay: Command,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    status: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "good.jsonl", [anli_line("one")])
    (tmp_path / "broken.jsonl").write_text("{", encoding="utf-8")

    done = replay(*words, *([] if "--json" in words else ["--json", "out.json"]))

    assert done.status == status
    assert said in done.err
    assert "Traceback" not in done.err
    assert not Path("out.json").exists()
    assert stored(database_url) == (0, 0)
