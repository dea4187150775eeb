"""Lists as they come back: whole ones, and those that are fetched page by page."""

# What pandas makes has no types here, and pandas itself may not be installed.
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from dynabench.client.errors import PandasMissingError
from dynabench.client.faces import AsyncFace, SyncFace
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page

RowT = TypeVar("RowT")


def frame_of(rows: Sequence[object]) -> Any:
    """Return rows as a pandas DataFrame; what is nested stands under names such as `budget.days`.

    Raises:
        PandasMissingError: If pandas is not installed.
    """
    try:
        # Nothing else of the client needs it.
        import pandas as pd  # noqa: PLC0415
    except ImportError:
        raise PandasMissingError from None
    if not all(isinstance(row, BaseModel) for row in rows):
        return pd.DataFrame({"value": list(rows)})
    return pd.json_normalize([row.model_dump() for row in rows if isinstance(row, BaseModel)])


class Table(list[RowT]):
    """A whole list; `to_frame()` makes a pandas DataFrame of it."""

    def to_frame(self) -> Any:
        """Return one row an item, as `frame_of` does."""
        return frame_of(self)

    def __repr__(self) -> str:
        first = f": {self[0]!r}, …" if len(self) > 1 else f": {self[0]!r}" if self else ""
        return f"<{len(self)} items{first}>"

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read it as a list of its items."""
        (kind,) = get_args(source)
        return core_schema.no_info_after_validator_function(
            cls, core_schema.list_schema(handler.generate_schema(kind))
        )


class Pages(Generic[RowT]):
    """A long list: `for` goes through all of it, and fetches each page when it is needed."""

    def __init__(self, face: SyncFace, turn: Callable[[str | None], Steps[Page[RowT]]]) -> None:
        self._face = face
        self._turn = turn

    def __iter__(self) -> Iterator[RowT]:
        page = self.page()
        yield from page.items
        while page.next_cursor is not None:
            page = self.page(page.next_cursor)
            yield from page.items

    def page(self, cursor: str | None = None) -> Page[RowT]:
        """Fetch the first page, or the one at a `next_cursor`."""
        return self._face.run(self._turn(cursor))

    def all(self) -> Table[RowT]:
        """Fetch the whole list."""
        return Table(self)

    def to_frame(self) -> Any:
        """Fetch the whole list as a pandas DataFrame."""
        return frame_of(self.all())


class AsyncPages(Generic[RowT]):
    """The same for `async for`."""

    def __init__(self, face: AsyncFace, turn: Callable[[str | None], Steps[Page[RowT]]]) -> None:
        self._face = face
        self._turn = turn

    async def __aiter__(self) -> AsyncIterator[RowT]:
        page = await self.page()
        for row in page.items:
            yield row
        while page.next_cursor is not None:
            page = await self.page(page.next_cursor)
            for row in page.items:
                yield row

    async def page(self, cursor: str | None = None) -> Page[RowT]:
        """Fetch the first page, or the one at a `next_cursor`."""
        return await self._face.run(self._turn(cursor))

    async def all(self) -> Table[RowT]:
        """Fetch the whole list."""
        return Table([row async for row in self])

    async def to_frame(self) -> Any:
        """Fetch the whole list as a pandas DataFrame."""
        return frame_of(await self.all())
