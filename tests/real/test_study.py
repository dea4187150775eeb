"""The study of retraining, quickly: one seed on small parts of a real collection."""

import re
from pathlib import Path

import pytest

from dynabench.app.cli.main import run
from dynabench.app.study.publishing import read_numbers
from dynabench.app.study.report import REPORT_FILE
from dynabench.app.study.values import Arm, SetKind
from tests.real.conftest import Note

pytestmark = pytest.mark.real_data


def test_a_quick_study_plays_on_real_data_and_reports(
    real_data: Path, tmp_path: Path, note: Note
) -> None:
    words = ["study", "hate", "--quick", "--seeds", "2", "--out", str(tmp_path)]

    assert run([*words, "--data", str(real_data)]) == 0

    (numbers,) = read_numbers(tmp_path)
    for seed in numbers.seeds:
        for one in seed.rounds:
            assert 0 < one.train <= one.fooled < one.shown
            assert 0 < one.shared_with_control < one.train
        held_out = next(one for one in seed.sets if one.kind is SetKind.HELD_OUT)
        for arm in Arm:
            note(
                "study hate, quick",
                f"seed {seed.seed}, held out, {arm.value}",
                derived=f"{held_out.accuracy[arm][-1]:.4f}",
            )
    report = (tmp_path / REPORT_FILE).read_text(encoding="utf-8")
    assert "A quick look at small parts of the data" in report
    # Rows have as many cells as their heads.
    tables = re.findall(r"(?:^\|.*\n)+", report, flags=re.MULTILINE)
    assert tables
    assert all(len({row.count("|") for row in table.splitlines()}) == 1 for table in tables)
