"""Which verified examples that did not fool stand in dev and test beside those that did.

Where everything in test fooled a target that anybody can ask, its answer is known to be wrong:
with two labels the withheld answer is the other one. Mixed with what the target had right, its
answer says as little as a coin.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from dynabench.loop.datasets.errors import SplitSharesError
from dynabench.loop.datasets.releases.mixing.values import Splitting
from dynabench.loop.datasets.releases.values import SHARE, Candidate, seeded_order
from dynabench.loop.datasets.values import Split

_MOST_MEASURED = 0.9
_ROUNDING = 1e-9


def wanted_others(items: int, *, share: float) -> int:
    """Return how many others stand beside so many that fooled, for them to have a share.

    Example:
        >>> wanted_others(10, share=0.5), wanted_others(10, share=0.2), wanted_others(10, share=0)
        (10, 2, 0)
    """
    return int(items * share / (1 - share) + _ROUNDING)


def require_shares(*, dev: float | None, test: float | None) -> None:
    """Refuse a dev and a test that leave too little for train.

    Raises:
        SplitSharesError: If together they take more than nine tenths.
    """
    if (dev or 1 / SHARE) + (test or 1 / SHARE) > _MOST_MEASURED + _ROUNDING:
        raise SplitSharesError(most=_MOST_MEASURED)


def mixed(
    candidates: Sequence[Candidate],
    *,
    test: tuple[Candidate, ...],
    dev: tuple[Candidate, ...],
    writers: Collection[str],
    splitting: Splitting,
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """Return test and dev with the others that they take.

    First come others on the contexts that are theirs already, which could stand nowhere else.
    Then whole contexts on which nobody fooled the targets, at most half of these.
    """
    others = _Others(candidates, splitting=splitting)
    tested = others.beside(test, split=Split.TEST, writers=writers)
    return tested, others.beside(dev, split=Split.DEV, writers=writers)


class _Others:
    """Verified examples that did not fool, by context."""

    def __init__(self, candidates: Sequence[Candidate], *, splitting: Splitting) -> None:
        self._splitting = splitting
        self._by_context: dict[str, list[Candidate]] = defaultdict(list)
        for one in candidates:
            if one.is_other:
                self._by_context[one.context].append(one)
        fooled = {one.context for one in candidates if one.is_eligible}
        free = [context for context in self._by_context if context not in fooled]
        free.sort(key=lambda context: seeded_order(splitting.seed, "others", context))
        self._free = free[: (len(free) + 1) // 2]

    def beside(
        self, part: tuple[Candidate, ...], *, split: Split, writers: Collection[str]
    ) -> tuple[Candidate, ...]:
        """Return a part with its others."""
        taken = list(part)
        left = wanted_others(len(part), share=self._splitting.share_of_others)
        test_only = {*writers, *self._splitting.earlier.test_only}
        for one in self._in_order(part, split):
            if not left:
                break
            if split is not Split.TEST and one.annotator in test_only:
                continue
            taken.append(one)
            left -= 1
        return tuple(taken)

    def _in_order(self, part: Sequence[Candidate], split: Split) -> Iterator[Candidate]:
        contexts = {one.context for one in part}
        here = [one for key in sorted(contexts) for one in self._by_context.get(key, ())]
        yield from self._by_label(here)
        earlier = self._splitting.earlier
        while self._free:
            allowed = (one for one in self._free if earlier.allows(one, split=split))
            context = next(allowed, None)
            if context is None:
                return
            self._free.remove(context)
            yield from self._by_label(self._by_context[context])

    def _by_label(self, items: Iterable[Candidate]) -> list[Candidate]:
        """Return items label by label in turn, each in an order by chance."""
        seed = self._splitting.seed
        turns: dict[str | None, int] = defaultdict(int)
        ordered = []
        for one in sorted(items, key=lambda one: seeded_order(seed, "other", one.uid)):
            ordered.append((turns[one.label], one))
            turns[one.label] += 1
        return [one for _, one in sorted(ordered, key=lambda found: found[0])]
