"""Contexts that name files of this machine: each is uploaded once, and named by its digest."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dynabench.client.addresses import TaskRef
from dynabench.client.calls import exchange, get, path, read
from dynabench.client.files import Rows, upload_file
from dynabench.client.steps import Steps
from dynabench.engines.row_files.separated_values import read_separated_values
from dynabench.engines.row_files.values import RowProblem
from dynabench.kit.errors import InvalidError
from dynabench.loop.contexts.schemas import ContextRead
from dynabench.loop.media.schemas import MediaRead
from dynabench.loop.tasks.schemas import TaskRead

_SEPARATED = frozenset({".csv", ".tsv"})
_MEDIA = frozenset({"image", "audio"})


def with_uploads(
    task: TaskRef, source: str | Path | Rows | Iterable[ContextRead]
) -> Steps[str | Path | Rows]:
    """Upload what `{"file": "pictures/a.png"}` names, and return the contexts that follow.

    Paths are relative to the folder of the file of contexts, or to the current one for
    rows, and may not leave it. A source that names no file is returned as it is.

    Raises:
        InvalidError: If a file is not there, lies outside the folder, or is no picture or
            sound that is taken; with the line.
    """
    if isinstance(source, str | Path):
        if Path(source).suffix.lower() in _SEPARATED:
            task_read = yield from get(path("tasks", task), TaskRead)
            rows = _rows_of_table(Path(source), fields=_fields_of(task_read))
            return (yield from _uploaded(task, rows, folder=Path(source).parent))
        if not _mentions_files(Path(source)):
            return source
        return (yield from _uploaded(task, _rows_of(Path(source)), folder=Path(source).parent))
    rows = (_row_of(row) if isinstance(row, ContextRead) else row for row in source)
    return (yield from _uploaded(task, rows, folder=Path.cwd()))


def _row_of(context: ContextRead) -> Mapping[str, object]:
    return {"context": context.context, "tag": context.tag, "metadata": context.metadata}


def _uploaded(task: TaskRef, rows: Rows, *, folder: Path) -> Steps[Rows]:
    digests: dict[Path, str] = {}
    done: list[Mapping[str, object]] = []
    for line, row in enumerate(rows, start=1):
        context = row.get("context")
        changed: dict[str, object] = {}
        for name, value in context.items() if isinstance(context, Mapping) else ():
            if isinstance(value, Mapping) and "file" in value:
                file = _found(folder, value["file"], line=line, name=str(name))
                if file not in digests:
                    digests[file] = yield from _upload(task, file, line=line, name=str(name))
                rest = {key: one for key, one in value.items() if key != "file"}
                changed[str(name)] = {"media": digests[file], **rest}
        done.append(
            {**row, "context": {**context, **changed}} if isinstance(context, Mapping) else row
        )
    return done


def _upload(task: TaskRef, file: Path, *, line: int, name: str) -> Steps[str]:
    try:
        answer = yield from exchange(upload_file(path("tasks", task, "media"), file))
    except InvalidError as refused:
        # Of many files this one is meant, which the server does not know by its name.
        sentence = f"Line {line}, {name}: “{file.name}”: {refused.message}"
        raise InvalidError(sentence, fields={f"context.{name}": sentence}) from refused
    return read(answer, MediaRead).digest


def _found(folder: Path, named: object, *, line: int, name: str) -> Path:
    file = (folder / str(named)).resolve()
    # Contexts may come from somebody else, whose paths must not reach other files.
    if not file.is_relative_to(folder.resolve()):
        reason = f"“{named}” lies outside the folder of the contexts; move the file into it."
    elif not file.is_file():
        reason = f"there is no file “{named}” in {folder}."
    else:
        return file
    sentence = f"Line {line}, {name}: {reason}"
    raise InvalidError(sentence, fields={f"context.{name}": sentence})


def _mentions_files(source: Path) -> bool:
    with source.open("rb") as lines:
        return any(b'"file"' in line for line in lines)


def _fields_of(task: TaskRead) -> dict[str, bool]:
    """Return the fields of a context, and whether each holds a picture or a sound."""
    found = task.config.get("context")
    fields = found if isinstance(found, list) else []
    return {str(one["name"]): one.get("type") in _MEDIA for one in fields}


def _rows_of_table(source: Path, *, fields: Mapping[str, bool]) -> Iterator[Mapping[str, object]]:
    """Give the rows of a CSV file: columns are fields, `tag`, or else part of the metadata."""
    with source.open("rb") as lines:
        for row in read_separated_values(lines):
            if isinstance(row, RowProblem):
                sentence = f"Line {row.line or 1}: {row.sentence}"
                raise InvalidError(sentence, fields={"file": sentence})
            cells = {name.strip(): str(cell) for name, cell in row.values.items()}
            context = {
                name: _media(cells[name]) if is_media else cells[name]
                for name, is_media in fields.items()
                if name in cells
            }
            if not context:
                named = ", ".join(fields)
                sentence = f"Line {row.line}: no column is a field of the task. They are: {named}."
                raise InvalidError(sentence, fields={"file": sentence})
            rest = {name: cell for name, cell in cells.items() if name not in {*fields, "tag"}}
            tag = {"tag": cells["tag"]} if "tag" in cells and "tag" not in fields else {}
            yield {"context": context, **tag, **({"metadata": rest} if rest else {})}


def _media(cell: str) -> dict[str, str]:
    return {"url": cell} if cell.startswith(("http://", "https://")) else {"file": cell}


def _rows_of(source: Path) -> Iterator[Mapping[str, object]]:
    with source.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line) if line.strip() else None
            except (ValueError, RecursionError):
                row = ()
            if row is None:
                continue
            if not isinstance(row, dict):
                sentence = f"Line {number} is no JSON object; write one context a line."
                raise InvalidError(sentence, fields={"file": sentence})
            yield row
