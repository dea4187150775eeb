"""Types of texts that people send: what databases and screens cannot hold is refused by field."""

from typing import Annotated, TypeAlias

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from dynabench.science.task_config.characters import find_refused_character


def _check_characters(text: str) -> str:
    refused = find_refused_character(text)
    if refused is not None:
        raise PydanticCustomError("refused_character", "{reason}", {"reason": refused[:-1]})
    return text


def _check_one_line(text: str) -> str:
    if any(character in text for character in "\t\n"):
        raise PydanticCustomError("one_line", "It must be one line, without tabs")
    return _check_characters(text)


OneLine: TypeAlias = Annotated[str, AfterValidator(_check_one_line)]
SomeLines: TypeAlias = Annotated[str, AfterValidator(_check_characters)]
