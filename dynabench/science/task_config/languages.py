"""How a language is written: in which direction, and whether with spaces between words."""

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
_WITHOUT_SPACES = frozenset(
    ["bo", "dz", "ja", "km", "lo", "my", "shn", "th", "wuu", "yue", "zh"]
)  # fmt: skip


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


def writes_spaces(language: str) -> bool:
    """Tell whether a language tag's language puts spaces between words.

    Example:
        >>> writes_spaces("pt-BR"), writes_spaces("zh_Hant"), writes_spaces("zh-Latn")
        (True, False, True)
    """
    main, *others = language.replace("_", "-").casefold().split("-")
    return main not in _WITHOUT_SPACES or "latn" in others
