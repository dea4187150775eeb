"""Finds texts that repeat another: normal forms, character 5-grams, Jaccard, MinHash, bands.

MinHash estimates the Jaccard similarity of two sets by how often the minima of random
hash functions agree (Broder 1997, "On the resemblance and containment of documents").
Cutting the minima into bands makes similar sets meet in an index (Leskovec, Rajaraman &
Ullman, "Mining of Massive Datasets", chapter 3): with 20 bands of 6 rows two texts of
similarity s share a band with probability 1 - (1 - s⁶)²⁰, which is .9977 at s = .8 and
.27 at s = .5. Who shares a band is a candidate; `jaccard` decides.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from dynabench.science.texts.normalise import normalise_for_duplicates

SHINGLE_LENGTH = 5
BANDS = 20
ROWS = 6
PERMUTATIONS = BANDS * ROWS

Signature = NDArray[np.uint32]

_CHUNK = 4096


def _fixed_numbers(purpose: str, count: int) -> NDArray[np.uint64]:
    """Return numbers that look random and are the same for ever, for they are stored."""
    drawn = hashlib.shake_256(f"dynabench near-duplicates: {purpose}".encode()).digest(8 * count)
    return np.frombuffer(drawn, dtype="<u8").astype(np.uint64)


# A factor must be odd, or it would throw bits away.
_POWERS = _fixed_numbers("characters", SHINGLE_LENGTH) | np.uint64(1)
_FACTORS = _fixed_numbers("factors", PERMUTATIONS).reshape(-1, 1) | np.uint64(1)
_OFFSETS = _fixed_numbers("offsets", PERMUTATIONS).reshape(-1, 1)


def shingles(text: str) -> frozenset[str]:
    """Return the character 5-grams of a text's normal form.

    A shorter text is one shingle, the empty text none.

    Example:
        >>> sorted(shingles("Banana!"))
        ['anana', 'banan']
    """
    normal = normalise_for_duplicates(text)
    if len(normal) <= SHINGLE_LENGTH:
        return frozenset([normal]) if normal else frozenset()
    return frozenset(
        normal[start : start + SHINGLE_LENGTH] for start in range(len(normal) - SHINGLE_LENGTH + 1)
    )


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return shared / all of two sets: 0 to 1; of two empty sets 0, for they say nothing.

    Example:
        >>> jaccard({"a", "b", "c"}, {"b", "c", "d"})
        0.5
    """
    shared = len(one & other)
    everything = len(one) + len(other) - shared
    return shared / everything if everything else 0.0


def signature(text: str) -> Signature | None:
    """Return a text's 120 minima, None for a text that has no shingles.

    The hash functions are fixed, so signatures of different days and machines agree.
    """
    normal = normalise_for_duplicates(text)
    if not normal:
        return None
    # Padding makes a short text its one shingle; NUL never occurs in a text.
    padded = normal.ljust(SHINGLE_LENGTH, "\0").encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(padded, dtype="<u4").astype(np.uint64)
    count = len(points) - SHINGLE_LENGTH + 1
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(SHINGLE_LENGTH):
        hashes += points[offset : offset + count] * _POWERS[offset]
    hashes = np.unique(_mix(hashes))
    minima = np.full(PERMUTATIONS, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(hashes), _CHUNK):
        permuted = hashes[start : start + _CHUNK] * _FACTORS
        permuted += _OFFSETS
        np.minimum(minima, permuted.min(axis=1), out=minima)
    return (minima >> np.uint64(32)).astype(np.uint32)


def bands(minima: Signature | None, scope: bytes) -> list[int]:
    """Return the 20 signed 32-bit keys under which a signature is indexed.

    Two texts are candidates of each other if they share a key. The scope, such as a
    round's id, is hashed in, so that an index over all rounds holds no strangers.
    """
    if minima is None:
        return []
    rows = minima.astype("<u4").reshape(BANDS, ROWS)
    start = hashlib.blake2b(len(scope).to_bytes(4, "big") + scope, digest_size=4)
    keys: list[int] = []
    for number, row in enumerate(rows):
        band = start.copy()
        band.update(bytes([number]) + row.tobytes())
        keys.append(int.from_bytes(band.digest(), "big", signed=True))
    return keys


def bands_of(text: str, scope: bytes) -> list[int]:
    """Return the keys under which a text is indexed; none for a text without shingles."""
    return bands(signature(text), scope)


def duplicate_key(
    scope: bytes, inputs: Mapping[str, object], answer: Mapping[str, object] | None
) -> bytes:
    """Return the SHA-256 of an example's normalised inputs and answer.

    Texts are compared by `normalise_for_duplicates`, at any depth. Of a selection only the
    words count, not where they stand, but of several marked places all counts; of a picture
    its bytes, not its alt text; of a conversation what was said. Where a task has no input
    but the answer, let the scope hold the context too, or every such example is a duplicate.

    Args:
        scope: Within what the key is to be unique, such as a round's id.
        inputs: The checked inputs.
        answer: The checked answer, None where there is none.

    Example:
        >>> one = duplicate_key(b"round", {"text": "Fine, thanks!"}, {"label": "good"})
        >>> one == duplicate_key(b"round", {"text": "fine thanks"}, {"label": "good"})
        True
    """
    said = [_normal_form(inputs), _normal_form(answer)]
    canonical = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    length = len(scope).to_bytes(4, "big")
    return hashlib.sha256(length + scope + canonical.encode()).digest()


def inputs_digest(inputs: Mapping[str, object]) -> str:
    """Return what two inputs have in common that count as the very same, in 64 characters.

    Example:
        >>> inputs_digest({"text": "Fine, thanks!"}) == inputs_digest({"text": "fine thanks"})
        True
    """
    return duplicate_key(b"", inputs, None).hex()


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits, as in the finaliser of SplitMix64 (Steele, Lea & Flood 2014)."""
    mixed = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _normal_form(value: object) -> object:
    if isinstance(value, str):
        return normalise_for_duplicates(value)
    if isinstance(value, Mapping):
        if set(value) == {"text", "start", "end"}:
            return _normal_form(value["text"])
        if set(value) == {"media", "alt"}:
            return _normal_form(value["media"])
        return _form_of_parts(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_listed_form(one) for one in value]
    return value


def _listed_form(value: object) -> object:
    """Return the normal form of one of several: a marked place, or a reply by its text."""
    if not isinstance(value, Mapping):
        return _normal_form(value)
    if set(value) == {"model", "text", "rating"}:
        return _normal_form(value["text"])
    return _form_of_parts(value)


def _form_of_parts(value: Mapping[object, object]) -> object:
    kept = ("text", "candidates") if "candidates" in value else value
    return {str(key): _normal_form(value.get(key)) for key in kept}
