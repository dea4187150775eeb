import json
import math
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from dynabench.app.study import publishing, running
from dynabench.app.study.collating import HELD_OUT_FOOLING
from dynabench.app.study.figures import set_figures
from dynabench.app.study.loops import play_adversarial, play_control
from dynabench.app.study.publishing import DATA_FOLDER, publish, read_numbers
from dynabench.app.study.report import REPORT_FILE
from dynabench.app.study.results import StudyNumbers
from dynabench.app.study.running import run_studies
from dynabench.app.study.values import Arm, Material, Plan, SetKind
from dynabench.science.statistics.replicates import mean_of_replicates


def run(
    material: Material, plan: Plan, folder: Path
) -> tuple[list[StudyNumbers], list[tuple[str, int]]]:
    done: list[tuple[str, int]] = []
    found = run_studies(
        [material],
        plan=plan,
        folder=folder,
        processes=1,
        on_seed=lambda name, seed: done.append((name, seed)),
    )
    return found, done


@pytest.fixture(scope="module")
def numbers(
    material: Material, plan: Plan, tmp_path_factory: pytest.TempPathFactory
) -> StudyNumbers:
    (found,), _ = run(material, plan, tmp_path_factory.mktemp("once"))
    return found


def test_an_interrupted_study_goes_on_where_it_was(
    material: Material,
    plan: Plan,
    numbers: StudyNumbers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[tuple[str, int]] = []

    def counted(material: Material, *, plan: Plan, seed: int) -> object:
        played.append(("adversarial", seed))
        if len(played) == 5:
            raise KeyboardInterrupt
        return play_adversarial(material, plan=plan, seed=seed)

    def counted_control(material: Material, **arguments: object) -> object:
        played.append(("control", 0))
        # It is handed on as it came.
        return play_control(material, **arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(running, "play_adversarial", counted)
    monkeypatch.setattr(running, "play_control", counted_control)
    with pytest.raises(KeyboardInterrupt):
        run(material, plan, tmp_path)
    controls = [("control", 0)] * 3
    assert played == [("adversarial", 0), *controls, ("adversarial", 1)]
    (tmp_path / "parts" / "sentiment" / "left.1.tmp").write_text("{", encoding="utf-8")

    (found,), done = run(material, plan, tmp_path)

    # The first seed was done, and only the second one is played now.
    assert played[5:] == [("adversarial", 1), *controls]
    assert found == numbers
    assert done == [("sentiment", 0), ("sentiment", 1)]
    played.clear()
    assert run(material, plan, tmp_path)[0] == [numbers]
    assert played == []
    # What other data or settings gave is not taken up.
    part = next((tmp_path / "parts" / "sentiment").glob("*-0-control.json"))
    part.write_text(part.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    run(material, plan, tmp_path)
    assert played == [("control", 0)]
    run(replace(material, base=material.base[1:]), replace(plan, seeds=1), tmp_path)
    assert len(played) == 5


def test_another_process_is_told_everything_it_needs(
    material: Material, plan: Plan, tmp_path: Path
) -> None:
    task = running._Task(material, plan, tmp_path, 0)

    # It was written a line earlier.
    assert pickle.loads(pickle.dumps(task)) == task  # noqa: S301


def test_differences_are_paired_by_seed(numbers: StudyNumbers) -> None:
    found = {one.first.name: one for one in set_figures(numbers)}

    held = [
        next(one for one in seed.sets if one.name == HELD_OUT_FOOLING) for seed in numbers.seeds
    ]
    lasts = {arm: [one.accuracy[arm][-1] or 0.0 for one in held] for arm in Arm}
    differences = [
        100 * (one - other)
        for one, other in zip(lasts[Arm.ADVERSARIAL], lasts[Arm.CONTROL], strict=True)
    ]
    figure = found[HELD_OUT_FOOLING].difference
    assert figure is not None
    assert figure.mean == pytest.approx(sum(differences) / 2)
    expected = stats.t.interval(0.95, 1, loc=figure.mean, scale=stats.sem(differences) or math.nan)
    assert (figure.low, figure.high) == pytest.approx(expected, nan_ok=True)
    # The first model gets none of these right, and is the same in both arms.
    assert {one.accuracy[arm][0] for one in held for arm in Arm} == {0.0}


@pytest.mark.parametrize("values", [[0.1, 0.4, 0.2], [3.0, 3.5], [-1.0, 5.0, 2.0, 2.5]])
def test_a_mean_of_replicates_has_student_s_interval(values: Sequence[float]) -> None:
    found = mean_of_replicates(values)

    assert found is not None
    error = stats.sem(values)
    mean = sum(values) / len(values)
    reach = stats.t.ppf(0.975, len(values) - 1) * error
    assert (found.low, found.high) == pytest.approx((mean - reach, mean + reach))
    assert mean_of_replicates(values[:1]) is None
    assert mean_of_replicates([values[0]] * 3) is None


def test_the_report_holds_the_numbers_that_are_kept(numbers: StudyNumbers, tmp_path: Path) -> None:
    written = publish(tmp_path, [numbers])
    report = (tmp_path / REPORT_FILE).read_text(encoding="utf-8")
    before = {path: path.read_bytes() for path in written}

    for one in set_figures(numbers):
        assert one.difference is not None
        mean = f"{one.difference.mean:+.1f}".replace("-", "−")
        lines = report.splitlines()
        row = next(at for at, row in enumerate(lines) if row.startswith(f"| {one.first.name} |"))
        assert lines[row + 1].startswith("|  |  | control |")
        # Seeds that all show the same say nothing of how others would differ.
        follows = " |" if one.difference.low is None else " ["
        assert f"| {mean}{follows}" in lines[row + 1]
    plot = tmp_path / "plots" / "sentiment.svg"
    assert b"<dc:date>" not in plot.read_bytes()
    assert f"(plots/{plot.name})" in report
    kept = json.loads((tmp_path / DATA_FOLDER / "sentiment.json").read_text(encoding="utf-8"))
    assert "statement" not in json.dumps(kept)
    # Read back and written again, nothing changes, plots included.
    assert read_numbers(tmp_path) == [numbers]
    publish(tmp_path, [numbers])
    assert {path: path.read_bytes() for path in written} == before


def test_without_matplotlib_the_report_has_tables_and_says_so(
    numbers: StudyNumbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "is_plotting_installed", lambda: False)

    written = publish(tmp_path, [numbers])

    report = (tmp_path / REPORT_FILE).read_text(encoding="utf-8")
    assert "matplotlib) was not installed" in report
    assert "![" not in report
    assert [path.suffix for path in written] == [".json", ".md"]


def test_the_two_parts_of_what_was_held_out_make_up_the_whole(numbers: StudyNumbers) -> None:
    """Kept by a seed, or worked out where a seed kept the first part alone: the same."""
    older = [
        seed.model_copy(
            update={"sets": [one for one in seed.sets if one.kind is not SetKind.HELD_OUT_KNOWN]}
        )
        for seed in numbers.seeds
    ]
    worked_out = set_figures(numbers.model_copy(update={"seeds": older}))

    kept = set_figures(numbers)
    assert [one.first.name for one in worked_out] == [one.first.name for one in kept]
    for one, other in zip(worked_out, kept, strict=True):
        assert one.items == other.items
        for arm in Arm:
            found, expected = one.accuracy[arm][-1], other.accuracy[arm][-1]
            assert found is not None
            assert expected is not None
            assert found.mean == pytest.approx(expected.mean)
