"""How tables look on a terminal, and what a program gets instead."""

import re
from datetime import UTC, datetime

import pytest

from dynabench.app.cli.audit import change_of
from dynabench.app.cli.output import (
    complain,
    counted,
    moving_share,
    notice,
    say,
    show_facts,
    show_table,
)
from dynabench.kit.errors import InvalidError
from dynabench.people.audit.schemas import AuditEntryRead
from tests.app.cli.conftest import Command

ID = "0199f3a4-5b6c-7d8e-9f00-112233445566"
ROW = ("sentiment/1", "open", "a target with a rather long name v12", "single", "2026-11-21", ID)
COLUMNS = ["round", "status", "targets", "policy", "opened", "id"]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for a terminal of 80 columns."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("terminal")
def test_an_id_stays_whole_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(COLUMNS, [ROW], empty="")
    show_facts([("id", ID), ("about", "words " * 30)])

    out = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert out.count(ID) == 2
    assert "sentiment/1" in out
    assert all(len(line.rstrip()) <= 90 for line in out.splitlines())


def test_a_program_gets_each_row_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    show_table(COLUMNS, [ROW, ROW], empty="")
    show_facts([("about", "words " * 30)])

    _, first, second, facts = capsys.readouterr().out.splitlines()
    assert first == second
    assert all(cell in first for cell in ROW)
    assert facts.count("words") == 30


@pytest.mark.parametrize(
    ("count", "written"), [(0, "0 contexts"), (1, "1 context"), (1_200, "1,200 contexts")]
)
def test_one_is_not_many(count: int, written: str) -> None:
    assert counted(count, "context") == written


def test_the_help_names_what_the_server_needs(command: Command) -> None:
    assert "Running a server (dynabench-platform[server])" in command("--help").out


def test_what_others_wrote_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "Mine\x1b]0;owned\x07 \x9b2J\x08\r\x7f[bold]"
    say(hostile)
    notice(hostile)
    show_facts([(hostile, hostile)])
    show_table(["title"], [(hostile,)], empty="")
    complain(InvalidError(hostile, fields={hostile: hostile + "!"}))
    with moving_share(hostile) as move:
        move(0.5, hostile)

    told = capsys.readouterr()

    assert not set("\x1b\x07\x08\r\x7f\x9b") & set(told.out + told.err)
    assert "Mine�]0;owned� �2J���[bold]" in told.out


def test_a_change_is_one_line_that_says_what_was_before() -> None:
    entry = AuditEntryRead(
        number=1,
        at=datetime(2030, 1, 1, tzinfo=UTC),
        actor_id=None,
        actor_name="operator",
        request_id=None,
        act="round.changed",
        subject_id="1",
        subject_name="1",
        task_id=None,
        reason="enough",
        before={"status": "open"},
        after={"status": "closed", "note": "x" * 200},
    )

    assert change_of(entry.model_copy(update={"after": {"status": "closed"}})) == (
        'status: "open" → "closed", because: enough'
    )
    assert len(change_of(entry)) == 120
    values: dict[str, object] = {
        "number": 3,
        "close_reason": None,
        "context_tags": [],
        "is_replay": False,
    }
    added = entry.model_copy(update={"before": None, "after": values, "reason": None})
    assert change_of(added) == "is_replay: false, number: 3"


def test_a_problem_without_a_place_is_told_by_its_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    problems = [{"line": None, "path": "", "message": "Nothing fits."}]
    complain(InvalidError("It failed.", problems=problems))
    complain(InvalidError("It failed.", fields={"": "No field fits."}))

    assert capsys.readouterr().err.splitlines() == [
        "Error: It failed.",
        "  Nothing fits.",
        "Error: It failed.",
        "  No field fits.",
    ]
