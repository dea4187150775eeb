"""In which direction a language is written."""

from typing import Literal

Direction = Literal["ltr", "rtl"]

_RIGHT_TO_LEFT = frozenset(
    ["ar", "arc", "ars", "arz", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks",
     "lrc", "mzn", "nqo", "pnb", "prs", "ps", "sd", "skr", "syr", "ug", "ur", "yi"]
)  # fmt: skip
_RIGHT_TO_LEFT_SCRIPTS = frozenset(
    ["adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"]
)
_SCRIPT_LENGTH = 4


def direction_of(language: str) -> Direction:
    """Return the direction of a language tag; its script decides where the tag names one.

    Example:
        >>> direction_of("ar-EG"), direction_of("ku-Arab"), direction_of("az-Latn")
        ('rtl', 'rtl', 'ltr')
    """
    main, *others = language.replace("_", "-").casefold().split("-")
    script = next((one for one in others if len(one) == _SCRIPT_LENGTH and one.isalpha()), None)
    if script is not None:
        return "rtl" if script in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if main in _RIGHT_TO_LEFT else "ltr"
