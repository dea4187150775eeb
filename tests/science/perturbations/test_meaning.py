"""Variants say what their original said: sentences that transforms broke, and 150 others."""

from pathlib import Path
from uuid import UUID

import pytest

from dynabench.loop.datasets.perturbing.rules import recipe_of
from dynabench.loop.datasets.perturbing.values import PerturbationOrder
from dynabench.science.perturbations.perturb import perturb
from dynabench.science.perturbations.registry import TRANSFORMS
from dynabench.science.perturbations.values import TransformKind
from dynabench.science.perturbations.word_lists import words
from dynabench.science.task_config.loader import load_task_config

LINES = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines()
SENTENCES = [line for line in LINES if not line.startswith("#")]
SLIPS = (
    "swapped_letters",
    "dropped_letters",
    "inserted_letters",
    "repeated_letters",
    "keyboard_typos",
)
CATALOG = Path(__file__).parents[3] / "dynabench" / "catalog"


def variants(text: str, transform: str, *, seeds: int = 12) -> set[str]:
    """Return what a transform makes of a text with several seeds; the text where it stays."""
    found: set[str] = set()
    for seed in range(seeds):
        made = perturb(
            "a",
            {"text": text},
            kind=TRANSFORMS[transform].kind,
            seed=seed,
            language="en",
            transforms=[transform],
        )
        found.add(made[0].fields["text"] if made else text)
    return found


def test_there_are_sentences_enough() -> None:
    assert len(SENTENCES) >= 150
    assert len(set(SENTENCES)) == len(SENTENCES)


@pytest.mark.parametrize("transform", SLIPS)
def test_a_slip_never_makes_another_word(transform: str) -> None:
    known = words("common_words.txt")
    for text in SENTENCES:
        for made in variants(text, transform, seeds=4):
            before, after = text.split(), made.split()
            assert len(before) == len(after)
            for one, other in zip(before, after, strict=True):
                assert one == other or other.strip(".,!?").lower() not in known


@pytest.mark.parametrize(
    "text",
    [
        *("Elizabeth II was Queen of England.", "Pope Benedict XIII died in Rome."),
        *("Alice in Wonderland is a book.", "Emily in Paris is a series.", "Joan of Arc fought."),
        *("Anna has two n's.", "Emily has three syllables.", "Spell Greg with one letter more."),
        *("Emily rhymes with family.", "King Henry VIII had six wives.", "Louis XIV built it."),
        *("Harry Potter and the Goblet of Fire", "Romeo and Juliet is a play.", "Peter Pan flies."),
        *("Queen Victoria ruled.", "Prince William spoke.", "Catherine I was an empress."),
        *("Anne of Green Gables is set in Canada.", "Jane Eyre is a novel.", "Tom and Jerry ran."),
    ],
)
@pytest.mark.parametrize("transform", ["swap_names", "swap_gender"])
def test_names_that_belong_to_a_title_a_reign_or_a_spelling_stay(text: str, transform: str) -> None:
    assert variants(text, transform) == {text}


@pytest.mark.parametrize(
    "text",
    [
        *("She is pregnant with twins.", "He has cancer of the prostate.", "The nun and her cat"),
        *("The woman gave birth at home.", "His beard is grey.", "A lesbian and her mother"),
        *("Men earn more, says a report on gender.", "My uncle José repairs his bicycle."),
        *("Christian Bale is an actor.", "Elizabeth II wore her crown.", "Queen Anne and her son"),
    ],
)
def test_gender_stays_where_the_text_hangs_on_it(text: str) -> None:
    assert variants(text, "swap_gender") == {text}


@pytest.mark.parametrize(
    "text",
    [
        *("Korean is hard to learn.", "His German is good.", "The word is Italian."),
        *("Italian is my first language.", "Gay men love men.", "The straight couple kissed."),
        *("Homosexuals love people of their own sex.", "Russian has six cases."),
    ],
)
def test_languages_and_loves_are_left_alone(text: str) -> None:
    assert variants(text, "swap_group_terms") == {text}


def test_punctuation_leaves_clauses_whole() -> None:
    assert variants("The man has a blue hat", "punctuation") == {
        f"The man has a blue hat{mark}" for mark in (".", "…", "..", " .")
    }
    assert variants("Dr. Chen told Mr. Garcia that it rained.", "punctuation") == {
        "Dr. Chen told Mr. Garcia that it rained.."
    }
    for made in variants("It was fair because nobody paid", "punctuation"):
        assert " fair" in made
        assert "because nobody paid" in made


@pytest.mark.parametrize("text", ["We gave it.", "It was accepted.", "He closed the bridge."])
def test_emphasis_draws_out_no_word_that_nobody_draws_out(text: str) -> None:
    assert variants(text, "emphasis") == {text}


def test_emphasis_reads() -> None:
    assert variants("so very", "emphasis") <= {
        *("sooo very", "soooo very", "so veeery", "so veeeery"),
    }


def test_a_mark_makes_no_other_word_and_stands_on_a_vowel() -> None:
    assert variants("The rose and the lame resume", "diacritics_added") == {
        "The rose and the lame resume"
    }
    for text in SENTENCES:
        for made in variants(text, "diacritics_added", seeds=2):
            assert set(made.lower()) - set(text.lower()) <= set("áâäéêëíîïóôöúûü")


@pytest.mark.parametrize("path", ["tasks/hate-speech", "gallery/hate-targets"])
def test_gender_is_not_swapped_by_itself_where_it_may_decide_the_label(path: str) -> None:
    config = load_task_config((CATALOG / path / "task.yaml").read_text(encoding="utf-8"))
    order = PerturbationOrder(version_id=UUID(int=1), kind=TransformKind.FAIRNESS)

    assert recipe_of(config, order).transforms == {"en": ("swap_names",)}
