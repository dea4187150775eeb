"""What is stored of a shard is what was answered, and a shard is stored once."""

from sqlalchemy import select

from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.runs.checking.rules import Checked
from dynabench.loop.evaluations.runs.repository import RunRepository
from dynabench.loop.evaluations.runs.rows.rules import encode_rows
from dynabench.loop.evaluations.tables import predictions
from dynabench.loop.evaluations.values import FinishedShard
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.models import make_model
from tests.factories.tasks import make_task

SHARD = FinishedShard(split=Split.TEST, number=0, items=4, failed=1, seconds=0.5)
UIDS = ["plain1", "a\tb\\c\nd\re", "\\N", "日本"]
ANSWERS: list[Checked] = [
    ({"reply": 'tab\t, quote ", back\\slash, line\n, \\n'}, {"a": 0.25, "b": 0.75}, None),
    ({"number": 2**70, "deep": {"one": [1, None, True]}}, None, None),
    ({}, None, "It said:\n\t\\N and \\. and 'quotes'"),
    ({"reply": "日本 \u2028 🙂"}, None, None),
]


async def test_odd_answers_come_back_as_they_were_and_a_second_write_changes_nothing(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    model = await make_model(database, task)
    async with database.transaction() as session:
        held = await EvaluationRepository(session).hold(
            new_id(), model_id=model.id, version_id=version.id
        )
    for is_first in (True, False):
        said = ANSWERS if is_first else list(reversed(ANSWERS))
        rows = encode_rows(held.id, UIDS, said, [1.0, 1e-12, 0.0, None])
        async with database.transaction() as session:
            assert await RunRepository(session).add_shard(held.id, SHARD, rows) is is_first

    async with database.read() as session:
        assert await RunRepository(session).shards(held.id) == [SHARD]
        found = {
            row.uid: (row.outputs, row.probabilities, row.error, row.score)
            for row in await session.execute(select(predictions))
        }
    assert set(found) == set(UIDS)
    for uid, answer, score in zip(UIDS, ANSWERS, [1.0, 1e-12, 0.0, None], strict=True):
        outputs, probabilities, error, kept = found[uid]
        assert (probabilities, error, kept) == (*answer[1:], score)
        # A number of more than 64 bits is read back as near as the reader can.
        assert outputs == answer[0] or outputs["number"] == float(2**70)
