"""Setting by the command line when a round takes examples."""

import json
from pathlib import Path

from tests.app.cli.conftest import CONFIG, Command


def _prepare(owner: Command, tmp_path: Path, *times: str) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    target = "http://127.0.0.1:9/v2/models/mine"
    for words in (
        ("task", "create", "nli", config, "--activate"),
        ("round", "open", "nli", "--target", target, *times),
    ):
        done = owner(*words)
        assert done.status == 0, (words, done.err)


def _times(owner: Command) -> object:
    return json.loads(owner("round", "show", "nli/1", "--json").out)["schedule"]


def test_times_are_set_shown_moved_and_taken_away(owner: Command, tmp_path: Path) -> None:
    _prepare(owner, tmp_path, "--opens-at", "2034-03-01T09:00+01:00")
    assert _times(owner) == {"opens_at": "2034-03-01T08:00:00Z", "closes_at": None}
    assert "opens on 2034-03-01 at 08:00 UTC" in owner("round", "show", "nli/1").out

    closing = owner("round", "schedule", "nli/1", "--closes-at", "2034-03-02T09:00Z")
    assert "opens on 2034-03-01 at 08:00 UTC and closes on 2034-03-02" in closing.out
    without = owner("round", "schedule", "nli/1", "--no-opens-at", "--no-closes-at")
    assert "has no set times" in without.out
    assert _times(owner) == {"opens_at": None, "closes_at": None}


def test_a_time_without_zone_and_a_contradiction_are_told(owner: Command, tmp_path: Path) -> None:
    _prepare(owner, tmp_path)
    for word in ("2034-03-01T09:00", "tomorrow"):
        refused = owner("round", "schedule", "nli/1", "--closes-at", word)
        assert refused.status != 0
        assert "2034" not in json.dumps(_times(owner))
    assert "time zone" in owner("round", "schedule", "nli/1", "--closes-at", "2034-03-01T09:00").err
    both = owner("round", "schedule", "nli/1", "--closes-at", "2034-03-01T09:00Z", "--no-closes-at")
    assert "not both" in both.err
    past = owner("round", "schedule", "nli/1", "--closes-at", "2020-03-01T09:00Z")
    assert "lies in the past" in past.err


def test_a_join_link_says_whom_it_is_for(owner: Command, tmp_path: Path) -> None:
    _prepare(owner, tmp_path)
    assert owner("task", "links", "create", "nli", "--note", "for the March class").status == 0
    assert "for the March class" in owner("task", "links", "list", "nli").out
    assert owner("task", "links", "create", "nli", "--note", "x" * 201).status != 0
