"""The article before a word that was replaced: a or an."""

from dynabench.science.perturbations.letter_case import cased_like
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit

_VOWELS = frozenset("aeiou")
_SOUNDS_LIKE_A_CONSONANT = ("eu", "ew", "one", "uk", "uni", "use", "usu", "ut")
_SOUNDS_LIKE_A_VOWEL = ("heir", "honest", "honour", "honor", "hour")


def article_edit(passage: Passage, index: int, replacement: str) -> Edit | None:
    """Return how the article before a word changes when the word does, None where it stays."""
    if index == 0 or passage.between(index - 1) != " ":
        return None
    article = passage.words[index - 1]
    seen, wanted = article.text.lower(), article_for(replacement)
    is_other = seen in {"a", "an"} and seen != wanted
    if not is_other or not passage.is_free(article.start, article.end):
        return None
    # A single capital at the start of a sentence does not mean capitals throughout.
    cased = wanted.capitalize() if article.text == "A" else cased_like(wanted, article.text)
    return Edit(article.start, article.end, cased)


def article_for(word: str) -> str:
    """Return the article that a word takes.

    Example:
        >>> article_for("uncle"), article_for("European"), article_for("heiress")
        ('an', 'a', 'an')
    """
    lowered = word.lower()
    if lowered.startswith(_SOUNDS_LIKE_A_VOWEL):
        return "an"
    if lowered.startswith(_SOUNDS_LIKE_A_CONSONANT):
        return "a"
    return "an" if lowered[:1] in _VOWELS else "a"
