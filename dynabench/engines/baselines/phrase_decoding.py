"""The likeliest translation of a sentence: a beam search over the order of its phrases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dynabench.engines.baselines.language_model import END, START, LanguageModel
from dynabench.engines.baselines.phrase_table import LONGEST, Phrase, PhraseTable

_BEAM = 16
_MOST_SKIPPED = 3
_UNKNOWN_SCORE = -6.0
_TABLE_WEIGHT = 1.0
_WORDS_WEIGHT = 0.7
_WORD_BONUS = 0.6
_PHRASE_COST = 0.9
_JUMP_COST = 0.5


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """A part of a translation: which words are covered, the last two written, its score."""

    covered: int
    last: tuple[str, str]
    at: int
    score: float
    outlook: float
    words: Phrase = field(compare=False)


def translate(words: Sequence[str], *, table: PhraseTable, language: LanguageModel) -> list[str]:
    """Return the words of the likeliest translation; an unknown word stays as it is."""
    search = _Search(words, table, language)
    return list(search.run())


class _Search:
    def __init__(self, words: Sequence[str], table: PhraseTable, language: LanguageModel) -> None:
        self._length = len(words)
        self._language = language
        self._options = _options(words, table)
        self._hopes = self._best_spans()

    def run(self) -> Phrase:
        """Cover the words from few to all, keeping the best at each number."""
        full = (1 << self._length) - 1
        beams: list[dict[tuple[int, tuple[str, str], int], _Hypothesis]] = [
            {} for _ in range(self._length + 1)
        ]
        begin = _Hypothesis(0, (START, START), 0, 0.0, 0.0, ())
        beams[0][(0, begin.last, 0)] = begin
        for beam in beams[:-1]:
            for one in sorted(beam.values(), key=_rank)[:_BEAM]:
                for new in self._extend(one):
                    key = (new.covered, new.last, new.at)
                    place = beams[new.covered.bit_count()]
                    if key not in place or place[key].score < new.score:
                        place[key] = new
        ends = [
            (one.score + _WORDS_WEIGHT * self._language.score(one.last, END), one.words)
            for one in beams[-1].values()
            if one.covered == full
        ]
        return max(ends)[1]

    def _extend(self, one: _Hypothesis) -> list[_Hypothesis]:
        first_open = (~one.covered & (one.covered + 1)).bit_length() - 1
        made: list[_Hypothesis] = []
        for start in range(first_open, min(first_open + _MOST_SKIPPED, self._length - 1) + 1):
            for end in range(start + 1, min(start + LONGEST, self._length) + 1):
                mask = ((1 << (end - start)) - 1) << start
                if mask & one.covered:
                    break
                for target, score in self._options.get((start, end), ()):
                    made.append(self._written(one, start, end, mask, target, score))
        return made

    def _written(
        self,
        one: _Hypothesis,
        start: int,
        end: int,
        mask: int,
        target: Phrase,
        score: float,
    ) -> _Hypothesis:
        total = one.score + _TABLE_WEIGHT * score - _PHRASE_COST
        total -= _JUMP_COST * abs(start - one.at)
        last = one.last
        for word in target:
            total += _WORDS_WEIGHT * self._language.score(last, word) + _WORD_BONUS
            last = (last[1], word)
        covered = one.covered | mask
        return _Hypothesis(
            covered, last, end, total, total + self._hope(covered), one.words + target
        )

    def _hope(self, covered: int) -> float:
        """Return the best score that the words not covered yet may bring."""
        hope, start = 0.0, None
        for place in range(self._length + 1):
            is_open = place < self._length and not covered >> place & 1
            if is_open and start is None:
                start = place
            elif not is_open and start is not None:
                hope += self._hopes[start, place]
                start = None
        return hope

    def _best_spans(self) -> Mapping[tuple[int, int], float]:
        best: dict[tuple[int, int], float] = {}
        for length in range(1, self._length + 1):
            for start in range(self._length - length + 1):
                end = start + length
                found = [
                    _TABLE_WEIGHT * score - _PHRASE_COST + self._hope_of_words(target)
                    for target, score in self._options.get((start, end), ())
                ]
                found += [best[start, cut] + best[cut, end] for cut in range(start + 1, end)]
                best[start, end] = max(found)
        return best

    def _hope_of_words(self, target: Phrase) -> float:
        total, last = 0.0, ("", "")
        for word in target:
            total += _WORDS_WEIGHT * self._language.score(last, word) + _WORD_BONUS
            last = (last[1], word)
        return total


def _rank(one: _Hypothesis) -> tuple[float, Phrase]:
    return (-one.outlook, one.words)


def _options(
    words: Sequence[str], table: PhraseTable
) -> dict[tuple[int, int], Sequence[tuple[Phrase, float]]]:
    found: dict[tuple[int, int], Sequence[tuple[Phrase, float]]] = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            phrase = tuple(words[start:end])
            if phrase in table:
                found[start, end] = table[phrase]
            elif end == start + 1:
                found[start, end] = [(phrase, _UNKNOWN_SCORE)]
    return found
