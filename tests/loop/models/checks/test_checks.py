"""A handed-in model is asked what a task may ask, and every wrong answer is named."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.errors import TargetNotStartedError
from dynabench.engines.inference.protocol import FakeTargetModel, ModelInput, TargetSpec
from dynabench.loop.models.checks.rules import trial_items
from dynabench.loop.models.checks.service import check_folder, check_target
from dynabench.loop.models.checks.values import CheckProblem, CheckReport
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

CATALOG = Path(__file__).parents[4] / "dynabench" / "catalog"
CONFIGS = sorted(CATALOG.glob("*/*/task.yaml"), key=lambda path: path.parent.name)
CONFIG = load_task_config(
    """
context: [{name: premise, type: string}]
input:
  - {name: hypothesis, type: string, min_length: 3, max_length: 400}
  - {name: tone, type: multiclass, labels: [plain, angry]}
  - {name: label, type: multiclass, labels: [yes, no]}
output: [{name: label}, {name: prob, type: prob, reference_name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""
)


async def checked(
    rule: Mapping[str, object] | BaseException | None = None,
    *,
    fake: FakeTargetModel | None = None,
) -> CheckReport:
    def answer(_: ModelInput) -> Mapping[str, object]:
        if isinstance(rule, BaseException):
            raise rule
        return rule or {}

    model = fake or FakeTargetModel(answer)
    return await check_target(spec_of(CONFIG), CONFIG, factory=lambda _: model)


def spec_of(config: TaskConfig, **options: object) -> TargetSpec:
    return spec_for(config, kind=ModelKind.HANDLER, name="Mine", options=options)


async def folder_checked(folder: Path, source: str, **files: str) -> CheckReport:
    for name, text in {"model.py": source, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return await check_folder(folder, spec_of(CONFIG), CONFIG, factory=build_target)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.parent.name)
def test_every_trial_input_of_texts_is_one_that_the_task_takes(path: Path) -> None:
    config = load_task_config(path.read_text(encoding="utf-8"))
    if config.media_fields or config.chat_field:
        # These are asked as models are sent them, which is not how they are stored.
        return
    for item in trial_items(config):
        shown = {one.name: item.inputs[one.name] for one in config.context}
        context = config.check_context(shown)
        written = {one.name: item.inputs[one.name] for one in config.written_fields}
        config.check_inputs(written, context=context)


def test_each_label_that_a_model_sees_is_tried_and_gold_never_shown() -> None:
    items = trial_items(CONFIG)

    assert {item.inputs["tone"] for item in items} == {"plain", "angry"}
    assert all("label" not in item.inputs for item in items)
    assert max(len(str(item.inputs["hypothesis"])) for item in items) == 400


async def test_a_good_model_passes_and_was_asked_alone_and_in_a_batch() -> None:
    fake = FakeTargetModel(lambda _: {"label": "no", "prob": {"yes": 0.2, "no": 0.8}})

    report = await checked(fake=fake)

    count = len(trial_items(CONFIG))
    assert report.has_passed, report.log
    assert report.warnings == ()
    assert fake.batch_sizes == [*[1] * (count + 1), count]
    assert report.asked == 2 * count + 1
    assert fake.is_closed


@pytest.mark.parametrize(
    ("answer", "field", "words"),
    [
        ({}, "label", "missing"),
        ({"label": "maybe"}, "label", "maybe"),
        ({"label": "yes", "prob": {"yes": 0.2, "no": 0.2}}, "prob", "sum to"),
        ({"label": ["yes"]}, "label", "must be one of"),
    ],
)
async def test_a_wrong_answer_is_told_with_its_input_and_its_field(
    answer: Mapping[str, object], field: str, words: str
) -> None:
    report = await checked(answer)

    first = report.problems[0]
    assert (first.item, first.field) == ("usual", field)
    assert words in first.problem
    assert len(report.problems) == len(trial_items(CONFIG)), "each input once"
    assert str(first) in report.log


async def test_a_model_that_answers_the_same_input_differently_is_warned_of() -> None:
    answers = iter(["yes", "no"] * 100)

    report = await checked(fake=FakeTargetModel(lambda _: {"label": next(answers)}))

    assert report.has_passed
    assert "differently" in report.warnings[0]


async def test_samples_are_asked_too() -> None:
    def rule(item: ModelInput) -> Mapping[str, object]:
        return {"label": "odd" if item["premise"] == "p" else "yes"}

    model = FakeTargetModel(rule)
    sample = {"premise": "p", "hypothesis": "why", "tone": "plain", "label": "no"}
    report = await check_target(
        spec_of(CONFIG), CONFIG, factory=lambda _: model, samples=[sample, {**sample}]
    )

    assert [problem.item for problem in report.problems] == ["sample 1", "sample 2"]
    assert all("label" not in seen for seen in model.asked)


async def test_a_folder_is_checked_with_what_its_code_printed(tmp_path: Path) -> None:
    source = (
        "print('weights are there')\n"
        "def predict(batch):\n"
        "    return [{'label': 'yes'} for item in batch]\n"
    )
    report = await folder_checked(tmp_path, source)

    assert report.has_passed
    assert "weights are there" in report.log
    assert report.memory_peak_bytes


@pytest.mark.parametrize(
    ("source", "item", "words"),
    [
        ("def predict(batch:\n", None, "line 1: it is not Python"),
        ("x = 1\n", None, "no function predict"),
        ("raise OSError('no weights')\n", None, "no weights"),
        ("import os\nos._exit(3)\n", None, "status 3"),
        ("def predict(batch):\n    raise KeyError('mood')\n", "usual", "KeyError"),
        ("import os\ndef predict(batch):\n    os._exit(3)\n", "usual", "status 3"),
        ("def predict(batch):\n    return [{'label': 'yes'}]\n", "usual", "list of"),
        (
            "import os\npredict = lambda batch: [os._exit(3) if batch[1:] else {'label': 'yes'}]\n",
            None,
            "inputs at once",
        ),
    ],
)
async def test_a_folder_that_does_not_run_is_a_report_and_no_error(
    tmp_path: Path, source: str, item: str | None, words: str
) -> None:
    report = await folder_checked(tmp_path, source)

    told = [problem for problem in report.problems if words in problem.problem]
    assert told, report.log
    assert told[0].item == item


async def test_packages_that_are_not_there_are_told_by_line(tmp_path: Path) -> None:
    needed = "numpy\nno-such-package-of-anyone>=2 # for luck\npytest<1\n-e .\n"
    report = await folder_checked(
        tmp_path, "def predict(batch): return []", **{"requirements.txt": needed}
    )

    (problem,) = report.problems
    assert problem.field == "requirements.txt"
    assert "Line 2: no-such-package-of-anyone is not installed" in problem.problem
    assert "Line 3: pytest<1 is needed" in problem.problem
    assert "Line 4: '-e .' is no requirement" in problem.problem


async def test_a_machine_that_cannot_isolate_is_not_the_model_s_fault(tmp_path: Path) -> None:
    spec = spec_of(CONFIG, folder=str(tmp_path), isolation="sandbox")

    with pytest.raises(TargetNotStartedError):
        await check_target(spec, CONFIG, factory=build_target)


async def test_a_process_that_cannot_start_is_not_the_model_s_fault(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def predict(batch): return []")

    def refuse(_: Path) -> object:
        raise OSError(28, "No space left on device")

    with pytest.raises(TargetNotStartedError):
        await check_folder(
            tmp_path,
            spec_of(CONFIG),
            CONFIG,
            # A launcher of a full disk.
            factory=lambda spec: build_target(spec, launcher=refuse),  # type: ignore[arg-type]
        )


def test_a_problem_reads_as_a_sentence() -> None:
    problem = CheckProblem(item="usual", field="label", problem="It is missing.")

    assert str(problem) == "input “usual”, field “label”: It is missing."
