"""One example with answers of many types goes from a draft to a data set."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from dynabench.app.wiring import Wiring, wire
from dynabench.engines.inference.protocol import FakeTargetModel, TargetModel, TargetSpec
from dynabench.kit.clock import Clock
from dynabench.kit.settings import Settings
from dynabench.loop.datasets.releases.gathering.service import RoundReader
from dynabench.loop.examples.errors import DuplicateExampleError
from dynabench.loop.examples.schemas import ExampleCreate, ExamplePatch, ExampleRead
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.rounds.values import GoldFrom, RoundPlan, RoundValidation, ValidationMode
from dynabench.loop.training.service import ignore_progress
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.schemas import ValidationCreate
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.values import Verdict
from dynabench.science.task_config.problems import FieldValueError
from tests.factories.examples import Stage, make_stage
from tests.factories.validations import lend, vote

MARKING = """
context: [{name: premise, type: string}]
input:
  - {name: sentence, type: string}
  - {name: urgency, type: number, min: 0, max: 1, step: 0.25}
  - {name: names, type: spans, reference_name: sentence, labels: [person, place]}
  - {name: topics, type: multilabel, labels: [news, sport, weather]}
  - {name: quality, type: rating, not_applicable: true}
output: [{name: names}, {name: topics}, {name: quality}]
metadata:
  create: [{name: hard, type: rating, model_wrong_condition: true}]
  validate:
    - {name: better, type: spans, reference_name: sentence, labels: [person, place]}
    - {name: seen, type: multilabel, labels: [typo, joke]}
model_wrong_metric: {type: exact_match, reference_names: [names, topics, quality]}
perf_metric: {type: exact_match, reference_name: names}
"""
ASKING = """
context: [{name: premise, type: string}]
input: [{name: prompt, type: string}]
output: [{name: reply, type: string}]
model_wrong_metric: {type: ask_user}
perf_metric: {type: bleu, reference_name: reply}
"""
ANNA = {"text": "Anna", "start": 0, "end": 4, "label": "person"}
YORK = {"text": "York", "start": 14, "end": 18, "label": "place"}
ANSWER: dict[str, object] = {
    "names": [YORK, ANNA],
    "topics": ["weather", "news"],
    "quality": "not_applicable",
}


def _answering(spec: TargetSpec) -> TargetModel:
    outputs: Mapping[str, object] = {"reply": "No."}
    if "names" in spec.output_names:
        outputs = {"names": [ANNA], "topics": ["news", "weather"], "quality": 4}
    return FakeTargetModel(lambda _: outputs, name=spec.name, output_names=spec.output_names)


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    settings = Settings(database_url=database_url, home=tmp_path, database_pool_size=6)
    made = wire(settings, clock=clock, factory=_answering, fold_patience_seconds=0)
    yield made
    await made.close()


async def write(stage: Stage, answer: dict[str, object], **inputs: object) -> ExampleRead:
    body = ExampleCreate(context_id=stage.contexts[0].id, inputs=inputs, answer=answer)
    examples = stage.wiring.get(ExampleService)
    return await examples.submit(stage.round_.id, body, actor=stage.author, key=None)


async def test_answers_of_every_kind_are_written_validated_blind_and_agreed_on(
    wiring: Wiring, clock: Clock
) -> None:
    plan = RoundPlan(
        validation=RoundValidation(
            mode=ValidationMode.BLIND, gold_from=GoldFrom.VALIDATORS, quorum=2, maximum=3
        )
    )
    stage = await make_stage(wiring, clock, config=MARKING, plan=plan)
    said = {"sentence": "Anna works in York.", "urgency": 0.75}
    with pytest.raises(FieldValueError, match="reads “Anna”"):
        await write(stage, {**ANSWER, "names": [{**ANNA, "text": "Otto"}]}, **said)

    example = await write(stage, ANSWER, **said)

    assert example.answer["names"] == [ANNA, YORK]
    assert example.answer["topics"] == ["news", "weather"]
    with pytest.raises(DuplicateExampleError):
        await write(stage, {**ANSWER, "topics": ["news", "weather", "news"]}, **said)

    examples, validations = wiring.get(ExampleService), wiring.get(ValidationService)
    corrections: tuple[dict[str, object], ...] = ({"better": [YORK]}, {"seen": []})
    for metadata in corrections:
        validator = await stage.person()
        await lend(stage, example.id, to=validator)
        await validations.vote(
            example.id,
            ValidationCreate(answer=ANSWER, metadata=metadata),
            actor=validator,
            key=None,
        )
    with pytest.raises(FieldValueError, match="write at most 5"):
        await examples.change(
            example.id, ExamplePatch(explanations={"hard": 6}), actor=stage.author
        )

    async with stage.db.read() as session:
        outcome = (await wiring.get(OutcomeService).get_many(session, [example.id]))[example.id]
    assert outcome.verdict is Verdict.CORRECT
    assert outcome.gold == example.answer
    assert outcome.fooled is True
    assert outcome.agrees_with_author is True


async def test_an_example_without_a_gold_answer_is_judged_and_released(
    wiring: Wiring, clock: Clock
) -> None:
    stage = await make_stage(wiring, clock, config=ASKING)
    example = await write(stage, {}, prompt="Is a ferry a bridge?")
    examples = wiring.get(ExampleService)
    read = await examples.change(
        example.id, ExamplePatch(user_says_fooled=True), actor=stage.author
    )
    assert read.fooled is True
    for _ in range(stage.round_.validation.quorum):
        await vote(stage, example.id)
    async with stage.db.read() as session:
        outcome = (await wiring.get(OutcomeService).get_many(session, [example.id]))[example.id]
    assert outcome.verdict is Verdict.CORRECT
    assert outcome.fooled is True
    reader = RoundReader(folds=wiring.get(FoldService))
    async with stage.db.transaction() as session:
        gathered = await reader.gather(
            session, stage.round_.id, config=stage.task.config, progress=ignore_progress
        )
    (candidate,) = gathered.candidates
    assert candidate.is_eligible
