from dataclasses import replace
from pathlib import Path

import pytest

from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.clock import Clock
from dynabench.kit.wire import Values
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.interchange.releasing.service import ReplayReleaser
from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.importing.service import TaskImporter
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.media.repository import MediaRepository
from dynabench.loop.media.service import MediaService
from dynabench.people.directory.service import UserDirectory
from tests.factories.chats import make_chat_stage, make_talking_wiring
from tests.factories.contexts import make_context
from tests.factories.examples import make_stage
from tests.factories.media import PLACE, picture
from tests.factories.moving import Installation
from tests.factories.replays import Replays, anli_line, write_lines
from tests.factories.tasks import NLI_CONFIG
from tests.loop.interchange.transfer.test_refusals import Altered

WITH_PICTURE = NLI_CONFIG.replace(
    "  - {name: premise, type: string}\n",
    "  - {name: premise, type: string}\n  - {name: scene, type: image}\n",
)


async def test_pictures_travel_with_what_is_written_about_them(
    here: Installation, elsewhere: Installation, tmp_path: Path
) -> None:
    (tmp_path / "red.png").write_bytes(picture())
    kept = await here.wiring.get(MediaService).keep(tmp_path / "red.png")
    stage = await make_stage(here.wiring, here.clock, config=WITH_PICTURE, contexts=0)
    content: Values = {"premise": "A red field.", "scene": {"media": kept.digest, "alt": "Red"}}
    context = await make_context(here.wiring.db, stage.task, content=content, clock=here.clock)
    await stage.write(context=context)
    file = await here.export(stage.task.slug)

    await elsewhere.bring(file)

    there = elsewhere.wiring.get(MediaService)
    assert await there.content(kept.digest) == await here.wiring.get(MediaService).content(
        kept.digest
    )
    assert (await elsewhere.export(stage.task.slug)).read_bytes() == file.read_bytes()
    assert await elsewhere.disagreements() == []


@pytest.mark.parametrize(
    ("lie", "wanted"),
    [
        ({}, "media_files, line 1, digest: The file still holds what only describes it"),
        ({"width": 600}, "media_files, line 1, width: The file is 60, and not 600"),
        ({"kind": "audio"}, "media_files, line 1, kind: The file is image, and not audio"),
    ],
)
async def test_pictures_that_say_more_than_they_show_or_than_their_row_are_refused(
    here: Installation, elsewhere: Installation, tmp_path: Path, lie: Values, wanted: str
) -> None:
    said = picture("JPEG", exif={PLACE: "a house in Lisbon"})
    (tmp_path / "red.jpg").write_bytes(said)
    clean = await here.wiring.get(MediaService).keep(tmp_path / "red.jpg")
    # As a file that was stored by other hands might be.
    stored = FolderBlobStore(here.wiring.settings.blobs_folder).put(said)
    row = replace(clean, digest=stored, size_bytes=len(said))
    stage = await make_stage(here.wiring, here.clock, config=WITH_PICTURE, contexts=0)
    content: Values = {"premise": "A red field.", "scene": {"media": row.digest, "alt": "Red"}}
    await make_context(here.wiring.db, stage.task, content=content, clock=here.clock)
    async with here.wiring.db.transaction() as session:
        await MediaRepository(session).add(
            row, source_url=None, created_by=None, now=here.clock.now()
        )
    altered = Altered(await here.export(stage.task.slug))
    altered.part("media_files", lambda rows: rows[0].update(lie))

    with pytest.raises(TaskFileError) as refused:
        await elsewhere.bring(altered.write())

    assert wanted in refused.value.message


async def test_conversations_travel_turn_by_turn_and_lead_to_the_models_of_a_copy(
    database_url: str, here: Installation, elsewhere: Installation, clock: Clock, tmp_path: Path
) -> None:
    wiring = make_talking_wiring(database_url, tmp_path / "talking", clock)
    stage = await make_chat_stage(wiring, clock)
    chat = await stage.talk("Good morning.", "What is your name?")
    await stage.submit({"chat": str(chat.id)})
    await wiring.close()
    file = await here.export(stage.task.slug)

    await elsewhere.bring(file)
    copied = await here.bring(file, slug="copied", is_copy=True)

    assert (await elsewhere.export(stage.task.slug)).read_bytes() == file.read_bytes()
    assert await elsewhere.disagreements() == []
    assert copied.rows["chat_turns"] == 2
    assert await here.disagreements() == []


async def test_a_replayed_and_released_round_keeps_its_pseudonyms_where_others_have_them_too(
    here: Installation, elsewhere: Installation, tmp_path: Path
) -> None:
    lines = [anli_line(f"it-{number}", label="enc"[number % 3]) for number in range(9)]
    file = write_lines(tmp_path / "R1_dev_merged.jsonl", lines)
    found = await Replays(here.wiring, 250).run(SourceFormat.ANLI, file)
    await ReplayReleaser(releases=here.wiring.get(ReleaseService)).release(
        found, licence="CC-BY-NC-4.0", seed=1, allow_incomplete=True, progress=no_progress
    )
    exported = await here.export("anli")
    # Elsewhere the same pseudonyms stand for other accounts already.
    await Replays(elsewhere.wiring, 250).run(SourceFormat.ANLI, file, task="mine")

    told = await elsewhere.wiring.get(TaskImporter).bring(exported)

    assert told.licences == ["CC-BY-NC-4.0"]
    assert (await elsewhere.export("anli")).read_bytes() == exported.read_bytes()
    assert await elsewhere.disagreements() == []
    mine = await elsewhere.wiring.get(UserDirectory).find("anli-it-1-author")
    assert mine.is_synthetic


async def no_progress(done: float, total: float, message: str) -> None:
    del done, total, message
