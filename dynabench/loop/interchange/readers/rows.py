"""One row of a source: its fields, each fetched with its type or a sentence that says where."""

from collections.abc import Collection, Mapping

from dynabench.loop.interchange.errors import SourceFileError
from dynabench.science.task_config.mapping_reader import kind_of
from dynabench.science.task_config.problems import list_names

WRONG_FORMAT = "is this file in the format that was named?"


class Row:
    """A line's fields; what a reader asks of it is there and of the right type, or it raises.

    Every method raises `SourceFileError` with file, line and field.
    """

    def __init__(self, values: Mapping[str, object], *, file: str, line: int) -> None:
        self._values = values
        self.file = file
        self.line = line

    def error(self, field: str, reason: str) -> SourceFileError:
        """Return what is wrong with a field, to be raised."""
        return SourceFileError(file=self.file, line=self.line, field=field, reason=reason)

    def has(self, field: str) -> bool:
        """Tell whether the row says anything under a name."""
        return self._values.get(field) is not None

    def text(self, field: str) -> str:
        """Return a text that is not empty."""
        value = self._get(field)
        if not isinstance(value, str):
            raise self.error(field, f"It must be a text, not {kind_of(value)}.")
        if not value.strip():
            raise self.error(field, "It is empty.")
        return value

    def optional_text(self, field: str) -> str | None:
        """Return a text, None where there is none or it is empty."""
        value = self._values.get(field)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.error(field, f"It must be a text, not {kind_of(value)}.")
        return value if value.strip() else None

    def number(self, field: str) -> int:
        """Return a whole number, written as one or as text."""
        value = self._get(field)
        if isinstance(value, str) and value.isascii() and value.isdecimal():
            return int(value[:18])
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(field, f"It must be a whole number, not {kind_of(value)}.")
        return value

    def label(self, field: str, labels: Mapping[str, str]) -> str:
        """Return our name of a label of theirs."""
        return self._label(field, self._get(field), labels)

    def labels(self, field: str, labels: Mapping[str, str]) -> list[str]:
        """Return our names of a list of labels of theirs."""
        return [
            self._label(f"{field}[{place}]", one, labels)
            for place, one in enumerate(_as_list(self, field, self._get(field)))
        ]

    def names_by_label(self, field: str, labels: Mapping[str, str]) -> dict[str, list[str]]:
        """Return for each label of ours whose names stand under it."""
        found: dict[str, list[str]] = {}
        for label, names in self.mapping(field).items():
            ours = self._label(field, label, labels)
            place = f"{field}.{label}"
            for name in _as_list(self, place, names):
                if not isinstance(name, str) or not name.strip():
                    raise self.error(place, f"It must list names, not {kind_of(name)}.")
                found.setdefault(ours, []).append(name)
        return found

    def objects(self, field: str) -> list[Mapping[str, object]]:
        """Return a list of objects."""
        found: list[Mapping[str, object]] = []
        for place, one in enumerate(_as_list(self, field, self._get(field))):
            if not isinstance(one, dict):
                raise self.error(f"{field}[{place}]", f"It must be an object, not {kind_of(one)}.")
            found.append(one)
        return found

    def require_known(self, fields: Collection[str]) -> None:
        """Refuse a field that nobody would read, such as a misspelt one."""
        for name in self._values:
            if name not in fields:
                raise self.error(name, f"There is no such field; there are {list_names(fields)}.")

    def mapping(self, field: str) -> Mapping[str, object]:
        """Return an object."""
        value = self._get(field)
        if not isinstance(value, dict):
            raise self.error(field, f"It must be an object, not {kind_of(value)}.")
        return value

    def _get(self, field: str) -> object:
        if field not in self._values:
            raise self.error(field, f"It is missing; {WRONG_FORMAT}")
        value = self._values[field]
        if value is None:
            raise self.error(field, "It is null.")
        return value

    def _label(self, place: str, value: object, labels: Mapping[str, str]) -> str:
        if isinstance(value, str) and value in labels:
            return labels[value]
        raise self.error(place, f"It must be one of {list_names(labels)}, not {kind_of(value)}.")


def _as_list(row: Row, field: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise row.error(field, f"It must be a list, not {kind_of(value)}.")
    return value
