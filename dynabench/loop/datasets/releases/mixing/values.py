"""How a release is split, beside its seed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from dynabench.loop.datasets.values import Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What a task's earlier releases hold, as far as a later one must keep apart from it.

    Attributes:
        contexts: The splits in which a context stands, by its digest in hexadecimal.
        trained: Who wrote for train or dev.
        test_only: Who wrote for test and for nothing else.
    """

    contexts: Mapping[str, Collection[Split]] = field(default_factory=dict)
    trained: frozenset[str] = frozenset()
    test_only: frozenset[str] = frozenset()

    def allows(self, context: str, *, split: Split) -> bool:
        """Tell whether a context may stand in a split: in no other one than before.

        A context that older releases put into several splits may stand in train alone.
        """
        before = set(self.contexts.get(context, ()))
        if len(before) > 1:
            return split is Split.TRAIN and Split.TRAIN in before
        return not before or split in before


NOTHING_EARLIER = Earlier()


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting:
    """What decides the splits of a round's candidates.

    Attributes:
        seed: Decides whatever is left to chance.
        dev_share: The part of the verified fooling examples that dev takes; None: the usual one.
        test_share: The same of test.
        people_are_known: Whether authors are people, so that some can write for test alone.
        share_of_others: The part of dev and of test, from 0 to 0.9, that verified examples make
            up which did not fool.
        earlier: What must be kept apart.
    """

    seed: int
    dev_share: float | None = None
    test_share: float | None = None
    people_are_known: bool = True
    share_of_others: float = 0.0
    earlier: Earlier = NOTHING_EARLIER
