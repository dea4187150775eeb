"""What is scored by itself, and of how few items a score may be told."""

from dataclasses import replace

import pytest

from dynabench.kit.ids import new_id
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.evaluations.rules import FEWEST_TOLD, is_asked_by_itself, is_part_told
from dynabench.loop.evaluations.values import (
    Delta,
    DeltaKind,
    Evaluation,
    EvaluationState,
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


@pytest.mark.parametrize("is_owner", [True, False])
def test_small_parts_of_an_evaluation_are_told_to_owners_alone(
    version: DatasetVersion, *, is_owner: bool
) -> None:
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
    known = Known(
        version=version,
        round_number=None,
        job=None,
        queue_position=None,
        measurement=None,
        scores=(),
        tag_scores=[tag_score(1), tag_score(50)],
        deltas=[delta(1), delta(50)],
        is_told_all=True,
        is_owner=is_owner,
    )
    read = read_evaluation(evaluation, known)
    assert [one.tag for one in read.tag_scores] == (["1", "50"] if is_owner else ["50"])
    assert [one.gold_value for one in read.deltas] == [50.0 if is_owner else None, 50.0]
    # How often a model keeps its own answer says nothing of the gold.
    assert [one.value for one in read.deltas] == [100.0, 100.0]
