"""What a tagger knows of a word: itself, its neighbours, and the rest of its text.

A feature is a CRC-32 of its name, as in `text_features`; training and serving share it.
"""

from collections.abc import Sequence
from zlib import crc32

from dynabench.engines.baselines.tokens import Token

_WINDOW = 3
_NEAR = 6
# A text may be long: what is farther away than this says little, and would cost its square.
_SIGHT = 40
_ENDINGS = (2, 3, 4)
_BEGINNINGS = (2, 4)
_OUTSIDE = "\x02"


def token_features(tokens: Sequence[Token]) -> list[list[int]]:
    """Return the features of each token.

    The words before and after it tell what kind of sentence it is in.
    """
    words = [one.text.lower() for one in tokens]
    prefixes = [word[:4] for word in words]
    return [
        [crc32(name.encode()) for name in _names(place, tokens, words, prefixes)]
        for place in range(len(tokens))
    ]


def _names(
    place: int, tokens: Sequence[Token], words: Sequence[str], prefixes: Sequence[str]
) -> list[str]:
    word = words[place]
    names = ["every word", f"word {word}", f"case {_case(tokens[place].text, place)}"]
    names += [f"end {word[-length:]}" for length in _ENDINGS if len(word) > length]
    names += [f"begin {word[:length]}" for length in _BEGINNINGS if len(word) > length]
    around = range(-_WINDOW, _WINDOW + 1)
    names += [f"at {step} {_at(words, place + step)}" for step in around if step]
    names += [f"pair {_at(words, place - 1)} {word}", f"pair {word} {_at(words, place + 1)}"]
    names += [f"next pair {_at(words, place + 1)} {_at(words, place + 2)}"]
    names += [f"before {one}" for one in sorted(set(words[max(0, place - _SIGHT) : place]))]
    names += [f"after {one}" for one in sorted(set(words[place + 1 : place + 1 + _SIGHT]))]
    names += [
        f"near {one}" for one in sorted(set(prefixes[max(0, place - _NEAR) : place + _NEAR + 1]))
    ]
    return names


def _at(words: Sequence[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else _OUTSIDE


def _case(text: str, place: int) -> str:
    if not text[0].isalnum():
        return "mark"
    if not text[:1].isupper():
        return "small"
    return "first capital" if place == 0 else "capital"
