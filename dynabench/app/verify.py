"""`dynabench db verify`: computes every derived value again and compares it with the stored one.

Rows are the truth. What is derived from them is stored for speed alone, so it must be what
one finds by starting over: whether an attempt fooled, the outcome of its votes, the counts
per annotator and per context, and whether a round's budget is spent. Pictures and sounds that
are known must also be there.
"""

import asyncio
from datetime import datetime
from uuid import UUID

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Session
from dynabench.loop.examples.answering.service import is_judged_right
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.media.service import MediaService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.rules import Recount
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService

_PAGE = 500
_LOOKS = 3
_PAUSE_SECONDS = 0.5
# Every task is listed for an administrator; nothing is done in this one's name.
_EVERYONE = Actor(user_id=None, username="verify", is_admin=True)


async def verify(wiring: Wiring) -> list[str]:
    """Return a sentence for each derived value that is not what its rows add up to.

    While people write, a count may be read between a change and its fold; a round with
    findings is therefore looked at again, and only what stays is told.
    """
    tasks, rounds = wiring.get(TaskService), wiring.get(RoundService)
    found: list[str] = []
    for summary in await tasks.list(actor=_EVERYONE):
        task = await tasks.get(summary.slug)
        for round_ in await rounds.of_task(task.id):
            found += await _settled(wiring, round_)
    found += [
        f"The file {digest} is named by examples or contexts, but gone from the blob store."
        for digest in await wiring.get(MediaService).lost()
    ]
    return found


async def _settled(wiring: Wiring, round_: Round) -> list[str]:
    found: list[str] = []
    for look in range(_LOOKS):
        if look:
            await asyncio.sleep(_PAUSE_SECONDS)
        await wiring.get(FoldService).catch_up(at_once=True)
        # Read past the cache: folding may just have closed it.
        now = await wiring.get(RoundService).of_task(round_.task_id)
        found = await _RoundCheck(wiring, next(one for one in now if one.id == round_.id)).run()
        if not found:
            break
    return found


class _RoundCheck:
    """One look at one round."""

    def __init__(self, wiring: Wiring, round_: Round) -> None:
        self._wiring = wiring
        self._round = round_
        self._name = f"Round {round_.number} of {round_.task_slug}"
        self._recount = Recount()

    async def run(self) -> list[str]:
        """Return what does not agree."""
        found = await self._examples()
        folds = self._wiring.get(FoldService)
        counts = await folds.mismatches(self._round.id, self._recount)
        found += [f"{self._name}: {sentence}" for sentence in counts]
        spent = await folds.spent_budget(self._round)
        if spent is not None and self._round.status is RoundStatus.OPEN:
            found.append(f"{self._name} is open although its budget is spent: {spent}")
        return found

    async def _examples(self) -> list[str]:
        found: list[str] = []
        after: tuple[datetime, UUID] | None = None
        while True:
            async with self._wiring.db.read() as session:
                keys = await self._wiring.get(ExampleService).page_ids(
                    session, round_id=self._round.id, after=after, limit=_PAGE
                )
                if keys:
                    found += await self._page(session, [example_id for _, example_id in keys])
            if len(keys) < _PAGE:
                return found
            after = keys[-1]

    async def _page(self, session: Session, example_ids: list[UUID]) -> list[str]:
        outcomes = self._wiring.get(OutcomeService)
        task = await self._wiring.get(TaskService).get_by_id(self._round.task_id)
        found = [
            f"{self._name}: whether example {example.id} fooled is not what the answers say."
            for example in await self._wiring.get(ExampleService).get_many(session, example_ids)
            if not is_judged_right(example, config=task.config, policy=self._round.target_policy)
        ]
        found += [
            f"{self._name}: the outcome of example {example_id} is not what its votes add up to."
            for example_id in await outcomes.mismatches(session, example_ids)
        ]
        for outcome in (await outcomes.get_many(session, example_ids)).values():
            self._recount.add(outcome)
        return found
