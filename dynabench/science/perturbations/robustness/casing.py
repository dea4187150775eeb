"""Capitals throughout."""

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.languages import main_subtag
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits

_DOTTED = frozenset(["az", "tr"])


def write_large(passage: Passage, draws: Draws) -> Edits:
    """Write every word in capitals; nothing is drawn."""
    del draws
    is_dotted = main_subtag(passage.language) in _DOTTED
    edits: list[Edit] = []
    for word in passage.free_words:
        large = (word.text.replace("i", "İ") if is_dotted else word.text).upper()
        if large != word.text:
            edits.append(Edit(word.start, word.end, large))
    return edits
