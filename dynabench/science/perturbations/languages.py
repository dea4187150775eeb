"""Which languages a transform knows."""

from dataclasses import dataclass

from dynabench.kit.sentences import Phrase
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


_ANY = Phrase("languages.any", "any")
_SPACED = Phrase("languages.spaced", "those written with spaces")
_ENGLISH = Phrase("languages.english", "English")
_IN_LATIN = Phrase("languages.latin", "those in Latin letters")
_ALPHABETIC = Phrase("languages.alphabetic", "those in Latin, Greek or Cyrillic letters")
TITLES = (_ANY, _SPACED, _ENGLISH, _IN_LATIN, _ALPHABETIC)

ANY = Languages(_ANY.say(), None)
SPACED = Languages(_SPACED.say(), None, with_spaces=True)
ENGLISH = Languages(_ENGLISH.say(), frozenset(["en"]))
LATIN = Languages(_IN_LATIN.say(), _LATIN)
ALPHABETIC = Languages(_ALPHABETIC.say(), _LATIN | _CYRILLIC | _GREEK)
