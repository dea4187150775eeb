"""Decisions about the lines of a file of predictions."""

from collections.abc import Mapping, Sequence

from dynabench.engines.row_files.values import Row, RowProblem
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.evaluations.prediction_files.values import MOST_PROBLEMS, UID, LineProblem
from dynabench.loop.evaluations.values import SCORED_SPLITS
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig

_LONGEST_UID = 200


class FileCheck:
    """Goes through a file line by line, and knows what of a version it has answered.

    Every item of `test` needs its line; those of `dev` may be left out, but only together.
    Lines about `train` are refused: nothing is scored there.
    """

    def __init__(self, config: TaskConfig, *, sizes: Mapping[Split, int]) -> None:
        self._config = config
        self._sizes = sizes
        self._seen: dict[str, int] = {}
        self._answered = dict.fromkeys(SCORED_SPLITS, 0)
        self._problems: list[LineProblem] = []
        self._more = 0

    @property
    def problems(self) -> Sequence[LineProblem]:
        """What is wrong, of which at most a hundred are kept."""
        return self._problems

    @property
    def more(self) -> int:
        """How many further problems were counted."""
        return self._more

    @property
    def items(self) -> int:
        """How many items the file answers."""
        return sum(self._answered.values())

    def uids_of(self, rows: Sequence[Row | RowProblem]) -> list[str]:
        """Return the items that some lines are about."""
        uids = (row.values.get(UID) for row in rows if isinstance(row, Row))
        return [uid for uid in uids if isinstance(uid, str)]

    def add(self, rows: Sequence[Row | RowProblem], items: Mapping[str, DatasetItem]) -> None:
        """Check some lines; `items` are those of the dataset that they are about."""
        for row in rows:
            if isinstance(row, RowProblem):
                self.note(LineProblem(row.line, None, row.column, row.sentence))
            else:
                self._add(row, items)

    def missing_splits(self) -> list[Split]:
        """Return the splits that are answered in part, of which the missing items are to be told.

        Nobody is told of `dev` who left it out wholly.
        """
        found = []
        for split, answered in self._answered.items():
            is_needed = split is Split.TEST or answered > 0
            if is_needed and answered < self._sizes.get(split, 0):
                found.append(split)
        return found

    def add_missing(self, items: Sequence[DatasetItem]) -> None:
        """Note those of the items that no line was about."""
        for item in items:
            if item.uid not in self._seen:
                told = f"There is no line for this item of {item.split.value}."
                self.note(LineProblem(None, item.uid, None, told))

    def note(self, problem: LineProblem) -> None:
        """Keep a problem, or count it where there are many."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)
        else:
            self._more += 1

    def _add(self, row: Row, items: Mapping[str, DatasetItem]) -> None:
        uid = row.values.get(UID)
        if not isinstance(uid, str) or not uid:
            told = "The line needs the item's uid, a text, as the dataset's download has it."
            self.note(LineProblem(row.line, None, UID, told))
            return
        shown = uid[:_LONGEST_UID]
        if uid in self._seen:
            told = f"Line {self._seen[uid]} is about this item already."
            self.note(LineProblem(row.line, shown, None, told))
            return
        item = items.get(uid)
        if item is None:
            self.note(LineProblem(row.line, shown, None, "The dataset has no such item."))
            return
        if item.split not in self._answered:
            told = f"The item is of {item.split.value}, where nothing is scored. Leave it out."
            self.note(LineProblem(row.line, shown, None, told))
            return
        self._seen[uid] = row.line
        self._answered[item.split] += 1
        outputs = {name: value for name, value in row.values.items() if name != UID}
        try:
            self._config.check_prediction(outputs, context={**item.context, **item.inputs})
        except FieldValueError as error:
            for name, sentence in error.fields.items():
                self.note(LineProblem(row.line, shown, name.removeprefix("outputs."), sentence))
