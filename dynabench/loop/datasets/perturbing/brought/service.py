"""Reading an owner's file of variants beside the items that they vary."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import BinaryIO, TypeAlias

from dynabench.engines.row_files.reading import next_rows, read_rows
from dynabench.engines.row_files.values import Row, RowFormat, RowProblem
from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.perturbing.brought.rules import original_named, variant_of
from dynabench.loop.datasets.perturbing.values import VARIED_SPLITS
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.uploads.imports.rules import written_item
from dynabench.loop.datasets.uploads.rules import RowError
from dynabench.loop.datasets.uploads.values import MAX_ITEMS, PROBLEMS_TOLD, ItemProblem
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.science.task_config.schema import TaskConfig

_VARIANTS_READ = Phrase("doing.variants_read", "{count} variants read")

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]

_ROWS_AT_ONCE = 500
_HALF = 0.5


class BroughtReader:
    """One file on its way; its variants are put aside on the disk.

    Args:
        datasets: Knows the items that are varied.
        version: The set that they are of.
        config: Its task's config.
        aside: An open file that takes the variants.

    Attributes:
        problems: What is wrong, up to a number that one can read.
        more_problems: How many more there are.
        originals: The items that have a variant.
    """

    def __init__(
        self,
        datasets: DatasetService,
        *,
        version: DatasetVersion,
        config: TaskConfig,
        aside: BinaryIO,
    ) -> None:
        self._datasets = datasets
        self._version = version
        self._config = config
        self._aside = aside
        self._sizes: Counter[Split] = Counter()
        self._names: Counter[tuple[str, str]] = Counter()
        self.problems: list[ItemProblem] = []
        self.more_problems = 0
        self.originals: set[str] = set()

    @property
    def items(self) -> int:
        """How many variants were read."""
        return self._sizes.total()

    async def read(self, stream: BinaryIO, row_format: RowFormat, *, progress: Progress) -> None:
        """Read the whole file."""
        size = stream.seek(0, 2)
        stream.seek(0)
        rows = read_rows(stream, row_format)
        while found := await asyncio.to_thread(next_rows, rows, most_rows=_ROWS_AT_ONCE):
            await self._take(found)
            where = min(stream.tell() / max(size, 1), 1)
            await progress(_HALF * where, 1, _VARIANTS_READ.say(count=self.items))
            if self.items > MAX_ITEMS:
                self._note(None, None, f"The file has more than {MAX_ITEMS:,} rows; split it up.")
                return
        if not self.items and not self.problems:
            self._note(None, None, "The file holds no variant; write one row for each.")

    async def _take(self, rows: Sequence[Row | RowProblem]) -> None:
        named: list[tuple[Row, str]] = []
        for row in rows:
            if isinstance(row, RowProblem):
                self._note(row.line, row.column, row.sentence)
                continue
            try:
                named.append((row, original_named(row.values)))
            except RowError as error:
                self._refuse(row, error)
        originals = await self._datasets.items_by_uid(self._version.id, {uid for _, uid in named})
        for row, uid in named:
            original = originals.get(uid)
            if original is not None and original.split not in VARIED_SPLITS:
                original = None
            try:
                variant = variant_of(row.values, original, self._config)
            except RowError as error:
                self._refuse(row, error)
                continue
            transform = variant.transform or ""
            number = self._names[uid, transform]
            self._names[uid, transform] += 1
            end = f":{number + 1}" if number else ""
            self._aside.write(
                written_item(
                    replace(
                        variant,
                        uid=f"{uid}:{transform}{end}",
                        position=self._sizes[variant.split],
                    )
                )
            )
            self._sizes[variant.split] += 1
            self.originals.add(uid)

    def _refuse(self, row: Row, error: RowError) -> None:
        for field, sentence in error.problems:
            self._note(row.line, field, sentence)

    def _note(self, line: int | None, field: str | None, message: str) -> None:
        if len(self.problems) < PROBLEMS_TOLD:
            self.problems.append(ItemProblem(line, field, message))
        else:
            self.more_problems += 1
