"""What can go wrong with files of predictions."""

from collections.abc import Sequence

from dynabench.kit.errors import ConflictError, InvalidError
from dynabench.loop.evaluations.prediction_files.values import LineProblem


class PredictionFileError(InvalidError):
    """Lines of a file are wrong; nothing of it was stored."""

    code = "evaluations.prediction_file_invalid"

    def __init__(self, *, problems: Sequence[LineProblem], more: int = 0) -> None:
        told = [problem.to_json() for problem in problems]
        rest = more + len(problems) - 1
        also = f" And {rest:,} more." if rest else ""
        super().__init__(
            f"{problems[0]}{also} Nothing was stored; correct the file and send it again.",
            problems=told,
            more=more,
        )


class NotPredictionsError(ConflictError):
    """Only models of the kind predictions have such files."""

    code = "evaluations.not_predictions"

    def __init__(self, *, kind: str) -> None:
        super().__init__(
            f"A model of kind “{kind}” answers by itself. Submit a model of kind “predictions” to "
            "hand in files of answers.",
            kind=kind,
        )


class PredictionsThereError(ConflictError):
    """The model has another file for this dataset version already."""

    code = "evaluations.predictions_there"

    def __init__(self, *, name: str, dataset: str) -> None:
        super().__init__(
            f"“{name}” has its file for {dataset} already, and a version never changes. Submit "
            "under the same name again, and hand the new file in to that version.",
            name=name,
            dataset=dataset,
        )
