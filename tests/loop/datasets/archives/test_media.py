"""The pictures and sounds of a set travel with it, and every library opens them."""

import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
import yaml

from dynabench.engines.storage.errors import BlobDamagedError
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.actor import VISITOR
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.archives.errors import ArchiveMediaMissingError
from dynabench.loop.datasets.archives.media import values as limits
from dynabench.loop.datasets.archives.values import Archive, ArchiveState
from dynabench.loop.datasets.rules import item_line
from dynabench.loop.datasets.values import DatasetItem, DatasetVersion, Split
from dynabench.loop.media.tables import media_files
from tests.factories.archived_media import CONFIG, Shelf, seen_item
from tests.factories.archives import Archives
from tests.factories.datasets import make_dataset
from tests.factories.media import picture, sound
from tests.factories.tasks import make_task

# What the card says, on a folder that this test has made, in a process of its own: the library
# reads its settings once, when it is imported, for all who come after.
LOOK = """
import json, sys
import pyarrow.parquet as pq
import yaml
from datasets import Features
from pathlib import Path
for block in sys.argv[2:]:
    exec(block.replace("path/to/this/folder", sys.argv[1]))
front = yaml.safe_load((Path(sys.argv[1]) / "README.md").read_text().split("---\\n")[1])
told = Features._from_yaml_list(front["dataset_info"]["features"])
lies = Features.from_arrow_schema(pq.read_schema(Path(sys.argv[1]) / "data/train.parquet"))
assert told == lies, (told, lies)
print(json.dumps({
    "sizes": [one.size for one in data["train"]["picture"]],
    "places": data["train"][0]["places"],
    "rate": rate,
}))
"""


@pytest.fixture
def archives(database: Database, clock: Clock, tmp_path: Path) -> Archives:
    return Archives.over(database, clock, tmp_path)


@pytest.fixture
def shelf(database: Database, clock: Clock, archives: Archives) -> Shelf:
    return Shelf(database, clock, archives.blobs)


@pytest.fixture
async def items(shelf: Shelf) -> list[DatasetItem]:
    large = await shelf.put(picture(size=(60, 40)), "image/png")
    small = await shelf.put(picture("JPEG", size=(8, 6)), "image/jpeg")
    clip = await shelf.put(sound(), "audio/wav")
    return [
        seen_item(1, picture=large, clip=clip, alt="A dark half."),
        seen_item(2, picture=large, clip=clip),
        seen_item(3, picture=small, clip=clip),
        seen_item(4, picture=small, clip=clip, split=Split.TEST),
    ]


@pytest.fixture
async def version(database: Database, clock: Clock, items: list[DatasetItem]) -> DatasetVersion:
    task = await make_task(database, config=CONFIG)
    return await make_dataset(database, task, items, clock=clock)


def digests(items: list[DatasetItem]) -> list[str]:
    named = [part for one in items for part in (one.context["picture"], one.inputs["clip"])]
    return sorted({str(one["media"]) for one in named if isinstance(one, dict)})


def names_in(archives: Archives, archive: Archive) -> list[str]:
    with archives.blobs.open(parse_digest(archive.digest)) as file, ZipFile(file) as opened:
        return opened.namelist()


async def test_each_file_is_there_once_under_its_digest_and_listed(
    archives: Archives, version: DatasetVersion, items: list[DatasetItem], tmp_path: Path
) -> None:
    made = await archives.make(version)
    folder = await archives.unpacked(version, into=tmp_path / "unpacked")

    names = [one for one in names_in(archives, made) if one.startswith("media/")]
    assert names == sorted(names)
    assert [one.removeprefix("media/").partition(".")[0] for one in names] == digests(items)
    assert {one.rpartition(".")[2] for one in names} == {"png", "jpg", "wav"}
    for name in names:
        assert sha256((folder / name).read_bytes()).hexdigest() in name
    listed = [json.loads(line) for line in (folder / "media.jsonl").read_text().splitlines()]
    assert [one["path"] for one in listed] == names
    assert [one["size_bytes"] for one in listed] == [(folder / one).stat().st_size for one in names]
    assert {one.name: one.items for one in made.files}["media.jsonl"] == 3


async def test_both_formats_name_the_path_beside_the_digest(
    archives: Archives, version: DatasetVersion, items: list[DatasetItem], tmp_path: Path
) -> None:
    folder = await archives.unpacked(version, into=tmp_path / "unpacked")

    rows = pq.read_table(folder / "data" / "train.parquet").to_pylist()
    lines = (folder / "data" / "train.jsonl").read_bytes().splitlines(keepends=True)

    for row, line, item in zip(rows, lines, items, strict=False):
        told = json.loads(line)
        assert told.pop("media") == {name: row[name]["path"] for name in ("picture", "clip")}
        # Without it the line is the one that the version's digest is made of.
        assert told == json.loads(item_line(item))
        assert (folder / row["clip"]["path"]).is_file()
        assert row["picture"]["digest"] == told["context"]["picture"]["media"]
        assert row["picture"]["alt"] == told["context"]["picture"]["alt"]
        assert row["clip"]["media_type"] == "audio/wav"
        assert row["places"] == told["gold"]["places"]
    withheld = pq.read_table(folder / "data" / "test.parquet").to_pylist()[0]
    assert (withheld["places"], withheld["label"]) == (None, None)
    assert (folder / withheld["picture"]["path"]).is_file()


async def test_the_card_tells_how_a_picture_and_a_sound_are_opened(
    archives: Archives, version: DatasetVersion, tmp_path: Path
) -> None:
    folder = await archives.unpacked(version, into=tmp_path / "unpacked")
    page = (folder / "README.md").read_text()
    blocks = re.findall(
        r"```python\n(.*?)```", page.partition("## Pictures and sounds")[2], re.DOTALL
    )
    assert len(blocks) == 2
    home = tmp_path / "home"
    environment = {
        **os.environ,
        "HF_HOME": str(home),
        "HF_DATASETS_CACHE": str(home / "cache"),
        "HF_HUB_OFFLINE": "1",
    }

    # The card's own lines.
    done = subprocess.run(  # noqa: S603, ASYNC221 - a test waits for nobody
        [sys.executable, "-c", LOOK, str(folder), *blocks],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["sizes"] == [[60, 40], [60, 40], [8, 6]]
    assert seen["places"] == [{"text": "Ada", "start": 0, "end": 3, "label": "who"}]
    assert seen["rate"] == 16_000


# Libraries that it stands on warn it of what they will change.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:The inplace keyword")
async def test_the_metadata_leads_to_every_row_and_every_picture(
    archives: Archives, version: DatasetVersion, tmp_path: Path
) -> None:
    # It takes two seconds to import, and ships no types.
    import mlcroissant  # type: ignore[import-untyped]  # noqa: PLC0415

    folder = await archives.unpacked(version, into=tmp_path / "unpacked")

    found = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))

    assert not found.metadata.issues.errors
    assert not found.metadata.issues.warnings
    rows = [*found.records("train")]
    pictures = {str(one["picture-files/path"]): one for one in found.records("picture-files")}
    assert len(pictures) == 2
    for row in rows:
        path = row["train/picture"]["train/picture/path"].decode()
        shown = pictures[str(path.encode())]["picture-files/content"]
        assert shown.size in {(60, 40), (8, 6)}
    assert [one["train/places/text"] for one in rows[0]["train/places"]] == [b"Ada"]
    assert {one.id for one in found.metadata.file_sets} == {"pictures", "sounds"}


async def test_too_many_files_are_listed_and_left_out(
    archives: Archives,
    version: DatasetVersion,
    items: list[DatasetItem],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_FILES", 2)
    folder = await archives.unpacked(version, into=tmp_path / "unpacked")

    assert not (folder / "media").exists()
    listed = [json.loads(line) for line in (folder / "media.jsonl").read_text().splitlines()]
    assert [(one["digest"], one["path"]) for one in listed] == [
        (digest, None) for digest in digests(items)
    ]
    page = (folder / "README.md").read_text()
    assert "They are not here: at most" in page
    row = pq.read_table(folder / "data" / "train.parquet").to_pylist()[0]
    assert row["picture"]["path"] is None
    assert row["picture"]["digest"] in digests(items)
    told = json.loads((folder / "croissant.json").read_text())
    assert "cr:FileSet" not in {one["@type"] for one in told["distribution"]}
    assert yaml.safe_load(page.split("---\n")[1])["dataset_info"]


async def test_a_file_that_is_lost_or_damaged_is_named_and_nothing_is_kept(
    archives: Archives,
    version: DatasetVersion,
    items: list[DatasetItem],
    database: Database,
    tmp_path: Path,
) -> None:
    lost = digests(items)[1]
    stored = tmp_path / "blobs" / "sha256" / lost[:2] / lost[2:]
    content = stored.read_bytes()
    stored.unlink()

    with pytest.raises(ArchiveMediaMissingError, match=f"{lost}, which items name, is missing"):
        await archives.make(version)
    stored.write_bytes(content[::-1])
    with pytest.raises(BlobDamagedError, match=lost):
        await archives.make(version)

    assert (await archives.service.read(version.id, actor=VISITOR)).state is ArchiveState.MISSING
    # A test waits for nobody.
    left = [path for path in tmp_path.rglob("*") if path.is_file()]  # noqa: ASYNC240
    assert sorted(path.parent.name + path.name for path in left) == digests(items)
    async with database.transaction() as session:
        await session.execute(media_files.delete())
    with pytest.raises(ArchiveMediaMissingError, match="and 2 more of its files"):
        await archives.make(version)
