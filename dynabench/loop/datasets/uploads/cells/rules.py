"""What a cell of text means to a field, and a word of the file to a choice."""

from collections.abc import Mapping

import orjson

from dynabench.science.task_config.elements import Field

LIST_SIGN = "|"

_TEXTS = frozenset({"string", "multiclass", "context_string_selection"})
_NUMBERS = frozenset({"number", "rating"})


def value_of_cell(field: Field, cell: str) -> object:
    """Return what a cell says for a field.

    Texts are taken as they stand, numbers are read, several labels stand between `|`, and
    everything else is JSON. What cannot be read so is left for the field's check to refuse.
    """
    kind = field.type.type_name
    if kind in _TEXTS:
        return cell
    if kind in _NUMBERS:
        return _number(cell)
    if kind == "multilabel" and not cell.lstrip().startswith("["):
        return words_of_cell(cell)
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError:
        return cell


def words_of_cell(cell: str) -> list[str]:
    """Return the words that stand between `|`.

    Example:
        >>> words_of_cell("news | short")
        ['news', 'short']
    """
    return [word.strip() for word in cell.split(LIST_SIGN) if word.strip()]


def labelled(value: object, labels: Mapping[str, str]) -> object:
    """Return a value with the file's words for labels replaced by the task's, also in lists.

    Example:
        >>> labelled([0, "e"], {"0": "yes", "e": "no"})
        ['yes', 'no']
    """
    if isinstance(value, list):
        return [labelled(one, labels) for one in value]
    if isinstance(value, str | int) and not isinstance(value, bool):
        return labels.get(str(value), value)
    return value


def _number(cell: str) -> object:
    try:
        return int(cell)
    except ValueError:
        try:
            return float(cell)
        except ValueError:
            return cell
