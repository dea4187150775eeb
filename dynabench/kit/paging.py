"""Paging by cursor: a page ends with a mark from which the next one goes on.

Unlike page numbers, a cursor neither skips nor repeats rows when others are written
meanwhile, and costs the same on page one thousand as on page one.
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, Generic, TypeAlias, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from dynabench.kit.errors import InvalidError

ItemT = TypeVar("ItemT")
FirstT = TypeVar("FirstT")
SecondT = TypeVar("SecondT")
ThirdT = TypeVar("ThirdT")

DEFAULT_PAGE_SIZE = 50
LARGEST_PAGE_SIZE = 200

Cursor: TypeAlias = Annotated[
    str | None,
    Field(max_length=500, description="The `next_cursor` of the page before; none for the first."),
]
PageSize: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_PAGE_SIZE)]


class BadCursorError(InvalidError):
    """A cursor that this server did not make, or made for another list."""

    code = "request.bad_cursor"

    def __init__(self) -> None:
        super().__init__(
            "This cursor does not belong to this list. Start again without one.",
            fields={"cursor": "is not a cursor of this list"},
        )


class Page(BaseModel, Generic[ItemT]):
    """A part of a list.

    Attributes:
        items: The rows, in the list's order.
        next_cursor: Send it as `cursor` for the rows that follow; None on the last page.
    """

    model_config = ConfigDict(frozen=True)

    items: list[ItemT]
    next_cursor: str | None = None


def encode_cursor(key: Sequence[object]) -> str:
    """Return the cursor behind the row with this sort key.

    The key ends with something unique, or rows with equal keys would be skipped.
    """
    return base64.urlsafe_b64encode(to_json(list(key))).rstrip(b"=").decode()


@overload
def decode_cursor(cursor: str, first: type[FirstT], /) -> tuple[FirstT]: ...
@overload
def decode_cursor(
    cursor: str, first: type[FirstT], second: type[SecondT], /
) -> tuple[FirstT, SecondT]: ...
@overload
def decode_cursor(
    cursor: str, first: type[FirstT], second: type[SecondT], third: type[ThirdT], /
) -> tuple[FirstT, SecondT, ThirdT]: ...
def decode_cursor(cursor: str, *types: type[object]) -> tuple[object, ...]:
    """Return the sort key of the last row seen, its parts of the given types.

    Raises:
        BadCursorError: If it is no cursor of this list.

    Example:
        >>> decode_cursor(encode_cursor(["2030-01-15", 7]), str, int)
        ('2030-01-15', 7)
    """
    key = tuple.__class_getitem__(types)
    # The tuple's type is put together at run time, where mypy cannot follow.
    adapter: TypeAdapter[tuple[object, ...]] = TypeAdapter(key)  # type: ignore[arg-type]
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        data = base64.b64decode(padded, altchars=b"-_", validate=True)
        return adapter.validate_json(data)
    except (UnicodeEncodeError, binascii.Error, ValidationError):
        raise BadCursorError from None


def cut(rows: Sequence[ItemT], *, size: int) -> tuple[list[ItemT], bool]:
    """Split rows that were read with a limit of `size + 1` into a page and whether more follow."""
    return list(rows[:size]), len(rows) > size
