"""Answers remembered per model digest, so that asking the same again costs nothing."""

from collections import OrderedDict

from dynabench.engines.inference.protocol import Prediction


class PredictionCache:
    """The most recently used answers, at most `max_entries` of them; errors are not kept.

    Target models are taken to be deterministic: an OpenAI-compatible one is asked at
    temperature 0, and an annotator who repeats an input must see the same answer.
    """

    def __init__(self, *, max_entries: int) -> None:
        self._max_entries = max_entries
        self._entries: OrderedDict[tuple[str, str], Prediction] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, *, model_digest: str, input_digest: str) -> Prediction | None:
        """Return the remembered answer, if any."""
        key = (model_digest, input_digest)
        prediction = self._entries.get(key)
        if prediction is not None:
            self._entries.move_to_end(key)
        return prediction

    def put(self, prediction: Prediction, *, model_digest: str, input_digest: str) -> None:
        """Remember an answer; the one unused for longest makes room."""
        if prediction.error is not None:
            return
        self._entries[model_digest, input_digest] = prediction
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)
