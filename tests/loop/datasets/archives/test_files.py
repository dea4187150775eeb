"""What people and programs find in an archive, read by the libraries that they read it with."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.rules import content_digest
from dynabench.loop.datasets.schemas import DatasetPatch
from dynabench.loop.datasets.values import (
    DatasetAccess,
    DatasetItem,
    DatasetVersion,
    ReleaseOrder,
    Split,
)
from dynabench.loop.tasks.values import Task, TaskRole
from tests.factories.archives import Archives, no_progress
from tests.factories.datasets import close, fill_round, make_dataset, make_item
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task

NAMES = {Split.TRAIN: "train", Split.DEV: "validation", Split.TEST: "test"}
EVERY_TYPE = """\
title: "Everything: <b>all</b> types"
content_warning: Rude words | and worse.
context:
  - {name: passage, type: string}
  - {name: uid, type: string}
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
  - {name: topics, type: multilabel, labels: [a, b]}
  - {name: score, type: number}
  - {name: label, type: multiclass, labels: [x, y]}
output: [{name: answer}, {name: topics}, {name: score}, {name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""

# What somebody does who was given the folder, without a network. It is a process of its own: the
# library reads its settings once, when it is imported, for all who come after.
LOAD = """
import json, sys
from datasets import load_dataset
found = load_dataset(sys.argv[1], cache_dir=sys.argv[2])
print(json.dumps({
    "sizes": found.num_rows,
    "labels": {name: found[name]["label"][:] for name in found},
    "columns": {name: repr(found[name].features) for name in found},
    "first": found["train"][0],
}))
"""


def loaded(folder: Path, *, home: Path) -> dict[str, Any]:
    environment = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    # The lines above, on a folder that this test has made.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", LOAD, str(folder), str(home / "cache")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def archives(database: Database, clock: Clock, tmp_path: Path) -> Archives:
    return Archives.over(database, clock, tmp_path)


@pytest.fixture
async def release(database: Database, clock: Clock, archives: Archives) -> DatasetVersion:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock, contexts=20)
    await close(database, round_, clock=clock)
    order = ReleaseOrder(round_id=round_.id, seed=1, licence="CC-BY-4.0")
    return await archives.chapters.releases.release(order, progress=no_progress)


async def owner_of(database: Database, task: Task) -> Actor:
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    return owner


async def test_a_folder_loads_as_three_splits_without_the_answers_of_test(
    archives: Archives, release: DatasetVersion, tmp_path: Path
) -> None:
    folder = await archives.unpacked(release, into=tmp_path / "unpacked")

    found = loaded(folder, home=tmp_path / "home")

    assert found["sizes"] == {NAMES[one]: size for one, size in release.sizes.items()}
    assert release.sizes[Split.TEST]
    assert set(found["labels"]["test"]) == {None}
    assert set(found["labels"]["train"]) == {"entailment", "contradiction"}
    assert set(found["labels"]["validation"]) <= {"entailment", "contradiction"}
    assert found["columns"]["train"] == found["columns"]["test"]
    assert found["first"]["premise"]


async def test_both_formats_say_the_same_and_are_sorted(
    archives: Archives, release: DatasetVersion, tmp_path: Path
) -> None:
    folder = await archives.unpacked(release, into=tmp_path / "unpacked")

    for name in NAMES.values():
        table = pd.read_parquet(folder / "data" / f"{name}.parquet")
        lines = pd.read_json(folder / "data" / f"{name}.jsonl", lines=True, dtype=False)

        assert [*table.uid] == [*lines.uid] == sorted(table.uid)
        assert {*table.canary} == {*lines.canary} == {release.card["canary"]}
        assert [*table.premise] == [one["premise"] for one in lines.context]
        assert [*table.hypothesis] == [one["hypothesis"] for one in lines.inputs]
        if name == "test":
            assert lines.gold.isna().all()
            assert lines.is_fooling.isna().all()
            assert table.is_fooling.isna().all()
        else:
            assert [*table.label] == [one["label"] for one in lines.gold]
            assert [*table.is_fooling] == [*lines.is_fooling]


# Libraries that it stands on warn it of what they will change.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:The inplace keyword")
async def test_the_metadata_is_valid_and_leads_to_every_row(
    archives: Archives, release: DatasetVersion, tmp_path: Path
) -> None:
    # It takes two seconds to import, and ships no types.
    import mlcroissant  # type: ignore[import-untyped]  # noqa: PLC0415

    folder = await archives.unpacked(release, into=tmp_path / "unpacked")

    found = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))

    assert not found.metadata.issues.errors
    assert not found.metadata.issues.warnings
    assert found.metadata.data_annotation_protocol
    for split, name in NAMES.items():
        records = [*found.records(name)]
        table = pd.read_parquet(folder / "data" / f"{name}.parquet")
        assert len(records) == release.sizes[split]
        assert [one[f"{name}/uid"].decode() for one in records] == [*table.uid]


async def test_the_card_tells_people_what_it_holds(
    archives: Archives, release: DatasetVersion, tmp_path: Path
) -> None:
    folder = await archives.unpacked(release, into=tmp_path / "unpacked")

    card = (folder / "README.md").read_text()

    _, front, page = card.split("---\n", 2)
    assert yaml.safe_load(front)["license"] == "cc-by-4.0"
    for title in (
        *("How large it is", "How often the models were fooled", "Labels", "Who wrote it"),
        *("The models it was written against", "Right answers"),
        *("Columns", "Load it", "Licence", "Cite it", "Canary", "What it is known by"),
    ):
        assert f"\n## {title}\n" in page
    assert str(release.card["canary"]) in page
    assert release.digest in page
    assert "The right answers of test are withheld" in page
    numbers = json.loads((folder / "card.json").read_text())
    assert numbers["card"]["error_rate"] == release.card["error_rate"]
    # How often a label is right would tell of answers that are withheld.
    assert numbers["card"]["splits"]["test"]["labels"] is None
    assert numbers["withheld"] == ["test"]


def item(number: int, gold: dict[str, object]) -> DatasetItem:
    made = make_item(number, split=Split.TRAIN)
    return DatasetItem(
        **{name: getattr(made, name) for name in made.__dataclass_fields__}
        | {
            "context": {"passage": f"Passage “{number}” \u2028\x7f \U0001f600.", "uid": "mine"},
            "inputs": {"question": "Which?"},
            "gold": gold,
            "tags": ("a tag",),
        }
    )


async def test_every_type_of_field_has_its_column(
    archives: Archives, database: Database, clock: Clock, tmp_path: Path
) -> None:
    task = await make_task(database, config=EVERY_TYPE)
    place = {"text": "Passage", "start": 0, "end": 7}
    one = {"answer": place, "topics": ["a"], "score": 1.5, "label": "x"}
    several = {"answer": [place, place], "topics": [], "score": 3, "label": ["x", "y"]}
    items = [item(1, one), item(2, several)]
    version = await make_dataset(database, task, items, clock=clock)

    folder = await archives.unpacked(version, into=tmp_path / "unpacked")

    table = pd.read_parquet(folder / "data" / "train.parquet")
    assert [*table.context_uid] == ["mine", "mine"]
    assert [*table.uid] == [one.uid for one in items]
    assert table.passage[0] == items[0].context["passage"]
    assert [[*cell] for cell in table.answer] == [[place], [place, place]]
    assert [[*cell] for cell in table.topics] == [["a"], []]
    assert [*table.score] == [1.5, 3.0]
    assert [[*cell] for cell in table.label] == [["x"], ["x", "y"]]
    assert [[*cell] for cell in table.tags] == [["a tag"], ["a tag"]]
    assert not (folder / "data" / "test.parquet").exists()
    page = (folder / "README.md").read_text().split("---\n", 2)[2]
    assert r"# Everything: \<b\>all\</b\> types" in page


async def test_the_lines_of_an_open_set_add_up_to_its_digest(
    archives: Archives, database: Database, clock: Clock, tmp_path: Path
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    splits = [*Split]
    items = [make_item(number, split=splits[number % 3]) for number in range(9)]
    version = await make_dataset(database, task, items, clock=clock)
    patch = DatasetPatch(access=DatasetAccess.STANDARD)
    await archives.chapters.datasets.change(version.id, patch, actor=owner)

    folder = await archives.unpacked(version, into=tmp_path / "unpacked")

    read = []
    for split, name in NAMES.items():
        for text in (folder / "data" / f"{name}.jsonl").read_text().splitlines():
            row = json.loads(text)
            row["tags"] = tuple(row["tags"])
            read.append(DatasetItem(split=split, position=0, context_digest=b"", **row))
    assert content_digest(read) == version.digest
