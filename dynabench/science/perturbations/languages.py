"""Which languages a transform knows."""

from dataclasses import dataclass

from dynabench.science.task_config.languages import writes_spaces

_LATIN = frozenset(
    ["af", "az", "br", "bs", "ca", "ceb", "cs", "cy", "da", "de", "en", "eo", "es", "et", "eu",
     "fi", "fil", "fo", "fr", "fy", "ga", "gd", "gl", "ha", "hr", "ht", "hu", "id", "ig", "is",
     "it", "jv", "la", "lb", "lt", "lv", "mg", "mi", "ms", "mt", "nb", "nl", "nn", "no", "oc",
     "pl", "pt", "qu", "rm", "ro", "rw", "sk", "sl", "sm", "sn", "so", "sq", "st", "su", "sv",
     "sw", "tl", "tk", "tr", "uz", "vi", "wo", "xh", "yo", "zu"]
)  # fmt: skip
_CYRILLIC = frozenset(["be", "bg", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "uk"])
_GREEK = frozenset(["el"])


@dataclass(frozen=True, slots=True)
class Languages:
    """A set of languages by their main subtag.

    Attributes:
        title: How people call the set.
        codes: The languages; None is every language.
        with_spaces: Whether a language must put spaces between words.
    """

    title: str
    codes: frozenset[str] | None
    with_spaces: bool = False

    def includes(self, language: str) -> bool:
        """Tell whether a language tag's language is one of them.

        Example:
            >>> ENGLISH.includes("en-GB"), SPACED.includes("zh"), ANY.includes("zh")
            (True, False, True)
        """
        if self.with_spaces and not writes_spaces(language):
            return False
        return self.codes is None or main_subtag(language) in self.codes


def main_subtag(language: str) -> str:
    """Return the language of a tag without its region and script.

    Example:
        >>> main_subtag("pt-BR"), main_subtag("zh_Hant")
        ('pt', 'zh')
    """
    return language.replace("_", "-").partition("-")[0].casefold()


ANY = Languages("any", None)
SPACED = Languages("those written with spaces", None, with_spaces=True)
ENGLISH = Languages("English", frozenset(["en"]))
LATIN = Languages("those in Latin letters", _LATIN)
ALPHABETIC = Languages("those in Latin, Greek or Cyrillic letters", _LATIN | _CYRILLIC | _GREEK)
