"""Names are other people's texts: in a file they stay texts."""

import csv
import io
import re
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.leaderboards.exports import rules as exports
from dynabench.loop.leaderboards.exports.rules import export_board
from dynabench.loop.leaderboards.schemas import (
    BoardModelRead,
    BoardRead,
    BoardRow,
    DatasetColumnRead,
    DatasetFiguresRead,
    FigureRead,
    IntervalRead,
    MetricColumnRead,
    RankRead,
)
from dynabench.loop.leaderboards.values import BoardForm
from dynabench.loop.models.values import ModelIsolation, ModelKind

_HOSTILE = '=cmd|"/C calc"!A0 \\input{/etc/passwd} 100 % & $x_1$'


def row() -> BoardRow:
    figure = FigureRead(value=71.234, low=70.0, high=72.5, items=400)
    nothing = FigureRead(value=None, low=None, high=None, items=None)
    return BoardRow(
        model=BoardModelRead(
            id=UUID(int=1),
            name=_HOSTILE,
            version=2,
            kind=ModelKind.PREDICTIONS,
            isolation=ModelIsolation.NO_CODE,
            submitted_by=None,
            is_anonymous=True,
            is_mine=False,
            is_published=True,
            is_measured_at_client=False,
        ),
        place=1,
        dynascore=38.83,
        dynascore_interval=IntervalRead(low=30.0, high=44.0),
        leave_one_out=IntervalRead(low=20.5, high=60.25),
        average_z=None,
        rank=RankRead(low=1, high=2),
        dynascore_rank=RankRead(low=1, high=2),
        performance_rank=RankRead(low=1, high=3),
        mcnemar_rank=None,
        is_on_front=True,
        performance_standard_error=1.0,
        figures={"accuracy": figure, "memory": nothing},
        datasets=[],
        failed_items=0,
        evaluated_at=None,
    )


def board() -> BoardRead:
    columns = [
        MetricColumnRead(
            name=name,
            title=name.capitalize(),
            unit=unit,
            is_lower_better=False,
            is_principal=name == "accuracy",
            weight=weight,
            default_weight=1,
            share=weight / 5,
            amrs=None,
            has_data=True,
            reason=None,
        )
        for name, unit, weight in (("accuracy", "points", 4.0), ("memory", "gib", 1.0))
    ]
    return BoardRead(
        task_slug="nli",
        metrics=columns,
        datasets=[],
        budget_gib=32,
        pairs=6,
        pairs_skipped=0,
        rates=None,
        dynascore_reason=None,
        notes=[],
        sort="dynascore",
        rows=[row()],
        ranked=1,
        incomplete=[],
        incomplete_total=0,
        humans=None,
        is_preference=False,
        as_of=datetime(2030, 1, 15, tzinfo=UTC),
        is_current=True,
        next_cursor=None,
    )


def test_no_name_becomes_a_formula_in_a_spreadsheet() -> None:
    file = export_board(board(), BoardForm.CSV, name="nli-board")

    head, row = csv.reader(io.StringIO(file.body.decode()))
    cells = dict(zip(head, row, strict=True))
    assert cells["model"] == f"'{_HOSTILE}"
    assert (cells["dynascore"], cells["accuracy_low"], cells["memory_value"]) == (
        "38.83",
        "70.0",
        "",
    )
    assert (file.name, file.media_type) == ("nli-board.csv", "text/csv; charset=utf-8")


@given(
    start=st.sampled_from([*"=+-@\t\r\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"]),
    rest=st.text(max_size=20),
)
def test_whatever_begins_like_a_formula_gets_an_apostrophe_in_rows_and_heading(
    start: str, rest: str
) -> None:
    hostile = start + rest.replace("\0", "")
    one = row()
    model = one.model.model_copy(update={"name": hostile, "submitted_by": hostile})
    column = DatasetColumnRead(
        key="k", title=hostile, weight=1, default_weight=1, share=1, members=[]
    )
    figures = DatasetFiguresRead(key="k", figures=one.figures)
    told = board().model_copy(
        update={
            "datasets": [column],
            "rows": [one.model_copy(update={"model": model, "datasets": [figures]})],
        }
    )
    file = export_board(told, BoardForm.CSV, name="b").body.decode()

    head, cells = csv.reader(io.StringIO(file, newline=""))
    assert not [one for one in head if one.startswith(start)]
    found = dict(zip(head, cells, strict=True))
    assert found["model"] == found["submitted_by"] == f"'{hostile}"
    assert found[f"'{hostile}: accuracy_value"] == "71.234"


def test_a_board_is_the_only_csv_that_is_written() -> None:
    writes = re.compile(r"csv\.(writer|DictWriter)|to_csv\(|write_csv\(")
    package = Path(exports.__file__).parents[3]
    sources = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    writers = [path for path, text in sources.items() if writes.search(text)]
    # Another one has to be decided about: docs/decisions/0022.
    assert writers == [Path(exports.__file__)]


def test_no_name_becomes_a_command_in_latex() -> None:
    text = export_board(board(), BoardForm.LATEX, name="nli-board").body.decode()

    assert "\\input" not in text
    assert r"\textbackslash{}input\{/etc/passwd\} 100 \% \& \$x\_1\$" in text
    assert "71.23 [70.00, 72.50] & -- & 1--2 & 38.83 [30.00, 44.00] & 20.50 to 60.25" in text
    assert "accuracy 4, memory 1" in text
    assert "6 pairs; ranks by dynascore; as of 2030-01-15" in text


def test_json_holds_everything() -> None:
    body = export_board(board(), BoardForm.JSON, name="nli-board").body

    assert BoardRead.model_validate_json(body) == board()
