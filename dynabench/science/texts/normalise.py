"""Normal forms of texts, for comparing answers and for finding duplicates."""

import re
import string
import unicodedata
from collections import Counter

from dynabench.science.texts.look_alikes import LATIN_BY_LOOK

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad_normalise(text: str) -> str:
    """Return the form in which SQuAD compares answers.

    Lower case, without ASCII punctuation and English articles, white space squeezed
    (Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of Text").

    Example:
        >>> squad_normalise("The  Bridge, of course!")
        'bridge of course'
    """
    without_punctuation = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", without_punctuation).split())


def token_f1(one: str, other: str) -> float:
    """Return SQuAD's token F1 of two answers: 0 to 1, and symmetric.

    F1 = 2·common / (tokens of one + tokens of the other), over the bags of tokens of the
    SQuAD-normalised texts. Where one of them has no tokens left it is 1 if neither has,
    else 0, as in the script of SQuAD 2.0 (Rajpurkar et al. 2018).

    Example:
        >>> token_f1("the old bridge", "bridge")
        0.6666666666666666
    """
    tokens = squad_normalise(one).split()
    others = squad_normalise(other).split()
    if not tokens or not others:
        return float(tokens == others)
    common = (Counter(tokens) & Counter(others)).total()
    return 2 * common / (len(tokens) + len(others))


def normalise_for_duplicates(text: str) -> str:
    """Return the form in which two examples count as the same text.

    NFKC, casefold, letters that look like Latin ones as these, and every run of white space
    and punctuation as one space. Symbols and emoji stay, for they can carry the meaning. A text
    of punctuation alone keeps it.

    Example:
        >>> normalise_for_duplicates("  Well,   WELL … it's ②! ")
        'well well it s 2'
        >>> normalise_for_duplicates("p\u0430\u0443\u0440\u0430l") == "paypal"
        True
        >>> normalise_for_duplicates("?!  ?!")
        '?! ?!'
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    folded = folded.translate(LATIN_BY_LOOK)
    words = "".join(map(_kept, folded)).split()
    return " ".join(words or folded.split())


def _kept(character: str) -> str:
    """Return what stays of a character: itself, a space, or nothing."""
    if character.isalnum():
        return character
    category = unicodedata.category(character)
    # Zero-width characters would otherwise make a copy look new.
    if category == "Cf":
        return ""
    return " " if category[0] in "PZC" else character
