"""Rounds that were collected elsewhere, and people who would go on with them here."""

from pathlib import Path

import pytest

from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.validations.errors import NotWaitingError
from dynabench.loop.validations.schemas import ValidationCreate
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.values import Verdict
from tests.factories.people import make_user
from tests.factories.replays import (
    anli_line,
    derived,
    dynasent_line,
    replaying,
    round_id_of,
    write_lines,
)


async def test_nobody_votes_here_on_what_was_collected_elsewhere(
    database_url: str, tmp_path: Path
) -> None:
    unverified = write_lines(tmp_path / "R1_dev.jsonl", [anli_line("one", verifiers=None)])
    votes = {"positive": ["w2"], "negative": ["w3"]}
    undecided = write_lines(tmp_path / "r2.jsonl", [dynasent_line("two", votes)])
    async with replaying(database_url, tmp_path / "home") as replays:
        validator = await make_user(replays.wiring.db)
        validations = replays.wiring.get(ValidationService)
        for source, file in ((SourceFormat.ANLI, unverified), (SourceFormat.DYNASENT, undecided)):
            found = await replays.run(source, file)
            (derived_one,) = derived(found).values()
            assert derived_one.verdict is Verdict.PENDING
            async with replays.wiring.db.read() as session:
                ((_, example_id),) = await replays.wiring.get(ExampleService).page_ids(
                    session, round_id=round_id_of(found), after=None, limit=2
                )

            queue = await validations.next_items(round_id_of(found), count=5, actor=validator)
            assert (queue.items, queue.waiting) == ([], 0)
            with pytest.raises(NotWaitingError, match="collected elsewhere"):
                await validations.vote(
                    example_id,
                    ValidationCreate(answer={"label": "negative"}),
                    actor=validator,
                    key=None,
                )
