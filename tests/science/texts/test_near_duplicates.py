"""Texts that are almost the same meet in the index."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.texts.near_duplicates import (
    BANDS,
    bands,
    bands_of,
    duplicate_key,
    jaccard,
    shingles,
    signature,
)

SCOPE = b"round 1"


def random_words(chooser: random.Random, count: int) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ["".join(chooser.choices(letters, k=chooser.randint(2, 9))) for _ in range(count)]


def pairs_of_texts() -> list[tuple[str, str]]:
    chooser = random.Random(7)
    pairs = []
    for _ in range(1500):
        words = random_words(chooser, 30)
        edited = list(words)
        for _ in range(chooser.randint(1, 4)):
            edited[chooser.randrange(30)] = random_words(chooser, 1)[0]
        pairs.append((" ".join(words), " ".join(edited)))
    return pairs


def test_the_signature_estimates_the_similarity() -> None:
    errors = []
    for one, other in pairs_of_texts()[:500]:
        first, second = signature(one), signature(other)
        assert first is not None
        assert second is not None
        agreeing = float(np.mean(first == second))
        errors.append(agreeing - jaccard(shingles(one), shingles(other)))
    assert abs(np.mean(errors)) < 0.005
    assert np.std(errors) < 0.045


def test_texts_of_high_similarity_are_candidates() -> None:
    close = [
        (one, other)
        for one, other in pairs_of_texts()
        if jaccard(shingles(one), shingles(other)) >= 0.8
    ]
    met = sum(bool({*bands_of(one, SCOPE)} & {*bands_of(other, SCOPE)}) for one, other in close)
    assert len(close) > 200
    assert met / len(close) > 0.99


def test_strangers_are_no_candidates() -> None:
    chooser = random.Random(8)
    keys = [{*bands_of(" ".join(random_words(chooser, 30)), SCOPE)} for _ in range(100)]
    assert not any(keys[at] & other for at in range(100) for other in keys[:at])


def test_the_keys_are_those_of_every_day_and_machine() -> None:
    keys = bands_of("The ferry stopped when the bridge opened.", SCOPE)
    assert len(keys) == BANDS
    assert all(-(2**31) <= key < 2**31 for key in keys)
    assert keys[:3] == [-129788311, 644311472, 714283900]


def test_rounds_do_not_meet() -> None:
    text = "The ferry stopped when the bridge opened."
    assert not {*bands_of(text, b"round 1")} & {*bands_of(text, b"round 2")}


@given(st.text(max_size=12))
def test_a_text_is_in_the_index_if_it_has_shingles(text: str) -> None:
    assert len(bands_of(text, SCOPE)) == (BANDS if shingles(text) else 0)


@given(st.text("abc d", max_size=12))
def test_a_text_meets_itself_however_it_is_spelt(text: str) -> None:
    assert bands_of(text, SCOPE) == bands_of(f"  {text.upper()}! ", SCOPE) or not text.strip()


@pytest.mark.parametrize(
    ("text", "found"), [("", set()), ("  ", set()), ("ok", {"ok"}), ("abcdef", {"abcde", "bcdef"})]
)
def test_short_texts_have_few_shingles(text: str, found: set[str]) -> None:
    assert shingles(text) == found


def test_a_text_without_shingles_is_in_no_index() -> None:
    assert signature(" ") is None
    assert bands(None, SCOPE) == []


def test_a_long_text_has_a_signature_too() -> None:
    text = " ".join(random_words(random.Random(9), 4000))
    assert bands_of(text, SCOPE) == bands_of(text, SCOPE)


@given(st.frozensets(st.text(max_size=2)), st.frozensets(st.text(max_size=2)))
def test_jaccard_is_shared_over_all(one: frozenset[str], other: frozenset[str]) -> None:
    everything = one | other
    expected = len(one & other) / len(everything) if everything else 0.0
    assert jaccard(one, other) == expected


def test_the_same_thing_said_twice_has_the_same_key() -> None:
    answer = {"answer": {"text": "the bridge", "start": 3, "end": 13}}
    elsewhere = {"answer": {"text": "The bridge!", "start": 40, "end": 51}}
    one = duplicate_key(SCOPE, {"question": "Why?", "n": [1, "A"]}, answer)
    assert one == duplicate_key(SCOPE, {"n": [1, "a"], "question": "why?"}, elsewhere)
    assert len(one) == 32


@pytest.mark.parametrize(
    ("scope", "inputs", "answer"),
    [
        (b"round 2", {"text": "a"}, {"label": "x"}),
        (SCOPE, {"text": "b"}, {"label": "x"}),
        (SCOPE, {"text": "a"}, {"label": "y"}),
        (SCOPE, {"text": "a"}, None),
        (SCOPE, {"text": "a", "more": 1}, {"label": "x"}),
    ],
)
def test_another_thing_has_another_key(
    scope: bytes, inputs: dict[str, object], answer: dict[str, object] | None
) -> None:
    assert duplicate_key(scope, inputs, answer) != duplicate_key(
        SCOPE, {"text": "a"}, {"label": "x"}
    )


SPAN = {"text": "a", "start": 0, "end": 1}
TURN = {"text": "Hi", "candidates": [{"model": "A", "text": "Yes", "rating": None}]}


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ([SPAN], [{**SPAN, "start": 4, "end": 5}], 2),
        ([SPAN], [{**SPAN, "text": "A"}], 1),
        ({"media": "ab", "alt": "A map"}, {"media": "ab", "alt": ""}, 1),
        ({"media": "ab", "alt": ""}, {"media": "cd", "alt": ""}, 2),
        ([TURN], [{**TURN, "choice": "0", "model_ids": ["m"]}], 1),
        ([TURN], [{**TURN, "candidates": []}], 2),
        ([TURN], [TURN, TURN], 2),
    ],
)
def test_of_marks_pictures_and_conversations_what_counts_makes_the_key(
    one: object, other: object, kinds: int
) -> None:
    keys = {duplicate_key(SCOPE, {"value": value}, None) for value in (one, other)}
    assert len(keys) == kinds
