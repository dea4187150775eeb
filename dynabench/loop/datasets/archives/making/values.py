"""What a version's texts say, and what a run of the job gives."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench.loop.datasets.archives.columns.values import Column
from dynabench.loop.datasets.archives.media.values import NamedMedia
from dynabench.loop.datasets.archives.values import ArchivedFile
from dynabench.loop.datasets.values import DatasetVersion, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A version as its card and metadata tell of it, with what the task adds.

    Attributes:
        version: The version.
        task_slug: Its task.
        task_title: What the task is called.
        task_description: What it asks; empty where nobody said.
        language: Of the texts, as a code.
        columns: The columns of its table.
        withheld: The splits without their right answers.
        tables: The table of each split that is not empty.
        lines: The lines of each split that is not empty.
        media: The pictures and sounds that items name; None where no item can name any.
        media_list: The file that lists those.
    """

    version: DatasetVersion
    task_slug: str
    task_title: str
    task_description: str
    language: str
    columns: tuple[Column, ...]
    withheld: tuple[Split, ...]
    tables: Mapping[Split, ArchivedFile]
    lines: Mapping[Split, ArchivedFile]
    media: NamedMedia | None = None
    media_list: ArchivedFile | None = None

    @property
    def title(self) -> str:
        """The version's name for people."""
        return f"{self.task_title}: {self.version.name}, version {self.version.version}"

    @property
    def files(self) -> tuple[ArchivedFile, ...]:
        """The files with items, in the order in which they are written, and the list of media."""
        data = tuple(one for split in self.lines for one in (self.lines[split], self.tables[split]))
        return data if self.media_list is None else (*data, self.media_list)
