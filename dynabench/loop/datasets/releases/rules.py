"""Splitting a round: pure, seeded, and blind to the order in which examples come.

Dev and test get 10 % each of the verified fooling examples, in whole contexts. Some people
write for test alone, so that a model cannot do well there by knowing its authors. The rest
is train. What shares a context with dev or test, or an author with the test-only people,
is held out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from dynabench.loop.datasets.releases.mixing.rules import (
    mixed,
    wanted_others,
)
from dynabench.loop.datasets.releases.mixing.values import Earlier, Splitting
from dynabench.loop.datasets.releases.notes.rules import (
    ALL_FOOLED,
    FEW_OTHERS,
    NO_DEV,
    NO_SET_OF_WRITERS,
    NO_SPLITS,
    NO_WRITERS,
    ONE_CONTEXT,
    ONE_LABEL,
    ONE_WRITER,
    UNKNOWN_WRITERS,
)
from dynabench.loop.datasets.releases.values import (
    CONTEXTS_FOR_TEST,
    SHARE,
    Attempt,
    Candidate,
    Exclusion,
    Plan,
    seeded_order,
)
from dynabench.loop.datasets.values import Split
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.values import Verdict

LARGEST_SPLIT = 1_200
# Test-only annotators wrote at least this much of what fooled in test, in percent.
TEST_ONLY_PERCENT = 30
# And what they wrote elsewhere, which is lost, is at most this part of everything.
_LARGEST_LOSS_PERCENT = 50
# How many contexts, and how many sets of people, are compared before one is taken.
_WINDOW = 64
_LARGEST_SET = 40
_TRIED_PER_SIZE = 8
_ROUNDING = 1e-9
_ARMS = {arm.value: arm for arm in Arm}


def split_size(eligible: int) -> int:
    """Return how many items dev and test have at most: a tenth, and never over 1,200.

    Example:
        >>> split_size(9), split_size(10), split_size(50_000)
        (0, 1, 1200)
    """
    return min(LARGEST_SPLIT, eligible // SHARE)


def size_of(share: float | None, *, eligible: int) -> int:
    """Return how many items a split has at most, that takes a part of what is eligible.

    Example:
        >>> size_of(0.3, eligible=10), size_of(0.3, eligible=50_000), size_of(None, eligible=10)
        (3, 15000, 1)
    """
    return split_size(eligible) if share is None else int(eligible * share + _ROUNDING)


def least_of(splitting: Splitting) -> int:
    """Return from how many eligible examples on neither dev nor test is empty.

    Example:
        >>> least_of(Splitting(seed=0)), least_of(Splitting(seed=0, dev_share=0.05))
        (10, 20)
    """
    shares = (one or 1 / SHARE for one in (splitting.dev_share, splitting.test_share))
    return ceil(1 / min(shares) - _ROUNDING)


def exclusion_of(attempt: Attempt) -> Exclusion | None:
    """Return why an attempt is in no split, whatever its context and author; None if it may be.

    What its author took back is not given out either.
    """
    if attempt.is_voided:
        return Exclusion.VOIDED
    if attempt.is_flagged or attempt.verdict == Verdict.FLAGGED:
        return Exclusion.FLAGGED
    if attempt.is_retracted:
        return Exclusion.RETRACTED
    if attempt.verdict == Verdict.INCORRECT:
        return Exclusion.INCORRECT
    return None if attempt.is_answered else Exclusion.NO_ANSWER


def candidate_of(attempt: Attempt, *, context: str, annotator: str) -> Candidate:
    """Return an attempt that is not excluded as what is split.

    Where its author saw no model, or another one than the target, it says how hard the
    target is for people who do not see it: it may be learned from, and is not measured with.
    """
    arm = _ARMS[attempt.arm]
    is_verified = attempt.verdict == Verdict.CORRECT
    return Candidate(
        uid=attempt.uid,
        context=context,
        annotator=annotator,
        label=attempt.label,
        is_eligible=is_verified and attempt.fooled is True and arm is Arm.TARGET,
        is_other=is_verified and attempt.fooled is False and arm is Arm.TARGET,
        is_fooling=attempt.fooled,
        is_verified=is_verified,
        is_open=attempt.is_wanted and attempt.verdict == Verdict.PENDING,
        arm=arm,
    )


def plan_release(candidates: Sequence[Candidate], splitting: Splitting) -> Plan:
    """Decide the split of every candidate.

    The same candidates and settings give the same plan, in whatever order they come. Where
    people are not known, nobody writes for test alone.
    """
    eligible = [one for one in candidates if one.is_eligible]
    earlier, seed = splitting.earlier, splitting.seed
    size = size_of(splitting.test_share, eligible=len(eligible))
    contexts = len({one.context for one in eligible})
    notes: list[str] = []
    test: tuple[Candidate, ...] = ()
    dev: tuple[Candidate, ...] = ()
    writers: frozenset[str] = frozenset()
    if not size:
        notes.append(NO_SPLITS.say(count=len(eligible), least=least_of(splitting)))
    elif contexts < CONTEXTS_FOR_TEST:
        notes.append(ONE_CONTEXT.say())
    else:
        test, writers = _choose_test(candidates, size=size, splitting=splitting)
        used = {one.context for one in test}
        free = [
            one
            for one in eligible
            if one.context not in used
            and one.annotator not in writers | earlier.test_only
            and earlier.allows(one.context, split=Split.DEV)
        ]
        pool = _Pool.of(free, seed=seed, purpose=Split.DEV)
        dev_size = size_of(splitting.dev_share, eligible=len(eligible))
        dev = pool.pick(size=dev_size, most_contexts=len(pool.contexts) - 1)
        notes += _shortfalls(test=test, dev=dev, candidates=candidates)
        fooling = len(test)
        test, dev = mixed(candidates, test=test, dev=dev, writers=writers, splitting=splitting)
        notes += _lack_of_others(fooling, test, share=splitting.share_of_others)
        if not writers:
            reason = _why_nobody(candidates, people_are_known=splitting.people_are_known)
            notes.append(NO_WRITERS.say(reason=reason))
    return _assign(candidates, test=test, dev=dev, writers=writers, notes=notes, earlier=earlier)


def _lack_of_others(fooling: int, test: Sequence[Candidate], *, share: float) -> Iterator[str]:
    """Say where test holds fewer others than were asked for: its answers are easier to guess."""
    others, wanted = len(test) - fooling, wanted_others(fooling, share=share)
    if fooling and not others:
        yield ALL_FOOLED.say()
    elif others < wanted:
        yield FEW_OTHERS.say(count=others, wanted=wanted)


def _choose_test(
    candidates: Sequence[Candidate], *, size: int, splitting: Splitting
) -> tuple[tuple[Candidate, ...], frozenset[str]]:
    """Return test and who writes for it alone; nobody where no set of people would do."""
    seed, earlier = splitting.seed, splitting.earlier
    eligible = [
        one
        for one in candidates
        if one.is_eligible and earlier.allows(one.context, split=Split.TEST)
    ]
    written = Counter(one.annotator for one in candidates)
    pool = _Pool.of(eligible, seed=seed, purpose=Split.TEST)
    # One context at least stays for train, and if possible one for dev.
    most_contexts = max(len(pool.contexts) - 2, 1)
    unknown = [one for one in eligible if one.annotator not in earlier.trained]
    sets = (
        _sets_of_people(unknown, written, size=size, seed=seed)
        if splitting.people_are_known
        else ()
    )
    for writers in sets:
        everything = sum(written[one] for one in writers)
        # However much of it test takes, too much would be lost.
        if (everything - size) * 100 > _LARGEST_LOSS_PERCENT * len(candidates):
            continue
        test = pool.pick(size=size, most_contexts=most_contexts, prefer=writers)
        theirs = sum(one.annotator in writers for one in test)
        lost = everything - theirs
        is_enough = theirs * 100 >= TEST_ONLY_PERCENT * len(test) > 0
        if is_enough and lost * 100 <= _LARGEST_LOSS_PERCENT * len(candidates):
            return test, writers
    return pool.pick(size=size, most_contexts=most_contexts), frozenset()


def _sets_of_people(
    eligible: Sequence[Candidate], written: Counter[str], *, size: int, seed: int
) -> Iterator[frozenset[str]]:
    """Give sets of people that could fill their part of test, the smallest first.

    Of a size, all but one are those with the most eligible examples; the last is whoever
    completes the part at the least cost. Somebody always remains to write the rest.
    """
    counts = Counter(one.annotator for one in eligible)
    chance = {one: seeded_order(seed, "annotator", one) for one in counts}
    most = sorted(counts, key=lambda one: (-counts[one], chance[one]))
    needed = _test_only_part(size)
    for length in range(1, min(len(written) - 1, len(most), _LARGEST_SET) + 1):
        first = most[: length - 1]
        have = sum(counts[one] for one in first)
        last = [one for one in most[length - 1 :] if have + counts[one] >= needed]
        last.sort(key=lambda one: (written[one], chance[one]))
        for one in last[:_TRIED_PER_SIZE]:
            yield frozenset([*first, one])


def _test_only_part(size: int) -> int:
    """Return how many of so many items test-only people must have written, rounded up."""
    return -(-size * TEST_ONLY_PERCENT // 100)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The examples that a split may take, by context, in an order by chance."""

    contexts: dict[str, list[Candidate]]
    labels: frozenset[str]
    chance: dict[str, bytes]

    @classmethod
    def of(cls, items: Iterable[Candidate], *, seed: int, purpose: Split) -> "_Pool":
        by_context: dict[str, list[Candidate]] = defaultdict(list)
        chance: dict[str, bytes] = {}
        for one in items:
            by_context[one.context].append(one)
            chance[one.uid] = seeded_order(seed, f"{purpose} item", one.uid)
        order = sorted(by_context, key=lambda key: seeded_order(seed, purpose, key))
        labels = {one.label for key in order for one in by_context[key]}
        return cls(
            contexts={key: by_context[key] for key in order},
            labels=frozenset(label for label in labels if label is not None),
            chance=chance,
        )

    def pick(
        self, *, size: int, most_contexts: int, prefer: frozenset[str] = frozenset()
    ) -> tuple[Candidate, ...]:
        """Take whole contexts up to a size, those of preferred people first, labels even.

        A context that does not fit is passed over. Only where none fits is one cut.
        """
        taken: list[Candidate] = []
        counts: Counter[str] = Counter()
        left = most_contexts
        first = self._written_by(prefer, size=size)
        for group in (first, {key: None for key in self.contexts if key not in first}):
            while left > 0:
                fitting = self._fitting(group, room=size - len(taken))
                if not fitting:
                    break
                best = min(fitting, key=lambda key: self._unevenness(counts, with_context=key))
                del group[best]
                taken += self.contexts[best]
                counts.update(self._labels_in(best))
                left -= 1
        if taken or most_contexts <= 0 or not self.contexts:
            return tuple(taken)
        smallest = min(self.contexts, key=lambda key: len(self.contexts[key]))
        cut = sorted(
            self.contexts[smallest],
            key=lambda one: (one.annotator not in prefer, self.chance[one.uid]),
        )
        return tuple(cut[:size])

    def _written_by(self, people: frozenset[str], *, size: int) -> dict[str, None]:
        """Return contexts that these people wrote most of, as many as fill their part."""
        if not people:
            return {}
        theirs = {
            key: sum(one.annotator in people for one in items)
            for key, items in self.contexts.items()
            if len(items) <= size
        }
        needed = _test_only_part(size)
        found: dict[str, None] = {}
        for key in sorted(theirs, key=lambda key: -theirs[key] / len(self.contexts[key])):
            if needed <= 0 or not theirs[key]:
                break
            found[key] = None
            needed -= theirs[key]
        return found

    def _fitting(self, group: dict[str, None], *, room: int) -> list[str]:
        """Return the first contexts that fit; what does not fit now never will."""
        found: list[str] = []
        for key in list(group) if room else []:
            if len(self.contexts[key]) > room:
                del group[key]
                continue
            found.append(key)
            if len(found) == _WINDOW:
                break
        return found

    def _labels_in(self, key: str) -> Iterator[str]:
        return (one.label for one in self.contexts[key] if one.label is not None)

    def _unevenness(self, counts: Counter[str], *, with_context: str) -> int:
        """Return the spread of the label counts if a context were taken too; 0 is even."""
        added = counts + Counter(self._labels_in(with_context))
        total = sum(added.values())
        return len(self.labels) * sum(added[name] ** 2 for name in self.labels) - total**2


def _why_nobody(candidates: Sequence[Candidate], *, people_are_known: bool) -> str:
    if not people_are_known:
        return UNKNOWN_WRITERS.say()
    if len({one.annotator for one in candidates}) == 1:
        return ONE_WRITER.say()
    return NO_SET_OF_WRITERS.say()


def _shortfalls(
    *,
    test: Sequence[Candidate],
    dev: Sequence[Candidate],
    candidates: Sequence[Candidate],
) -> Iterator[str]:
    """Say what dev and test were meant to be and are not.

    Which labels there are is left to the counts, which are kept back of small withheld splits.
    """
    if not dev:
        yield NO_DEV.say()
    labels = {one.label for one in candidates if one.is_eligible} - {None}
    if len(labels) == 1:
        yield ONE_LABEL.say()
    for split, items in ((Split.TEST, test), (Split.DEV, dev)):
        missing = labels - {one.label for one in items}
        if items and missing:
            yield f"No item of {split} has {len(missing)} of the {len(labels)} gold labels."


def _assign(
    candidates: Sequence[Candidate],
    *,
    test: Sequence[Candidate],
    dev: Sequence[Candidate],
    writers: frozenset[str],
    notes: Sequence[str],
    earlier: Earlier,
) -> Plan:
    splits: dict[str, Split] = {one.uid: Split.TEST for one in test}
    splits |= {one.uid: Split.DEV for one in dev}
    closed = {one.context for one in (*test, *dev)}
    held_out: dict[str, Exclusion] = {}
    for one in candidates:
        if one.uid in splits:
            continue
        if one.context in closed:
            held_out[one.uid] = Exclusion.CONTEXT_HELD_OUT
        elif one.annotator in writers:
            held_out[one.uid] = Exclusion.ANNOTATOR_HELD_OUT
        elif one.annotator in earlier.test_only or not earlier.allows(
            one.context, split=Split.TRAIN
        ):
            held_out[one.uid] = Exclusion.EARLIER_RELEASE
        else:
            splits[one.uid] = Split.TRAIN
    return Plan(
        splits=splits,
        held_out=held_out,
        test_only_annotators=writers,
        notes=tuple(notes),
    )
