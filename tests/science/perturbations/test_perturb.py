"""Laws that every transform keeps, on texts of all kinds."""

import itertools
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynabench.science.perturbations.perturb import apply, perturb
from dynabench.science.perturbations.registry import TRANSFORMS, applicable
from dynabench.science.perturbations.values import TransformKind, Variant
from dynabench.science.task_config.characters import find_refused_character

PIECES = st.sampled_from(
    [
        *("Mary Watson", "John's", "he", "She", "her", "his", "it is", "don't", "Muslim women"),
        *(
            "because",
            "beautiful",
            "naïve",
            "film",
            "modern",
            "the old bridge",
            "a king",
            "Mr. Smith",
        ),
        *(
            "http://x.org/a",
            "@you",
            "…",
            "!",
            "?",
            ",",
            "(",
            '"',
            "1998",
            "ﬁ",
            "Straße",
            "مرحبا",
            "世界",
        ),
        *("", " ", "\n", "’", "'s", "-", "Dr. J. O’Brien", "MOTHER-in-law", "\u200b", "é"),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=14).map(" ".join), st.text(max_size=60))
LANGUAGES = st.sampled_from(["en", "de", "es-MX", "tr", "ar", "zh", "ru", "el"])
KINDS = st.sampled_from(TransformKind)
SENTENCE = "Mary Watson doesn't believe that her brother is the actor who lives at Emily's."


def vary(
    kind: TransformKind, *, uid: str = "a", text: str = SENTENCE, seed: int = 7, only: str = ""
) -> dict[str, str]:
    found = perturb(
        uid,
        {"text": text},
        kind=kind,
        seed=seed,
        language="en",
        transforms=[only] if only else None,
    )
    return {one.transform: one.fields["text"] for one in found}


@settings(max_examples=120)
@given(text=TEXTS, other=TEXTS, kind=KINDS, language=LANGUAGES, seed=st.integers(-9, 2**63))
def test_a_variant_differs_and_is_what_its_edits_say(
    text: str, other: str, kind: TransformKind, language: str, seed: int
) -> None:
    fields = {"b": text, "a": other}
    every = [name for name, one in TRANSFORMS.items() if one.kind is kind]

    found = perturb("u", fields, kind=kind, seed=seed, language=language, transforms=every)

    for variant in found:
        assert variant.fields != fields
        assert variant.fields.keys() == fields.keys()
        for name, before in fields.items():
            edits = variant.edits.get(name, ())
            assert variant.fields[name] == apply(before, edits)
            for edit, following in itertools.pairwise(edits):
                assert edit.end <= following.start, variant.transform
            if find_refused_character(before) is None:
                assert find_refused_character(variant.fields[name]) is None


@settings(max_examples=120)
@given(before=TEXTS, after=TEXTS, kind=KINDS, seed=st.integers(0, 99))
def test_words_that_carry_the_answer_stay_and_their_place_is_known(
    before: str, after: str, kind: TransformKind, seed: int
) -> None:
    answer = "the Old mother of John"
    text = f"{before} {answer} {after}"
    start = len(before) + 1
    every = [name for name, one in TRANSFORMS.items() if one.kind is kind]

    for variant in perturb(
        "u",
        {"passage": text},
        kind=kind,
        seed=seed,
        language="en",
        transforms=every,
        protected={"passage": (answer,)},
    ):
        low, high = variant.moved("passage", start, start + len(answer))
        assert variant.fields["passage"][low:high] == answer


@given(text=TEXTS, seed=st.integers(0, 99), kind=KINDS)
def test_transforms_share_no_draws(text: str, seed: int, kind: TransformKind) -> None:
    together = vary(kind, text=text, seed=seed)

    for name in applicable(kind, "en")[0]:
        alone = vary(kind, text=text, seed=seed, only=name)
        assert alone.get(name) == together.get(name)


def test_the_order_of_fields_plays_no_part() -> None:
    fields = {"premise": SENTENCE, "hypothesis": "Mary Watson has a brother."}
    turned = dict(reversed(fields.items()))

    def made(one: dict[str, str]) -> list[Variant]:
        return perturb("u", one, kind=TransformKind.FAIRNESS, seed=3, language="en")

    assert [dict(one.fields) for one in made(fields)] == [dict(one.fields) for one in made(turned)]


def test_other_seeds_and_other_items_give_other_variants() -> None:
    ours = vary(TransformKind.ROBUSTNESS, only="keyboard_typos")

    assert ours != vary(TransformKind.ROBUSTNESS, only="keyboard_typos", seed=8)
    assert ours != vary(TransformKind.ROBUSTNESS, only="keyboard_typos", uid="b")


def test_every_process_gives_the_same_variants() -> None:
    # Python orders sets of texts differently in each process.
    program = (
        "from dynabench.science.perturbations.perturb import perturb\n"
        "from dynabench.science.perturbations.values import TransformKind\n"
        "for kind in TransformKind:\n"
        f"    fields = {{'text': {SENTENCE!r}}}\n"
        "    for one in perturb('a', fields, kind=kind, seed=7, language='en'):\n"
        "        print(ascii(one.fields['text']))\n"
    )
    # The program is the one above.
    lines = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.splitlines()

    assert lines == [ascii(text) for kind in TransformKind for text in vary(kind).values()]
    # Held fast: a set that was perturbed years ago can be made anew.
    assert vary(TransformKind.ROBUSTNESS)["keyboard_typos"] == (
        "Mary Watson doesn't believe that her brother is the aftor who lives at Emily's."
    )
    assert vary(TransformKind.FAIRNESS)["swap_names"] == (
        "Leila Khan doesn't believe that her brother is the actor who lives at Anita's."
    )


def test_a_text_that_cannot_change_has_no_variant() -> None:
    for text in ("", " ", "1998", "🎉", "http://example.org"):
        assert vary(TransformKind.FAIRNESS, text=text) == {}
    assert "misspellings" not in vary(TransformKind.ROBUSTNESS, text="Of cats.")
    assert "upper_case" not in vary(TransformKind.ROBUSTNESS, text="LOUD")


@pytest.mark.parametrize(
    ("language", "has", "has_not"),
    [
        ("en-GB", {"misspellings", "keyboard_typos", "upper_case"}, set[str]()),
        ("fr", {"keyboard_typos", "ocr_errors", "diacritics_removed"}, {"contractions"}),
        ("ru", {"keyboard_typos", "homoglyphs"}, {"ocr_errors", "misspellings"}),
        ("ar", {"white_space", "punctuation", "zero_width"}, {"upper_case", "swapped_letters"}),
        ("ja", {"zero_width"}, {"white_space", "joined_words"}),
    ],
)
def test_a_language_gets_what_applies_and_is_told_the_rest(
    language: str, has: set[str], has_not: set[str]
) -> None:
    names, left_out = applicable(TransformKind.ROBUSTNESS, language)

    assert has <= set(names)
    assert has_not <= left_out.keys()
    assert not set(names) & left_out.keys()
    assert all(language in reason for reason in left_out.values())


def test_terms_for_groups_are_swapped_by_request_alone() -> None:
    text = "The Muslim woman laughed."

    assert "swap_group_terms" not in vary(TransformKind.FAIRNESS, text=text)
    assert "swap_group_terms" in applicable(TransformKind.FAIRNESS, "en")[1]
    assert "swap_group_terms" in vary(TransformKind.FAIRNESS, text=text, only="swap_group_terms")


def test_a_transform_that_is_not_there_or_of_the_other_kind_is_refused() -> None:
    for name in ("upside_down", "swap_names"):
        with pytest.raises(ValueError, match=f"no robustness transform {name}"):
            vary(TransformKind.ROBUSTNESS, only=name)


@pytest.mark.parametrize("text", ["a" * 20_000, "@ " * 10_000, "Mary's " * 3_000, "\"'’-" * 5_000])
def test_a_hostile_text_takes_no_long_time(text: str) -> None:
    for kind in TransformKind:
        vary(kind, text=text)


def test_digits_and_addresses_stay() -> None:
    text = "In 1998 the wonderful orchestra of http://example.org/orchestra played symphonies."

    for name, varied in vary(TransformKind.ROBUSTNESS, text=text).items():
        assert "1998" in varied, name
        assert "http://example.org/orchestra" in varied, name
