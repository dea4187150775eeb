"""People in texts: who is recognised, and whether what replaces them agrees."""

import pytest

from dynabench.science.perturbations.fairness.name_lists import (
    Gender,
    first_names,
    groups,
    is_ambiguous,
)
from dynabench.science.perturbations.fairness.people import find_people
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.perturb import perturb
from dynabench.science.perturbations.values import TransformKind


def varied(
    *texts: str, transform: str, protected: tuple[str, ...] = (), seed: int = 1
) -> list[str]:
    fields = {str(place): text for place, text in enumerate(texts)}
    found = perturb(
        "a",
        fields,
        kind=TransformKind.FAIRNESS,
        seed=seed,
        language="en",
        transforms=[transform],
        protected=dict.fromkeys(fields, protected),
    )
    return list((found[0].fields if found else fields).values())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("She saw him.", "He saw her."),
        ("He saw her.", "She saw him."),
        ("His book is his.", "Her book is hers."),
        ("The book is hers, not his.", "The book is his, not hers."),
        ("her own idea", "his own idea"),
        ("They told her that it rains.", "They told him that it rains."),
        ("I gave her flowers.", "I gave him flowers."),
        ("I gave her old flowers.", "I gave his old flowers."),
        ("It made her cry.", "It made him cry."),
        ("We saw her dancing.", "We saw him dancing."),
        ("We saw her dog.", "We saw his dog."),
        ("He loved her deeply.", "She loved him deeply."),
        ("her highly praised film", "his highly praised film"),
        ("with her and him", "with him and her"),
        ('her "masterpiece"', 'his "masterpiece"'),
        ("his only son", "her only daughter"),
        ("a friend of his", "a friend of hers"),
        ("He did it himself.", "She did it herself."),
        ("She's here; he'll come.", "He's here; she'll come."),
        ("HE IS LATE", "SHE IS LATE"),
    ],
)
def test_pronouns_agree(before: str, after: str) -> None:
    assert varied(before, transform="swap_gender") == [after]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("an actor and a waitress", "an actress and a waiter"),
        ("An aunt, a niece", "An uncle, a nephew"),
        ("a heroine", "a hero"),
        ("an heiress", "an heir"),
        ("a girl", "a boy"),
        ("A woman's work", "A man's work"),
        ("my mother-in-law", "my father-in-law"),
        ("her ex-wife", "his ex-husband"),
        ("an Englishwoman", "an Englishman"),
        ("Women and children", "Men and children"),
        ("Mom called.", "Dad called."),
        ("Mr. Smith and Mrs. Jones", "Ms. Smith and Mr. Jones"),
        ("a man-made lake", "a man-made lake"),
        ("her mother tongue", "his mother tongue"),
        ("the band Queen and Burger King", "the band Queen and Burger King"),
        ("She has a bachelor's degree.", "He has a bachelor's degree."),
    ],
)
def test_nouns_titles_and_articles_agree(before: str, after: str) -> None:
    assert varied(before, transform="swap_gender") == [after]


def test_a_first_name_becomes_one_of_the_other_gender_in_all_texts() -> None:
    premise, hypothesis = varied(
        "Lakisha Banks said that she won.", "Lakisha won.", transform="swap_gender"
    )

    name = hypothesis.removesuffix(" won.")
    assert first_names()[name] == ("african_american", Gender.MALE)
    assert premise == f"{name} Banks said that he won."


def test_a_name_is_the_same_in_all_texts_and_of_another_group() -> None:
    premise, hypothesis = varied(
        "Mei Chen met José. Chen’s sister waved to Mei.", "Mei Chen waved.", transform="swap_names"
    )

    first, last = hypothesis.split()[:2]
    assert first_names()[first].group != "asian"
    assert first_names()[first].gender is Gender.FEMALE
    assert premise == f"{first} {last} met José. {last}’s sister waved to {first}."


@pytest.mark.parametrize(
    "text",
    [
        *("Charlotte is in North Carolina.", "May is warm.", "They will mark the bill."),
        *("Grace and hope", "the Chelsea team", "Emily Dickinson University", "St. Louis"),
        *("Wendy's Diner", "Mary-Anne", "John & Sons", "Frederick the Great", "Queen Mary 2"),
        *("Malcolm in the Middle", "San Antonio", "emily left", "EMILY LEFT", "The Watson affair"),
    ],
)
def test_names_of_other_things_are_left_alone(text: str) -> None:
    assert varied(text, transform="swap_names") == [text]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Actor Emily Watson came.", {"Emily", "Watson"}),
        ("Dr. Smith met J. Edward Brown.", {"Smith", "Edward", "Brown"}),
        ("Mary Kowalczyk's film", {"Mary"}),
        ("Mark Davis and Aunt Rose", {"Mark", "Davis", "Rose"}),
        ("Then Julian Peter McDonald Clary sang.", {"Julian", "Peter"}),
    ],
)
def test_people_are_known_by_lists_and_capitals(text: str, names: set[str]) -> None:
    passage = Passage(text, language="en")

    found = {
        passage.words[index].text
        for person in find_people(passage).people
        for index in (*person.firsts, *(() if person.surname is None else (person.surname,)))
    }

    assert found == names


def test_a_name_that_carries_the_answer_stays_wherever_it_stands() -> None:
    premise, hypothesis = varied(
        "Emily met Greg.", "Emily smiled at Greg.", transform="swap_names", protected=("Emily",)
    )

    assert premise.startswith("Emily met ")
    assert hypothesis.startswith("Emily smiled at ")
    assert "Greg" not in premise + hypothesis


def test_gender_is_swapped_throughout_or_not_at_all() -> None:
    texts = ["His mother came.", "She came."]

    assert varied(*texts, transform="swap_gender", protected=("mother",)) == texts


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("A Muslim is here.", " is here."),
        ("Jewish people", " people"),
        ("the Mexicans", "the "),
        ("an Indian woman", " woman"),
        ("gay men", " men"),
    ],
)
def test_terms_for_groups_become_others(text: str, stays: str) -> None:
    for seed in range(6):
        (found,) = varied(text, transform="swap_group_terms", seed=seed)
        assert found != text
        assert stays in found
        if found.startswith(("a ", "an ", "A ", "An ")):
            article, term = found.split()[:2]
            assert (article.lower() == "an") == (term[0] in "AIEaeio" and term[:2] != "Eu")


@pytest.mark.parametrize(
    "text",
    [
        "German food",
        "a black cat",
        "Christian Bale",
        "the Mexican-American War",
        "in German",
        "South Korean",
    ],
)
def test_terms_that_name_no_people_are_left_alone(text: str) -> None:
    assert varied(text, transform="swap_group_terms") == [text]


def test_every_group_has_forty_names_of_each_gender_to_draw() -> None:
    for group in groups():
        for gender in Gender:
            names = [
                name
                for name, one in first_names().items()
                if (one.group, one.gender) == (group, gender) and not is_ambiguous(name)
            ]
            assert len(names) >= 40, (group, gender)
