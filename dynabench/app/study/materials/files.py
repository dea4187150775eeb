"""Reading packed JSON lines and tables, with the place of what is wrong."""

import csv
import gzip
import json
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from dynabench.app.study.errors import StudyDataMissingError, StudyDataUnusableError
from dynabench.app.study.values import Item, Material

Record: TypeAlias = dict[str, object]
Reader: TypeAlias = Callable[[Record], Item | None]


@dataclass(frozen=True, slots=True)
class Source:
    """A file below the folder of collections, and where it comes from."""

    path: str
    origin: str


def read_items(folder: Path, source: Source, reader: Reader) -> Iterator[Item]:
    """Give the items of a file; those that the reader answers None for are left out.

    Raises:
        StudyDataMissingError: If the file is not there.
        StudyDataUnusableError: If it is damaged, or a record lacks what the reader needs.
    """
    path = folder / source.path
    if not path.is_file():
        raise StudyDataMissingError(file=str(path), source=source.origin)
    with _named(path):
        records = list(_json_lines(path) if ".jsonl" in path.name else _table(path))
    for number, record in records:
        try:
            item = reader(record)
        except (KeyError, TypeError, ValueError) as error:
            reason = f"the record lacks or misuses {error}"
            raise StudyDataUnusableError(file=str(path), line=number, reason=reason) from error
        if item is not None:
            yield item


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise StudyDataUnusableError(
            file=str(path), line=None, reason="it is no whole gzip file of UTF-8 text"
        ) from error


def _json_lines(path: Path) -> Iterator[tuple[int, Record]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                record = json.loads(line)
            except ValueError as error:
                reason = "it is no JSON"
                raise StudyDataUnusableError(file=str(path), line=number, reason=reason) from error
            if not isinstance(record, dict):
                raise StudyDataUnusableError(
                    file=str(path), line=number, reason="it is no JSON object"
                )
            yield number, record


def _table(path: Path) -> Iterator[tuple[int, Record]]:
    delimiter = "\t" if ".tsv" in path.name else ","
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter=delimiter)
        for row in reader:
            yield reader.line_num, dict(row)


def text_of(record: Record, name: str) -> str:
    """Return a field that must hold a text.

    Raises:
        KeyError: If it does not.
    """
    value = record[name]
    if not isinstance(value, str) or not value.strip():
        raise KeyError(name)
    return value


def comparable(item: Item) -> str:
    """Return the whole input so that equal inputs are equal: NFC, no case, single spaces.

    Symbols stay: the two halves of a contrast pair may differ in one emoji.
    """
    texts = (f"{name}={unicodedata.normalize('NFC', text)}" for name, text in item.inputs.items())
    return " ".join("\n".join(texts).casefold().split())


def cleaned(material: Material) -> Material:
    """Return the material with every input in one place only.

    Scored sets keep everything; the pool loses what they hold and what it holds twice, the
    base what either holds.
    """
    scored = {comparable(item) for one in material.sets for item in one.items}
    pool, pool_lost = _without(material.pool, scored)
    base, base_lost = _without(material.base, scored | {comparable(item) for item in pool})
    lost = {"of the pool": pool_lost, "of the base": base_lost}
    return replace(material, pool=pool, base=base, left_out={**material.left_out, **lost})


def _without(items: Iterable[Item], taken: AbstractSet[str]) -> tuple[tuple[Item, ...], int]:
    """Return the items that are neither taken nor repeat another one, and how many were."""
    kept: dict[str, Item] = {}
    count = 0
    for item in items:
        count += 1
        text = comparable(item)
        if text not in taken:
            kept.setdefault(text, item)
    return tuple(kept.values()), count - len(kept)
