"""Words as people often misspell them."""

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.letter_case import cased_like
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import choices

_ONE_IN = 6


def misspell(passage: Passage, draws: Draws) -> Edits:
    """Replace words of the list by a common misspelling."""
    table = choices("misspellings.tsv")
    able = [word for word in passage.free_words if word.text.lower() in table]
    edits: list[Edit] = []
    for word in draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN)):
        wrong = draws.one_of(table[word.text.lower()])
        edits.append(Edit(word.start, word.end, cased_like(wrong, word.text)))
    return edits
