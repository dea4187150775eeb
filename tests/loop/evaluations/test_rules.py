"""What is scored by itself, and of how few items a score may be told."""

from dataclasses import replace

import pytest

from dynabench.kit.ids import new_id
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.evaluations.rules import (
    FEWEST_TOLD,
    is_asked_by_itself,
    is_part_told,
    is_whole_told,
)
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import (
    Delta,
    DeltaKind,
    Evaluation,
    EvaluationState,
    MetricScore,
    TagScore,
)
from dynabench.loop.evaluations.views.rules import Known, read_evaluation
from tests.conftest import HeldClock

SIZE = 100


@pytest.fixture
def version(clock: HeldClock) -> DatasetVersion:
    return DatasetVersion(
        id=new_id(),
        dataset_id=new_id(),
        task_id=new_id(),
        round_id=None,
        name="Set",
        version=1,
        digest="",
        licence="",
        card={},
        sizes={Split.TEST: SIZE, Split.DEV: SIZE, Split.TRAIN: 0},
        created_at=clock.now(),
    )


@pytest.mark.parametrize("access", DatasetAccess)
def test_a_hidden_set_waits_for_its_owner_and_so_do_its_variants(
    version: DatasetVersion, access: DatasetAccess
) -> None:
    original = replace(version, access=access)
    varied = replace(original, perturbs_id=new_id(), origin=DatasetOrigin.PERTURBATION)
    is_open = access is not DatasetAccess.HIDDEN
    assert (is_asked_by_itself(original), is_asked_by_itself(varied)) == (is_open, is_open)


@pytest.mark.parametrize(
    ("items", "is_told"),
    [
        (1, False),
        (FEWEST_TOLD - 1, False),
        (FEWEST_TOLD, True),
        (SIZE - FEWEST_TOLD, True),
        (SIZE - 1, False),
        (SIZE, True),
    ],
)
def test_neither_a_part_nor_the_rest_of_it_gives_single_answers_away(
    version: DatasetVersion, items: int, *, is_told: bool
) -> None:
    assert is_part_told(version, Split.TEST, items=items) is is_told
    # The gold of a release's dev split is in its files.
    assert is_part_told(version, Split.DEV, items=items)
    assert is_part_told(replace(version, access=DatasetAccess.STANDARD), Split.TEST, items=items)


def test_of_changed_texts_no_part_is_told_where_gold_is_withheld(version: DatasetVersion) -> None:
    # Of one original there may be as many variants as a part must have items.
    varied = replace(version, perturbs_id=new_id(), origin=DatasetOrigin.PERTURBATION)
    assert not is_part_told(varied, Split.TEST, items=SIZE // 2)
    assert not is_part_told(varied, Split.TEST, items=SIZE)
    assert not is_whole_told(varied, Split.TEST)
    assert is_whole_told(version, Split.TEST)
    shown = replace(varied, access=DatasetAccess.STANDARD)
    assert is_part_told(shown, Split.TEST, items=1)
    assert is_whole_told(shown, Split.TEST)


def tag_score(items: int) -> TagScore:
    return TagScore(
        split=Split.TEST,
        tag=str(items),
        metric="accuracy",
        value=1.0,
        low=None,
        high=None,
        items=items,
    )


def delta(items: int) -> Delta:
    return Delta(
        perturbed_version_id=new_id(),
        split=Split.TEST,
        transform=str(items),
        kind=DeltaKind.FAIRNESS,
        value=1.0,
        low=None,
        high=None,
        items=items,
        gold_value=0.5,
    )


def read_of(version: DatasetVersion, *, is_owner: bool) -> EvaluationRead:
    evaluation = Evaluation(
        id=new_id(),
        model_id=new_id(),
        dataset_version_id=version.id,
        state=EvaluationState.DONE,
        job_id=None,
        reason=None,
        failed_items=0,
        seconds=1.0,
        evaluated_at=version.created_at,
    )
    score = MetricScore(
        split=Split.TEST,
        metric="accuracy",
        is_principal=True,
        value=0.5,
        low=0.4,
        high=0.6,
        items=SIZE,
    )
    known = Known(
        version=version,
        round_number=None,
        job=None,
        queue_position=None,
        measurement=None,
        scores=[score],
        tag_scores=[tag_score(1), tag_score(50)],
        deltas=[delta(1), delta(50)],
        is_told_all=True,
        is_owner=is_owner,
    )
    return read_evaluation(evaluation, known)


@pytest.mark.parametrize("is_owner", [True, False])
def test_small_parts_of_an_evaluation_are_told_to_owners_alone(
    version: DatasetVersion, *, is_owner: bool
) -> None:
    read = read_of(version, is_owner=is_owner)
    assert [one.tag for one in read.tag_scores] == (["1", "50"] if is_owner else ["50"])
    assert [one.value for one in read.scores] == [50.0]
    # How often a model keeps its own answer says nothing of the gold.
    assert [one.value for one in read.deltas] == [100.0, 100.0]


@pytest.mark.parametrize("is_owner", [True, False])
def test_how_right_a_model_was_on_changed_texts_is_told_to_owners_alone(
    version: DatasetVersion, *, is_owner: bool
) -> None:
    read = read_of(version, is_owner=is_owner)
    assert [one.gold_value for one in read.deltas] == [50.0 if is_owner else None] * 2
    varied = replace(version, perturbs_id=new_id(), origin=DatasetOrigin.PERTURBATION)
    (score,) = read_of(varied, is_owner=is_owner).scores
    told = (50.0, 40.0, 60.0) if is_owner else (None, None, None)
    assert (score.value, score.low, score.high, score.items) == (*told, SIZE)
    open_ = read_of(replace(varied, access=DatasetAccess.STANDARD), is_owner=False)
    assert [one.value for one in open_.scores] == [50.0]
    assert [one.gold_value for one in open_.deltas] == [50.0, 50.0]
