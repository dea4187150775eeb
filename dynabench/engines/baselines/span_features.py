"""Every candidate span of a passage as a row of figures, computed for all spans at once.

A figure of a span is a figure of its first token, of its last token, of the tokens between,
or of its length, so numpy builds a few hundred rows in well under a millisecond.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.passages import Question, Token
from dynabench.engines.baselines.word_lists import (
    DETERMINERS,
    FUNCTION_WORDS,
    JOINERS,
    MONTHS,
    NUMBER_WORDS,
    UNITS,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MAX_TOKENS = 10
_FAR = 12
_CLOSE = 3
_PREPOSITIONS = ("in", "on", "at", "by", "from", "to", "for", "with", "of", "because", "into")
_YEAR_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Candidates:
    """Spans as first and last token (inclusive), with one row of figures each."""

    first: Integers
    last: Integers
    figures: Floats


def candidates_of(tokens: Sequence[Token], question: Question) -> Candidates:
    """Return the spans that could answer a question, none of them across a sentence's end."""
    first, last = _spans(tokens)
    if not len(first):
        return Candidates(first, last, np.zeros((0, 0)))
    columns = [
        *_length_figures(first, last),
        *_shape_figures(tokens, first, last),
        *_edge_figures(tokens, first, last),
        *_question_figures(tokens, question, first, last),
    ]
    return Candidates(first, last, np.stack(columns, axis=1))


def _spans(tokens: Sequence[Token]) -> tuple[Integers, Integers]:
    """Return all short spans that begin and end with a word that may begin or end an answer."""
    if not tokens:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    count = len(tokens)
    is_word = np.array([token.text[0].isalnum() or token.text in "$€£" for token in tokens])
    may_start = is_word & np.array([token.lower not in JOINERS - {"because"} for token in tokens])
    may_end = np.array(
        [
            token.text == "%" or (token.text[0].isalnum() and token.lower not in FUNCTION_WORDS)
            for token in tokens
        ]
    )
    sentences = np.array([token.sentence for token in tokens])
    starts, ends = np.arange(count)[:, None], np.arange(MAX_TOKENS)[None, :]
    last = starts + ends
    inside = last < count
    last = np.minimum(last, count - 1)
    is_span = inside & may_start[:, None] & may_end[last] & (sentences[last] == sentences[:, None])
    rows, lengths = np.nonzero(is_span)
    return rows.astype(np.int64), (rows + lengths).astype(np.int64)


def _rarity(tokens: Sequence[Token]) -> Floats:
    """Weigh a word by how few of the passage's sentences have it."""
    sentences = tokens[-1].sentence + 1
    holders = Counter(stem for stem, _ in {(token.stem, token.sentence) for token in tokens})
    return np.array([math.log((1 + sentences) / holders[token.stem]) for token in tokens])


def _length_figures(first: Integers, last: Integers) -> list[Floats]:
    length = last - first + 1
    one_hot = [(length == size).astype(np.float64) for size in (1, 2, 3, 4, 5)]
    return [np.ones(len(first)), *one_hot, length / MAX_TOKENS]


def _shape_figures(tokens: Sequence[Token], first: Integers, last: Integers) -> list[Floats]:
    opens = [index == 0 or tokens[index - 1].sentence != token.sentence
             for index, token in enumerate(tokens)]  # fmt: skip
    capital = _flags([token.text[0].isupper() for token in tokens])
    inner_capital = capital * (1 - _flags(opens))
    digits = _flags([token.text[0].isdigit() for token in tokens])
    years = _flags([t.text.isdigit() and len(t.text) == _YEAR_DIGITS for t in tokens])
    numbers = _flags([token.lower in NUMBER_WORDS for token in tokens])
    months = _flags([token.lower in MONTHS for token in tokens])
    units = _flags([token.lower in UNITS or token.text in "%$€£" for token in tokens])
    commas = _flags([token.text in ",;:()" for token in tokens])
    joins = _flags([token.lower == "and" for token in tokens])
    others = _flags([token.lower in FUNCTION_WORDS for token in tokens])
    length = last - first + 1
    has = [
        (_sums(flags, first, last) > 0).astype(np.float64)
        for flags in (inner_capital, digits, years, numbers, months, units, commas, joins, others)
    ]
    shares = [_sums(flags, first, last) / length for flags in (capital, others)]
    return [
        *has,
        *shares,
        (shares[0] == 1).astype(np.float64),
        (has[0] + has[1] + has[3] == 0) * 1.0,
    ]


def _edge_figures(tokens: Sequence[Token], first: Integers, last: Integers) -> list[Floats]:
    """Describe the first and last token and what stands beside the span."""
    padded = ["", *(token.lower for token in tokens), ""]
    text = ["", *(token.text for token in tokens), ""]
    before, after = first, last + 2  # Positions in the padded lists.
    previous = [_flags([word == known for word in padded])[before] for known in _PREPOSITIONS]
    function = _flags([word in FUNCTION_WORDS for word in padded])
    mark = _flags([not word or not word[0].isalnum() for word in padded])
    capital = _flags([word[:1].isupper() for word in text])
    numeric = _flags([word[:1].isdigit() or word in NUMBER_WORDS for word in padded])
    determiner = _flags([word in DETERMINERS for word in padded])
    joiner = _flags([word in JOINERS for word in padded])
    preposition = _flags([word in _PREPOSITIONS for word in padded])
    endings = [
        _flags([len(word) > len(suffix) + 2 and word.endswith(suffix) for word in padded])
        for suffix in ("ing", "ed", "ly", "s", "er")
    ]
    beside = [determiner[before], mark[before], capital[before], numeric[before], joiner[before],
              mark[after], capital[after], numeric[after], function[after], joiner[after],
              preposition[after]]  # fmt: skip
    plain_after = (1 - mark[after]) * (1 - function[after])
    plain_before = (1 - mark[before]) * (1 - function[before])
    own = [determiner[first + 1], preposition[first + 1], function[first + 1],
           *(flags[first + 1] for flags in endings), *(flags[last + 1] for flags in endings),
           *(flags[after] for flags in endings[:2])]  # fmt: skip
    return [*previous, *beside, plain_after, plain_before, *own]


def _question_figures(
    tokens: Sequence[Token], question: Question, first: Integers, last: Integers
) -> list[Floats]:
    """Describe how the span and its sentence relate to the question's words."""
    asked = set(question.stems)
    match = _flags([token.stem in asked for token in tokens])
    weight = match * _rarity(tokens)
    sentences = np.array([token.sentence for token in tokens])
    total = max(1e-9, _unique_weight(tokens, match, weight))
    by_sentence = np.zeros(sentences[-1] + 1)
    for stem_sentence, value in {
        (token.stem, token.sentence): weight[index] for index, token in enumerate(tokens)
    }.items():
        by_sentence[stem_sentence[1]] += value
    overlap = by_sentence[sentences[first]]
    best = by_sentence.max()
    left, right = _distances(match, sentences)
    asked_for = _flags([bool(question.asked_for) and token.stem == question.asked_for
                        for token in tokens])  # fmt: skip
    padded = np.concatenate([[0.0], asked_for, [0.0]])
    around = _nearby(weight, sentences)
    length = last - first + 1
    inside = _sums(match, first, last)
    return [
        (inside > 0).astype(np.float64),
        inside / length,
        _sums(weight, first, last) / total,
        overlap / total,
        overlap / best if best else overlap,
        ((overlap == best) & (best > 0)).astype(np.float64),
        1 / (1 + left[first]),
        1 / (1 + right[last]),
        (left[first] == 1).astype(np.float64),
        (right[last] == 1).astype(np.float64),
        (np.minimum(left[first], right[last]) <= _CLOSE).astype(np.float64),
        around[0][first] / total,
        around[1][last] / total,
        (around[0][first] + around[1][last]) / total,
        padded[last + 2],
        padded[first],
        (_sums(asked_for, first, last) > 0).astype(np.float64),
        sentences[first] / (sentences[-1] + 1),
        first / len(tokens),
    ]


def _unique_weight(tokens: Sequence[Token], match: Floats, weight: Floats) -> float:
    matched = {token.stem: weight[index] for index, token in enumerate(tokens) if match[index]}
    return float(sum(matched.values()))


def _distances(match: Floats, sentences: Integers) -> tuple[Floats, Floats]:
    """Return each token's distance to the nearest question word on either side, at most 12."""
    count = len(match)
    left, right = np.full(count, float(_FAR)), np.full(count, float(_FAR))
    for index in range(1, count):
        if sentences[index] == sentences[index - 1]:
            step = 1.0 if match[index - 1] else left[index - 1] + 1
            left[index] = min(step, _FAR)
    for index in range(count - 2, -1, -1):
        if sentences[index] == sentences[index + 1]:
            step = 1.0 if match[index + 1] else right[index + 1] + 1
            right[index] = min(step, _FAR)
    return left, right


def _nearby(weight: Floats, sentences: Integers) -> tuple[Floats, Floats]:
    """Return the question words' weight before and after each token, fading with distance."""
    count = len(weight)
    before, after = np.zeros(count), np.zeros(count)
    fade = 0.8
    for index in range(1, count):
        if sentences[index] == sentences[index - 1]:
            before[index] = fade * before[index - 1] + weight[index - 1]
    for index in range(count - 2, -1, -1):
        if sentences[index] == sentences[index + 1]:
            after[index] = fade * after[index + 1] + weight[index + 1]
    return before, after


def _flags(values: Sequence[bool]) -> Floats:
    return np.array(values, dtype=np.float64)


def _sums(flags: Floats, first: Integers, last: Integers) -> Floats:
    totals = np.concatenate([[0.0], np.cumsum(flags)])
    result: Floats = totals[last + 1] - totals[first]
    return result
