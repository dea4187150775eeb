"""Which reader reads which format."""

from dynabench.loop.interchange.readers.anli import AnliReader
from dynabench.loop.interchange.readers.dynasent import DynasentReader
from dynabench.loop.interchange.readers.hatemoji import HatemojiReader
from dynabench.loop.interchange.readers.jsonl import JsonlReader
from dynabench.loop.interchange.readers.protocol import Reader
from dynabench.loop.interchange.values import SourceFormat


def reader_of(source_format: SourceFormat) -> Reader:
    """Return the reader of a format."""
    readers: dict[SourceFormat, Reader] = {
        SourceFormat.ANLI: AnliReader(),
        SourceFormat.DYNASENT: DynasentReader(),
        SourceFormat.HATEMOJI: HatemojiReader(),
        SourceFormat.JSONL: JsonlReader(),
    }
    return readers[source_format]
