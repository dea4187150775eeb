"""What is typed for the data of a training, and `dynabench train nli` without a word more."""

from uuid import UUID, uuid4

import pytest
from typer.main import get_command

from dynabench.app.cli.main import assemble
from dynabench.app.cli.training_data import read_options, read_sources
from dynabench.kit.clock import SystemClock
from dynabench.kit.errors import InvalidError, NotFoundError
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin


def version(
    name: str, *, number: int | None = None, of: int = 1, is_newest: bool = True
) -> DatasetVersionRead:
    return DatasetVersionRead(
        id=uuid4(),
        dataset_id=uuid4(),
        task_slug="nli",
        name=name,
        version=of,
        is_newest=is_newest,
        round_number=number,
        digest="d",
        licence="CC0",
        access=DatasetAccess.SCORING,
        origin=DatasetOrigin.UPLOAD if number is None else DatasetOrigin.RELEASE,
        subtask_of=None,
        tags=[],
        perturbs_id=None,
        perturbation=None,
        items=1,
        splits=[],
        card={},
        created_at=SystemClock().now(),
        test_opened_at=None,
    )


FIRST, SECOND = version("nli-round-1", number=1), version("nli-round-2", number=2)
OLD, NEW = version("snli", is_newest=False), version("snli", of=2)
ODD = version("ratio 1:2")
ALL = (FIRST, SECOND, OLD, NEW, ODD)


@pytest.mark.parametrize(
    ("texts", "chosen"),
    [
        (["Round 1:2", "round 2"], {FIRST.id: 2, SECOND.id: 1}),
        (["all rounds", "Round 2:10"], {FIRST.id: 1, SECOND.id: 10}),
        (["last round:3"], {SECOND.id: 3}),
        (["snli"], {NEW.id: 1}),
        (["snli@1:4"], {OLD.id: 4}),
        ([f"{OLD.id}:2"], {OLD.id: 2}),
        (["ratio 1:2"], {ODD.id: 1}),
        (["ratio 1:2:5"], {ODD.id: 5}),
    ],
)
def test_data_is_named_by_round_name_or_id_with_its_weight(
    texts: list[str], chosen: dict[UUID, int]
) -> None:
    assert read_sources(texts, ALL) == chosen


def test_what_names_nothing_is_told_what_there_is() -> None:
    with pytest.raises(NotFoundError, match=r"Round 1 \(nli-round-1\).*last round"):
        read_sources(["Round 9"], ALL)
    with pytest.raises(NotFoundError, match="no released round"):
        read_sources(["all rounds"], [])
    assert read_options(["epochs=3", "checkpoint=a=b"]) == {"epochs": "3", "checkpoint": "a=b"}
    with pytest.raises(InvalidError, match="epochs=3"):
        read_options(["epochs"])


def test_a_task_alone_starts_a_training() -> None:
    # Typer's own groups are typed as plain commands.
    group = get_command(assemble(["train"])).commands["train"]  # type: ignore[attr-defined]
    for typed in (["nli", "--seed", "1"], ["--seed", "1", "nli"]):
        with group.make_context("train", list(typed)) as context:
            assert [*context._protected_args, *context.args] == ["start", *typed]
