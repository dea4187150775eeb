"""What single transforms do to letters, marks and spaces."""

import unicodedata

import pytest

from dynabench.science.perturbations.perturb import perturb
from dynabench.science.perturbations.values import TransformKind
from dynabench.science.perturbations.word_lists import choices


def changed(text: str, transform: str, *, language: str = "en", seed: int = 1) -> str:
    found = perturb(
        "a",
        {"text": text},
        kind=TransformKind.ROBUSTNESS,
        seed=seed,
        language=language,
        transforms=[transform],
    )
    return found[0].fields["text"] if found else text


@pytest.mark.parametrize(
    ("text", "transform", "language", "expected"),
    [
        ("iyi", "upper_case", "tr", "İYİ"),
        ("Straße", "upper_case", "de", "STRASSE"),
        ("El señor tomó café.", "diacritics_removed", "es", "El señor tomo cafe."),
        ("مُدَرِّس", "diacritics_removed", "ar", "مدرس"),
        ("Größe", "diacritics_removed", "de", "Größe"),
        ("plain", "diacritics_removed", "fr", "plain"),
        ("It is as it is", "joined_words", "ja", "It is as it is"),
        ("mama", "swapped_letters", "zh", "mama"),
        ("aaaa", "swapped_letters", "en", "aaaa"),
        ("ŵŵŵŵ", "keyboard_typos", "en", "ŵŵŵŵ"),
        ("????", "emphasis", "en", "??????"),
    ],
)
def test_what_becomes_of_a_text(text: str, transform: str, language: str, expected: str) -> None:
    assert changed(text, transform, language=language) == expected


@pytest.mark.parametrize("seed", range(5))
def test_slips_change_one_letter_of_a_word_and_never_the_first(seed: int) -> None:
    word = "orchestra"
    by_length = {
        "swapped_letters": 0,
        "dropped_letters": -1,
        "inserted_letters": 1,
        "repeated_letters": 1,
        "keyboard_typos": 0,
    }
    for transform, difference in by_length.items():
        found = changed(word, transform, seed=seed)
        assert found[0] == "o"
        assert found != word
        assert len(found) - len(word) == difference
    assert sorted(changed(word, "swapped_letters", seed=seed)) == sorted(word)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost_but_space_and_what_is_added_is_seen_or_unseen(seed: int) -> None:
    text = "The wonderful orchestra played something."
    squeezed = text.replace(" ", "")

    assert changed(text, "joined_words", seed=seed).replace(" ", "") == squeezed
    assert changed(text, "split_words", seed=seed).replace(" ", "") == squeezed
    assert changed(text, "white_space", seed=seed).split() == text.split()
    unseen = changed(text, "zero_width", seed=seed)
    assert "".join(one for one in unseen if unicodedata.category(one) != "Cf") == text
    marked = unicodedata.normalize("NFD", changed(text, "diacritics_added", seed=seed))
    assert "".join(one for one in marked if not unicodedata.combining(one)) == text
    looks = changed(text, "homoglyphs", seed=seed)
    assert len(looks) == len(text)
    assert not looks.isascii()


def test_a_keyboard_is_that_of_the_language() -> None:
    english = {changed("zzzz", "keyboard_typos", seed=seed) for seed in range(30)}
    french = {changed("zzzz", "keyboard_typos", language="fr", seed=seed) for seed in range(30)}

    assert {letter for word in english for letter in word} == set("zxas")
    assert {letter for word in french for letter in word} == set("zaeqs")


def test_misspellings_keep_capitals_and_are_three_hundred() -> None:
    table = choices("misspellings.tsv")

    assert changed("BELIEVE", "misspellings") in {one.upper() for one in table["believe"]}
    assert changed("Separate", "misspellings") == "Seperate"
    assert len(table) >= 300
    assert all(word not in wrong and wrong for word, wrong in table.items())
