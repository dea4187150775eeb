"""A model's results by name, as in `results["round1_acc"]`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

# What pandas makes has no types here.
from typing import Any
from uuid import UUID

from dynabench.client.lists import frame_of
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.schemas import ScoreRead
from dynabench.loop.leaderboards.schemas import StandingRead

DYNASCORE = "dynascore"

_SHORT_NAMES = {"accuracy": "acc"}


@dataclass(frozen=True)
class Results(Mapping[str, float | None]):
    """A model's results in points, 0 to 100 but for the Dynascore; None where there is no value.

    `round1_acc` is the accuracy on round 1's test split; other metrics stand under their
    own names, such as `round1_squad_f1`. Of several releases of a round the latest
    counts. `dynascore` is always there: on the task's board with its default weights, among
    the published models.

    Attributes:
        model_id: Whose results they are.
        scores: The scores in full, with intervals and counts, by the same names.
        standing: The model's place on the board, with the Dynascore's interval and ranks.
        reasons: Why a value is None.
    """

    model_id: UUID
    scores: Mapping[str, ScoreRead]
    standing: StandingRead
    reasons: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, model_id: UUID, scores: Iterable[ScoreRead], standing: StandingRead) -> "Results":
        """Pick a model's results from the scores of its task."""
        chosen: dict[str, ScoreRead] = {}
        reasons = {} if standing.reason is None else {DYNASCORE: standing.reason}
        for score in sorted(scores, key=lambda score: score.evaluated_at):
            is_wanted = score.model_id == model_id and score.split == Split.TEST
            if is_wanted and score.round_number is not None:
                metric = _SHORT_NAMES.get(score.metric, score.metric)
                chosen[f"round{score.round_number}_{metric}"] = score
        reasons |= {
            name: f"None of the {score.items} items of {score.dataset_name} has a value."
            for name, score in chosen.items()
            if score.value is None
        }
        return cls(model_id=model_id, scores=chosen, standing=standing, reasons=reasons)

    def to_frame(self) -> Any:
        """Return the scores as a pandas DataFrame, one row each."""
        return frame_of(list(self.scores.values()))

    def __repr__(self) -> str:
        return f"<Results: {', '.join(f'{name} {value}' for name, value in self.items())}>"

    def __getitem__(self, name: str) -> float | None:
        if name == DYNASCORE:
            return self.standing.dynascore
        if name not in self.scores:
            message = f"There is no result {name!r}; there are {', '.join(self)}."
            raise KeyError(message)
        return self.scores[name].value

    def __iter__(self) -> Iterator[str]:
        yield DYNASCORE
        yield from self.scores

    def __len__(self) -> int:
        return len(self.scores) + 1
