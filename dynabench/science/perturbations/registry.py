"""Every transform by its name, and which of them a language can have."""

from collections.abc import Callable, Sequence
from types import MappingProxyType

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.fairness.gender import swap_gender
from dynabench.science.perturbations.fairness.group_terms import swap_group_terms
from dynabench.science.perturbations.fairness.names import swap_names
from dynabench.science.perturbations.languages import (
    ALPHABETIC,
    ANY,
    ENGLISH,
    LATIN,
    SPACED,
    Languages,
)
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.robustness import contractions, letters, look_alikes, marks
from dynabench.science.perturbations.robustness.casing import write_large
from dynabench.science.perturbations.robustness.emphasis import emphasise
from dynabench.science.perturbations.robustness.punctuation import add_punctuation
from dynabench.science.perturbations.robustness.spacing import (
    add_white_space,
    join_words,
    split_words,
)
from dynabench.science.perturbations.robustness.spelling import misspell
from dynabench.science.perturbations.values import (
    BY_REQUEST,
    OTHER_LANGUAGE,
    Change,
    Edits,
    Transform,
    TransformKind,
)


def _robust(
    name: str, languages: Languages, change: Callable[[Passage, Draws], Edits], description: str
) -> Transform:
    return Transform(
        name=name,
        kind=TransformKind.ROBUSTNESS,
        languages=languages,
        description=description,
        change=_each_text(change),
    )


def _fair(name: str, change: Change, description: str, *, is_by_request: bool = False) -> Transform:
    return Transform(
        name=name,
        kind=TransformKind.FAIRNESS,
        languages=ENGLISH,
        description=description,
        change=change,
        is_by_request=is_by_request,
    )


def _each_text(change: Callable[[Passage, Draws], Edits]) -> Change:
    """Return the change of an item's texts one after the other, with the same draws."""

    def change_all(passages: Sequence[Passage], draws: Draws) -> Sequence[Edits]:
        return [change(passage, draws) for passage in passages]

    return change_all


_KEYBOARDS = Languages("those whose keyboard is known", letters.layout_languages())
_MARKLESS = Languages("those that write no marks", marks.WITHOUT_MARKS)
_MARKED = Languages("those whose writers leave marks out", marks.LEAVE_OUT_MARKS)

_ALL = (
    _robust("upper_case", ALPHABETIC, write_large, "Writes every word in capitals."),
    _robust(
        "contractions",
        ENGLISH,
        contractions.contract,
        "Contracts verbs with “not” and pronouns with their verb, wherever that reads well.",
    ),
    _robust(
        "expansions",
        ENGLISH,
        contractions.expand,
        "Writes contracted forms in full; the word after “'s” and “'d” tells which form it is.",
    ),
    _robust(
        "punctuation",
        SPACED,
        add_punctuation,
        "Doubles marks, puts one before joining words, and one at the end where there is none; "
        "no question or exclamation marks.",
    ),
    _robust(
        "white_space",
        SPACED,
        add_white_space,
        "Makes one single space in four wider, or a tab or a no-break space.",
    ),
    _robust(
        "zero_width",
        ANY,
        look_alikes.add_zero_width,
        "Puts a character of no width into one word in five.",
    ),
    _robust(
        "homoglyphs",
        ALPHABETIC,
        look_alikes.use_homoglyphs,
        "Replaces a letter in one word in five by one of another alphabet that looks the same.",
    ),
    _robust(
        "swapped_letters",
        ALPHABETIC,
        letters.swap_letters,
        "Swaps two neighbouring letters in one word in eight, never the first.",
    ),
    _robust(
        "dropped_letters",
        ALPHABETIC,
        letters.drop_letters,
        "Leaves a letter out of one word in eight, never the first or last, so that no other "
        "English word comes out.",
    ),
    _robust(
        "inserted_letters",
        ALPHABETIC,
        letters.insert_letters,
        "Puts another letter of the text into one word in eight.",
    ),
    _robust(
        "repeated_letters",
        ALPHABETIC,
        letters.repeat_letters,
        "Doubles a letter in one word in eight.",
    ),
    _robust(
        "keyboard_typos",
        _KEYBOARDS,
        letters.hit_neighbours,
        "Replaces a letter in one word in eight by one whose key lies beside it, "
        "on the layout that the language is mostly written on.",
    ),
    _robust(
        "misspellings",
        ENGLISH,
        misspell,
        "Replaces words of a list by a common misspelling, at most one word in six.",
    ),
    _robust(
        "ocr_errors",
        LATIN,
        look_alikes.misread,
        "Replaces a letter or two in one word in six as a machine misreads them in print; "
        "digits stay.",
    ),
    _robust(
        "split_words",
        ALPHABETIC,
        split_words,
        "Puts a space into one word in twelve, of six letters or more.",
    ),
    _robust("joined_words", ALPHABETIC, join_words, "Leaves one space in eight between words out."),
    _robust(
        "emphasis",
        ALPHABETIC,
        emphasise,
        "Draws out English words that people draw out, at most one word in eight, and repeats a "
        "question or exclamation mark at the end.",
    ),
    _robust(
        "diacritics_added",
        _MARKLESS,
        marks.add_marks,
        "Puts an accent on a vowel in one word in six, of four letters or more.",
    ),
    _robust(
        "diacritics_removed",
        _MARKED,
        marks.remove_marks,
        "Leaves out the marks of all letters but ñ.",
    ),
    _fair(
        "swap_names",
        swap_names,
        "Replaces people's names by names of another group and the same gender, drawn by how "
        "common they are.",
    ),
    _fair(
        "swap_gender",
        swap_gender,
        "Swaps women and men throughout: first names, nouns, titles and pronouns, "
        "so that they still agree.",
    ),
    _fair(
        "swap_group_terms",
        swap_group_terms,
        "Replaces words for religions, nationalities, ethnic groups, orientations and disabilities "
        "by others of their class.",
        is_by_request=True,
    ),
)

VERSION = 2
"""Grows with each change after which a transform makes other variants; sets name theirs."""

TRANSFORMS: MappingProxyType[str, Transform] = MappingProxyType({one.name: one for one in _ALL})
"""Every transform by its name."""


def applicable(kind: TransformKind, language: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the transforms of a kind that are used where nobody names any.

    Returns:
        Their names, and the reason why each of the others is left out.

    Example:
        >>> names, left_out = applicable(TransformKind.ROBUSTNESS, "zh")
        >>> names, left_out["misspellings"]
        (('zero_width',), 'It knows English; the texts are in zh.')
    """
    names: list[str] = []
    left_out: dict[str, str] = {}
    for one in TRANSFORMS.values():
        if one.kind is not kind:
            continue
        if not one.languages.includes(language):
            left_out[one.name] = OTHER_LANGUAGE.say(title=one.languages.title, language=language)
        elif one.is_by_request:
            left_out[one.name] = BY_REQUEST.say()
        else:
            names.append(one.name)
    return tuple(names), left_out
