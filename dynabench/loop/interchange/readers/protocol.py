"""What a reader of a published format is."""

from collections.abc import Iterator
from typing import Protocol

from dynabench.loop.interchange.readers.files import SourceFile
from dynabench.loop.interchange.values import SourceCollection, SourceRecord


class Reader(Protocol):
    """Turns files of one format into records, one at a time."""

    collection: SourceCollection

    def read(self, file: SourceFile) -> Iterator[SourceRecord]:
        """Return the records of a file, in its order.

        Raises:
            SourceFileError: At the first line that cannot be used, naming the field.
        """
        ...
