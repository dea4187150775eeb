"""Texts to feature hashes, with the standard library alone: training and serving share it.

A feature is a CRC-32 of its name. The vocabulary a model keeps is a sorted array of the
hashes seen in training, so a warm model needs no scikit-learn and no dictionary of strings.
"""

import re
from collections import Counter
from itertools import pairwise
from zlib import crc32

from dynabench.engines.baselines.word_lists import FUNCTION_WORDS, NEGATIONS

_WORD = re.compile(r"\w+|[^\w\s]")
_NOT = re.compile(r"n['\u2019]t\b")
_SHORTEST_CHARACTERS = 2
LONGEST_WORDS, LONGEST_CHARACTERS = 2, 5
_PREFIX = 4
_MAX_CROSSED = 12
PAIR_FIGURES = 12


def words_of(text: str) -> list[str]:
    """Return the lower-case words and punctuation marks; "isn't" gives "is" and "not"."""
    return _WORD.findall(_NOT.sub(" not", text.lower()))


def word_features(text: str, *, longest: int = LONGEST_WORDS) -> Counter[int]:
    """Count word 1- and 2-grams, or 1-grams alone."""
    words = words_of(text)
    counts = Counter(crc32(b"w " + word.encode()) for word in words)
    if longest < LONGEST_WORDS:
        return counts
    counts.update(
        crc32(f"w {first} {second}".encode())
        for first, second in zip(["^", *words], [*words, "$"], strict=True)
    )
    return counts


def character_features(text: str, *, longest: int = LONGEST_CHARACTERS) -> Counter[int]:
    """Count character 2-grams to those of the longest within words, each padded by a space."""
    counts: Counter[int] = Counter()
    for word, times in Counter(words_of(text)).items():
        padded = f" {word} ".encode()
        for length in range(_SHORTEST_CHARACTERS, longest + 1):
            for start in range(len(padded) - length + 1):
                counts[crc32(padded[start : start + length])] += times
    return counts


def pair_features(first: str, second: str) -> tuple[Counter[int], list[float]]:
    """Compare a context with an input: which words are shared, new or crossed, and figures.

    Words match by their first four letters, a crude stem. The figures are shares and flags
    between 0 and 1, `PAIR_FIGURES` of them.
    """
    first_words, second_words = words_of(first), words_of(second)
    known = {_stem(word) for word in first_words}
    asked = {_stem(word) for word in second_words}
    new = [word for word in second_words if _stem(word) not in known]
    left_out = [word for word in first_words if _stem(word) not in asked]
    shared = [word for word in second_words if _stem(word) in known]
    counts = Counter(crc32(b"+ " + word.encode()) for word in new)
    counts.update(crc32(b"- " + word.encode()) for word in left_out)
    counts.update(crc32(b"= " + word.encode()) for word in shared)
    new_content, left_content = _content(new), _content(left_out)
    for one in left_content[:_MAX_CROSSED]:
        counts.update(crc32(f"x {one} {other}".encode()) for other in new_content[:_MAX_CROSSED])
    return counts, _figures(first_words, second_words, new, left_out)


def _figures(
    first_words: list[str], second_words: list[str], new: list[str], left_out: list[str]
) -> list[float]:
    content = _content(second_words)
    new_content = _content(new)
    first_negated = any(word in NEGATIONS for word in first_words)
    second_negated = any(word in NEGATIONS for word in second_words)
    numbers = {word for word in second_words if word.isdigit()}
    first_numbers = {word for word in first_words if word.isdigit()}
    covered = 1 - len(new_content) / len(content) if content else 0.0
    pairs = set(pairwise(first_words))
    second_pairs = list(pairwise(second_words))
    return [
        covered,
        covered**2,
        float(not new_content),
        len(_content(left_out)) / max(1, len(_content(first_words))),
        float(second_negated and not first_negated),
        float(first_negated and not second_negated),
        float(first_negated and second_negated),
        float(bool(numbers - first_numbers)),
        float(bool(numbers & first_numbers)),
        min(1.0, len(second_words) / max(1, len(first_words))),
        min(1.0, len(new_content) / 6),
        sum(pair in pairs for pair in second_pairs) / max(1, len(second_pairs)),
    ]


def _stem(word: str) -> str:
    return word[:_PREFIX]


def _content(words: list[str]) -> list[str]:
    return [word for word in words if word[0].isalnum() and word not in FUNCTION_WORDS]
