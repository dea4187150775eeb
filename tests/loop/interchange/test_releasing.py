from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.kit.actor import Actor
from dynabench.loop.datasets.errors import ReleaseIncompleteError
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.interchange.releasing.service import ReplayReleaser
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from tests.factories.replays import Replays, anli_line, replaying, round_id_of, write_lines

ADMIN = Actor(user_id=None, username="operator", is_admin=True)


@pytest.fixture
async def replays(database_url: str, tmp_path: Path) -> AsyncIterator[Replays]:
    async with replaying(database_url, tmp_path / "home") as replays:
        yield replays


async def test_a_replayed_round_is_released_like_one_of_this_installation_and_says_what_it_is(
    replays: Replays, tmp_path: Path
) -> None:
    lines = [anli_line(f"it-{number}", label="enc"[number % 3]) for number in range(30)]
    file = write_lines(tmp_path / "R1_dev_merged.jsonl", lines)
    found = await replays.run(SourceFormat.ANLI, file)

    async def release(*, allow_incomplete: bool) -> list[DatasetVersion]:
        return await ReplayReleaser(releases=replays.wiring.get(ReleaseService)).release(
            found,
            licence="CC-BY-NC-4.0",
            seed=3,
            allow_incomplete=allow_incomplete,
            progress=no_progress,
        )

    with pytest.raises(ReleaseIncompleteError):
        await release(allow_incomplete=False)
    (version,) = await release(allow_incomplete=True)
    again = await replays.run(SourceFormat.ANLI, file)
    (same,) = await release(allow_incomplete=True)

    assert same.id == version.id
    assert again.rounds[0].examples_added == 0
    round_ = await replays.wiring.get(RoundService).read(round_id_of(found), actor=ADMIN)
    assert round_.status is RoundStatus.RELEASED
    assert round_.provenance is not None
    assert round_.provenance.title == "Adversarial NLI"
    told = version.card["provenance"]
    assert isinstance(told, dict)
    assert (told["format"], told["licence"]) == ("anli", "CC-BY-NC-4.0")
    assert version.card["is_replay"] is True


async def no_progress(done: float, total: float, message: str) -> None:
    del done, total, message
