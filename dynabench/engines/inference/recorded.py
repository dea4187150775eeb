"""The `recorded` adapter: answers given before, looked up by the digest of the input."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.outputs import checked_prediction
from dynabench.engines.inference.protocol import (
    Description,
    ModelInput,
    Prediction,
    TargetSpec,
    digest_of,
)


class RecordedTarget:
    """Answers from a table, for replays and for demonstrations of models that cannot run here.

    Options: `answers` (input digest -> output fields), or `path` to a JSON Lines file with
    `{"input_digest": …, "outputs": {…}}`. The digest is `digest_of` the visible fields.
    """

    def __init__(self, spec: TargetSpec) -> None:
        self._spec = spec
        self._answers: Mapping[str, object] | None = None
        if "answers" in spec.options:
            answers = spec.options["answers"]
            if not isinstance(answers, Mapping):
                sentence = "The model's setting 'answers' must map input digests to answers."
                raise TargetSpecError(sentence, fields={"answers": sentence})
            self._answers = answers
        else:
            spec.option("path")

    async def describe(self) -> Description:
        """Return the spec's description."""
        self._table()
        return self._spec.describe()

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Look each input up; one that is not recorded is an error."""
        return [self._answer(item) for item in batch]

    async def close(self) -> None:
        """Do nothing: there is nothing to let go."""

    def _answer(self, model_input: ModelInput) -> Prediction:
        raw = self._table().get(digest_of(self._spec.visible(model_input)))
        if raw is None:
            return Prediction(error="No answer to this input is recorded.")
        return checked_prediction(self._spec, raw, latency_seconds=0.0)

    def _table(self) -> Mapping[str, object]:
        if self._answers is None:
            path = Path(self._spec.option("path"))
            try:
                with path.open(encoding="utf-8") as lines:
                    rows = [json.loads(line) for line in lines if line.strip()]
                self._answers = {row["input_digest"]: row["outputs"] for row in rows}
            except (OSError, ValueError, KeyError, TypeError) as error:
                sentence = f"The recorded answers cannot be read: {error}."
                raise TargetSpecError(sentence, fields={"path": sentence}) from error
        return self._answers
