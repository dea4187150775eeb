"""How likely a word follows two others: shares of one, two and three words, mixed."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

START, END = "<s>", "</s>"
_ORDER = 3
# How much three, two and one word count; the rest is every unseen word's.
_MIX = (0.45, 0.35, 0.19, 0.01)
_UNSEEN = 1e-4


def count_words(sentences: Sequence[Sequence[str]]) -> dict[str, int]:
    """Count runs of one to three words; a run's words are parted by a space."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        padded = [START, START, *sentence, END]
        for end in range(2, len(padded)):
            for length in range(1, _ORDER + 1):
                counts[" ".join(padded[end - length + 1 : end + 1])] += 1
    return dict(sorted(counts.items()))


class LanguageModel:
    """Scores words after words from the counts of `count_words`."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.counts = counts
        totals: Counter[str] = Counter()
        for run, count in counts.items():
            totals[run.rpartition(" ")[0]] += count
        self._totals = totals
        self._known: dict[tuple[str, str, str], float] = {}

    def score(self, before: tuple[str, str], word: str) -> float:
        """Return the logarithm of how likely a word follows two others."""
        key = (*before, word)
        if key not in self._known:
            self._known[key] = math.log(self._share(*key))
        return self._known[key]

    def _share(self, first: str, second: str, word: str) -> float:
        share = _MIX[-1] * _UNSEEN
        for weight, run in zip(_MIX, (f"{first} {second} ", f"{second} ", ""), strict=False):
            total = self._totals.get(run.strip(), 0)
            if total:
                share += weight * self.counts.get(run + word, 0) / total
        return share
