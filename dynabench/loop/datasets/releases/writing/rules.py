"""From a plan and what is said to the items: pseudonyms, places, and a sample for the card."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import orjson

from dynabench.loop.datasets.cards.artifacts.values import LARGEST_TRAINING, Sampled
from dynabench.loop.datasets.releases.values import Candidate, Content, Plan, seeded_order
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.rounds.values import Arm


def pseudonyms_of(people: Iterable[str], *, seed: int) -> dict[str, str]:
    """Return numbers for people, in an order by chance that a seed repeats.

    Example:
        >>> sorted(pseudonyms_of({"ann", "bob"}, seed=1).values())
        ['annotator-1', 'annotator-2']
    """
    order = sorted(people, key=lambda person: seeded_order(seed, "pseudonym", person))
    return {person: f"annotator-{number}" for number, person in enumerate(order, start=1)}


class ItemMaker:
    """Makes the items of a release out of what comes by uid.

    Args:
        candidates: All that might be released.
        plan: Where they go.
        seed: The release's.
        text_names: The input fields that hold texts.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        plan: Plan,
        *,
        seed: int,
        text_names: Sequence[str] = (),
    ) -> None:
        self._text_names = text_names
        self._splits = plan.splits
        self._released = sorted(
            (one for one in candidates if one.uid in plan.splits), key=lambda one: one.uid
        )
        self._pseudonyms = pseudonyms_of({one.annotator for one in self._released}, seed=seed)
        self._next = 0
        self._positions: Counter[Split] = Counter()
        self._sampled_uids = frozenset(_sampled(self._released, plan, seed=seed))
        self.sampled: list[Sampled] = []

    def __len__(self) -> int:
        return len(self._released)

    def make(self, contents: Iterable[Content]) -> list[DatasetItem]:
        """Return the items among the next contents, which follow those before them by uid."""
        return list(self._items(contents))

    def _items(self, contents: Iterable[Content]) -> Iterator[DatasetItem]:
        for content in contents:
            if self._next == len(self._released):
                return
            candidate = self._released[self._next]
            if content.uid != candidate.uid:
                continue
            self._next += 1
            item = self._item(candidate, content)
            if item.uid in self._sampled_uids and candidate.label is not None:
                self.sampled.append(
                    Sampled.of(item, label=candidate.label, text_names=self._text_names)
                )
            yield item

    def _item(self, candidate: Candidate, content: Content) -> DatasetItem:
        split = self._splits[candidate.uid]
        position = self._positions[split]
        self._positions[split] += 1
        tags = (content.tag,) if content.tag else ()
        if candidate.arm is not Arm.TARGET:
            tags = (*tags, f"control:{candidate.arm}")
        return DatasetItem(
            uid=candidate.uid,
            split=split,
            position=position,
            context=orjson.loads(content.context),
            inputs=orjson.loads(content.inputs),
            gold=orjson.loads(content.gold),
            tags=tags,
            annotator=self._pseudonyms[candidate.annotator],
            is_fooling=candidate.is_fooling,
            is_verified=candidate.is_verified,
            context_digest=bytes.fromhex(candidate.context),
        )


def _sampled(released: Sequence[Candidate], plan: Plan, *, seed: int) -> Iterator[str]:
    """Give all of dev and test, and as much of train as a baseline learns from."""
    train: list[str] = []
    for one in released:
        if plan.splits[one.uid] is Split.TRAIN:
            train.append(one.uid)
        else:
            yield one.uid
    if len(train) <= LARGEST_TRAINING:
        yield from train
    else:
        yield from heapq.nsmallest(
            LARGEST_TRAINING, train, key=lambda uid: seeded_order(seed, "artifacts", uid)
        )
