"""Two texts that say the same have the same normal form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.texts.normalise import (
    normalise_for_duplicates,
    squad_normalise,
    token_f1,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello, world!", "hello   world"),
        ("STRASSE", "straße"),
        ("ﬁne", "fine"),
        ("a\u200bb", "ab"),
        ("caf\u00e9", "cafe\u0301"),
        ("“Yes” - he said…", "yes, he said."),
    ],
)
def test_spelling_alone_makes_no_new_text(one: str, other: str) -> None:
    assert normalise_for_duplicates(one) == normalise_for_duplicates(other)


@pytest.mark.parametrize(("one", "other"), [("I ❤ it", "I 😡 it"), ("2 + 2", "2 = 2"), ("?", "!")])
def test_symbols_and_emoji_carry_meaning(one: str, other: str) -> None:
    assert normalise_for_duplicates(one) != normalise_for_duplicates(other)


@given(st.text())
def test_a_normal_form_is_its_own(text: str) -> None:
    normal = normalise_for_duplicates(text)
    assert normalise_for_duplicates(normal) == normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [("The cat", "cat"), ("A  U.S. plan", "us plan"), ("theatre", "theatre"), ("an", "")],
)
def test_squad_drops_articles_case_and_punctuation(text: str, normal: str) -> None:
    assert squad_normalise(text) == normal


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("the cat sat", "cat sat", 1.0),
        ("cat", "dog", 0.0),
        ("a b b", "b b b", 0.8),
        ("the", "a", 1.0),
        ("the", "cat", 0.0),
        ("cat", "the", 0.0),
    ],
)
def test_token_f1_counts_shared_words(one: str, other: str, score: float) -> None:
    assert token_f1(one, other) == pytest.approx(score)
