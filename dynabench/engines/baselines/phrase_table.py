"""Phrases and what they were translated by, taken from aligned sentences.

Koehn, Och and Marcu, "Statistical Phrase-Based Translation" (2003).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from dynabench.engines.baselines.word_alignment import Links, Words

Phrase = tuple[str, ...]
PhraseTable = Mapping[Phrase, Sequence[tuple[Phrase, float]]]
"""For each source phrase its translations with their scores, best first."""

LONGEST = 5
_KEPT = 8
_DECIMALS = 4


def learn_phrases(
    sources: Sequence[Words], targets: Sequence[Words], links: Sequence[Links]
) -> dict[Phrase, list[tuple[Phrase, float]]]:
    """Return every phrase with its likeliest translations.

    A score is the sum of the logarithms of both conditional shares; a pair seen once is
    believed less than its share of one in one says.
    """
    counts: Counter[tuple[Phrase, Phrase]] = Counter()
    for source, target, one in zip(sources, targets, links, strict=True):
        counts.update(_pairs(source, target, one))
    of_source: Counter[Phrase] = Counter()
    of_target: Counter[Phrase] = Counter()
    for (source_phrase, target_phrase), count in counts.items():
        of_source[source_phrase] += count
        of_target[target_phrase] += count
    table: dict[Phrase, list[tuple[Phrase, float]]] = defaultdict(list)
    for (source_phrase, target_phrase), count in sorted(counts.items()):
        forth = math.log(count / (of_source[source_phrase] + 1))
        back = math.log(count / (of_target[target_phrase] + 1))
        table[source_phrase].append((target_phrase, round((forth + back) / 2, _DECIMALS)))
    return {
        phrase: sorted(found, key=lambda one: (-one[1], one[0]))[:_KEPT]
        for phrase, found in table.items()
    }


def _pairs(source: Words, target: Words, links: Links) -> Iterator[tuple[Phrase, Phrase]]:
    """Yield the pairs of runs of words whose links all lead into one another."""
    for start in range(len(source)):
        for end in range(start + 1, min(start + LONGEST, len(source)) + 1):
            hit = [t for s, t in links if start <= s < end]
            if not hit:
                continue
            low, high = min(hit), max(hit) + 1
            if any(low <= t < high and not start <= s < end for s, t in links):
                continue
            for first, last in _widened(low, high, len(target), links):
                if last - first <= LONGEST:
                    yield tuple(source[start:end]), tuple(target[first:last])


def _widened(low: int, high: int, length: int, links: Links) -> Iterator[tuple[int, int]]:
    """Yield a run of the target and those that words without a link widen it to."""
    linked = {t for _, t in links}
    first = low
    while True:
        last = high
        while True:
            yield first, last
            if last >= length or last in linked:
                break
            last += 1
        if first == 0 or first - 1 in linked:
            return
        first -= 1
