"""Sentences of the server that a page can say in its reader's language.

A sentence that explains something is English text for every client, and beside it a code with
what the sentence names. A phrase is such a sentence before its names are known; the page has a
translation for every phrase (`frontend/src/lib/i18n/*/told.json`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from pydantic import model_validator

from dynabench.kit.wire import Values, WireModel

SUFFIX = "_told"
"""A field of this ending holds the code of the sentences in the field without it."""

_COUNT = "count"


class Told(WireModel):
    """What a sentence says, for a page in another language.

    Attributes:
        code: Which sentence it is; public, never used for another one.
        values: What it names: words, numbers, lists of words, and sentences within it, which
            are told the same way.
    """

    code: str
    values: Values


class Sentence(str):
    """English text that remembers what it says.

    It is a string wherever one is wanted; changed or joined to another it is text alone.
    """

    __slots__ = ("told",)

    told: Told

    def __new__(cls, text: str, told: Told) -> Self:
        """Make a sentence of its text and what it says."""
        made = super().__new__(cls, text)
        made.told = told
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, Told]]:
        """Return what a copy is made of."""
        return type(self), (str(self), self.told)


Named: TypeAlias = str | int | float | Sequence[str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence before its names are known.

    Attributes:
        code: Which one it is, such as `scales.too_few_models`.
        english: Its text, with `{name}` for what it names.
        one: The text where the value `count` is 1, if that reads otherwise.

    Example:
        >>> said = Phrase("cakes.left", "{count} cakes are left.", one="One cake is left.")
        >>> said.say(count=3)
        '3 cakes are left.'
        >>> said.say(count=1).told
        Told(code='cakes.left', values={'count': 1})
    """

    code: str
    english: str
    one: str | None = None

    def say(self, **named: Named) -> Sentence:
        """Return the sentence with its names; of a list all are named, with "and" between."""
        is_one = self.one is not None and named.get(_COUNT) == 1
        text = self.one if is_one and self.one is not None else self.english
        written = text.format_map({name: _written(value) for name, value in named.items()})
        values: Values = {name: _value(value) for name, value in named.items()}
        return Sentence(written, Told(code=self.code, values=values))


_THEN = Phrase("sentences.then", "{first} {second}")


def follow(first: Sentence, *others: Sentence) -> Sentence:
    """Return sentences one after the other, as one."""
    said = first
    for other in others:
        said = _THEN.say(first=said, second=other)
    return said


def recall(text: str | None, phrases: Sequence[Phrase]) -> str | None:
    """Return a stored text as the sentence that it is; where it is none of these, as it is.

    For columns and pipes that hold the text alone. What a sentence names is read back as a
    number where it is written in digits, as a sentence where it is one of these, else as words.
    """
    if text is None or isinstance(text, Sentence):
        return text
    for phrase in phrases:
        for form in (phrase.english, phrase.one):
            found = None if form is None else re.fullmatch(_pattern(form), text, re.DOTALL)
            if found is not None:
                values: Values = {
                    name: _recalled(value, phrases) for name, value in found.groupdict().items()
                }
                return Sentence(text, Told(code=phrase.code, values=values))
    return text


def _recalled(value: str, phrases: Sequence[Phrase]) -> object:
    if value.isascii() and value.isdigit():
        return int(value)
    said = recall(value, phrases)
    return said.told.model_dump() if isinstance(said, Sentence) else value


def told_of(said: object) -> object:
    """Return what a sentence says, of a list what each says; None for text alone."""
    if isinstance(said, Sentence):
        return said.told
    if isinstance(said, list | tuple):
        return [told_of(one) for one in said]
    return None


class TellingModel(WireModel):
    """A wire shape that keeps what its sentences say: `reason_told` beside `reason`."""

    @model_validator(mode="before")
    @classmethod
    def _keep_what_is_told(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            return given
        told = {
            name: told_of(given[name.removesuffix(SUFFIX)])
            for name in cls.model_fields
            if name.endswith(SUFFIX) and name not in given and name.removesuffix(SUFFIX) in given
        }
        return {**given, **told} if told else given


def _written(value: Named) -> str | int | float:
    if isinstance(value, str | int | float):
        return value
    return value[0] if len(value) == 1 else f"{', '.join(value[:-1])} and {value[-1]}"


def _value(value: Named) -> object:
    if isinstance(value, Sentence):
        return value.told.model_dump()
    if isinstance(value, str | int | float):
        return value
    return [_value(one) for one in value]


def _pattern(form: str) -> str:
    """Return what matches a text that was made of a form; a name that comes twice is the same."""
    seen: set[str] = set()
    parts = []
    for number, part in enumerate(re.split(r"\{(\w+)\}", form)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part})")
        else:
            seen.add(part)
            parts.append(f"(?P<{part}>.+?)")
    return "".join(parts)
