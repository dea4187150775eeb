"""One cell of a row as JSON, and back: strict, so that what is read is what was written."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeEngine

from dynabench.kit.db.columns import EnumText


class CellError(Exception):
    """A cell holds no value of its column; the message is a sentence."""


_BITS: dict[type[object], int] = {SmallInteger: 15, Integer: 31, BigInteger: 63}
_DEEPEST = 200


# Columns of every type.
def told(column: Column[Any], value: object) -> object:
    """Return a cell's value as JSON."""
    return _told(column.type, value)


# The same as above.
def heard(column: Column[Any], value: object) -> object:
    """Return the value of a cell that a file holds.

    Raises:
        CellError: If it is none of this column, with the reason as a sentence.
    """
    if value is None:
        if not column.nullable:
            raise CellError("It must not be empty.")
        return None
    return _reader(column.type)(value)


# Types of every kind.
def _told(kind: TypeEngine[Any], value: object) -> object:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(kind, EnumText):
        return None if value is None else kind.enum(value).value
    if isinstance(kind, ARRAY) and isinstance(value, list):
        return [_told(kind.item_type, one) for one in value]
    return value


# The same as above.
def _reader(kind: TypeEngine[Any]) -> Callable[[object], object]:
    for known, read in _READERS:
        if isinstance(kind, known):
            return read
    if isinstance(kind, EnumText):
        return lambda value: _member(kind, value)
    if isinstance(kind, ARRAY):
        return lambda value: _items(kind, value)
    if isinstance(kind, Integer):
        return lambda value: _whole(kind, value)
    message = f"no part holds a column of type {kind}"
    raise TypeError(message)


def _uuid(value: object) -> UUID:
    try:
        found = UUID(str(value))
    except ValueError:
        raise CellError("It must be an id.") from None
    if str(found) != value:
        raise CellError("It must be an id, in small letters and with hyphens.")
    return found


def _time(value: object) -> datetime:
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        raise CellError("It must be a time.") from None
    if found.tzinfo is None or _told(DateTime(), found) != value:
        raise CellError("It must be a time in UTC, to the microsecond.")
    return found


def _bytes(value: object) -> bytes:
    try:
        found = bytes.fromhex(str(value))
    except ValueError:
        raise CellError("It must be hexadecimal.") from None
    if found.hex() != value:
        raise CellError("It must be hexadecimal, in small letters.")
    return found


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise CellError("It must be true or false.")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CellError("It must be a number.")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise CellError("It must be a text.")
    if "\x00" in value:
        raise CellError("It holds a character that no text may hold (U+0000).")
    return value


def _json(value: object) -> object:
    waiting = [(value, 0)]
    while waiting:
        one, depth = waiting.pop()
        if depth > _DEEPEST:
            raise CellError(f"It is nested more than {_DEEPEST} deep.")
        if isinstance(one, str):
            _text(one)
        elif isinstance(one, dict):
            waiting.extend((each, depth + 1) for pair in one.items() for each in pair)
        elif isinstance(one, list):
            waiting.extend((each, depth + 1) for each in one)
    return value


# An enum of every kind.
def _member(kind: EnumText[Any], value: object) -> str:
    known = [one.value for one in kind.enum]
    if value not in known:
        raise CellError(f"It must be one of {', '.join(known)}.")
    return str(value)


# Items of every type.
def _items(kind: ARRAY[Any], value: object) -> list[object]:
    if not isinstance(value, list):
        raise CellError("It must be a list.")
    read = _reader(kind.item_type)
    return [read(one) for one in value]


def _whole(kind: Integer, value: object) -> int:
    bits = _BITS[type(kind)]
    if isinstance(value, bool) or not isinstance(value, int):
        raise CellError("It must be a whole number.")
    if not -(2**bits) <= value < 2**bits:
        raise CellError("It is too large a number.")
    return value


# Classes of types, each with how a cell of it is read.
_READERS: tuple[tuple[type[Any], Callable[[object], object]], ...] = (
    (Uuid, _uuid),
    (DateTime, _time),
    (LargeBinary, _bytes),
    (Boolean, _truth),
    (Float, _number),
    (Text, _text),
    (JSONB, _json),
)
