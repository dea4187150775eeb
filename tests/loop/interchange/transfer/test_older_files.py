"""Files of earlier format versions come in, and a change of columns asks for a new one."""

import json
from pathlib import Path
from typing import Any

import pytest

from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.parts import MEDIA_PART, PART_OF, PARTS
from dynabench.loop.interchange.transfer.values import (
    CAME_LATER,
    COMPUTED_ANEW,
    FORMAT_VERSION,
)
from tests.factories.moving import Installation
from tests.loop.interchange.transfer.test_refusals import Altered

# A task of two rounds, one of them released, exported at schema 0012.
FIRST = Path(__file__).parent / "older" / "version-1.zip"
_PARTS = (*PARTS, MEDIA_PART)
COLUMNS = Path(__file__).parent / "older" / "columns.json"

PEOPLE = {
    "split": "test",
    "metric": "accuracy",
    "value": 0.9,
    "low": 0.89,
    "high": 0.91,
    "items": 20,
    "votes": 60,
    "method": "blind",
    "reason": None,
    "computed_at": "2030-01-15T12:00:00.000000+00:00",
}


@pytest.fixture
def first(tmp_path: Path) -> Altered:
    """The file of version 1; what is changed of it is written elsewhere."""
    copy = tmp_path / FIRST.name
    copy.write_bytes(FIRST.read_bytes())
    return Altered(copy)


async def test_a_file_of_version_1_comes_in_without_what_it_did_not_know(
    first: Altered, elsewhere: Installation
) -> None:
    version = json.loads(first.entries["parts/dataset_versions.jsonl"].splitlines()[0])
    first.part(
        "human_scores", lambda rows: rows.append(PEOPLE | {"dataset_version_id": version["id"]})
    )
    assert b"opens_at" not in first.entries["parts/rounds.jsonl"]

    told = await elsewhere.bring(first.write())

    now = Altered(await elsewhere.export(told.task))
    assert json.loads(now.entries["manifest.json"])["format_version"] == FORMAT_VERSION
    rounds = [json.loads(line) for line in now.entries["parts/rounds.jsonl"].splitlines()]
    assert [(one["opens_at"], one["closes_at"]) for one in rounds] == [(None, None)] * len(rounds)
    assert now.entries["parts/examples.jsonl"] == first.entries["parts/examples.jsonl"]
    assert now.entries["parts/human_scores.jsonl"] == b"", "its intervals were too narrow"
    assert await elsewhere.disagreements() == []


async def test_what_an_older_file_had_and_what_this_one_has_must_be_there(
    first: Altered, elsewhere: Installation
) -> None:
    first.part("rounds", lambda rows: rows[0].pop("quorum"))
    with pytest.raises(TaskFileError, match="rounds, line 1, quorum: The value is missing"):
        await elsewhere.bring(first.write())

    told = await elsewhere.bring(FIRST)
    now = Altered(await elsewhere.export(told.task))
    now.part("rounds", lambda rows: rows[0].pop("opens_at"))
    with pytest.raises(TaskFileError, match="rounds, line 1, opens_at: The value is missing"):
        await elsewhere.bring(now.write())


def test_columns_are_those_that_this_version_of_the_form_was_written_with() -> None:
    known: dict[str, Any] = json.loads(COLUMNS.read_text(encoding="utf-8"))

    columns = {one.name: sorted(column.name for column in one.columns) for one in _PARTS}

    assert {"format_version": FORMAT_VERSION, "columns": columns} == known, (
        "raise FORMAT_VERSION, say in CAME_LATER or COMPUTED_ANEW how older files are read,"
        f" and write the new columns to {COLUMNS.name}"
    )


def test_what_came_later_may_be_empty_and_nothing_names_what_is_computed_anew() -> None:
    for name, later in CAME_LATER.items():
        for column, since in later.items():
            assert PART_OF[name].table.c[column].nullable
            assert 1 < since <= FORMAT_VERSION
    named = {part.refers_to(column.name) for part in _PARTS for column in part.columns}
    assert not named & COMPUTED_ANEW.keys()
    assert COMPUTED_ANEW.keys() <= PART_OF.keys()
