"""The demo's numbers as a printed table and as JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dynabench.app.demo.play import PlayedRound
from dynabench.loop.evaluations.schemas import ScoreRead
from dynabench.loop.validations.schemas import RateRead

_PER_CENT = 100


def _rate(rate: RateRead) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "–"
    return (
        f"{rate.value * _PER_CENT:.1f} % ({rate.low * _PER_CENT:.1f} to "
        f"{rate.high * _PER_CENT:.1f}; {rate.part} of {rate.whole})"
    )


def print_rounds(console: Console, played: Sequence[PlayedRound]) -> None:
    """Print what each round collected and how hard its target was."""
    table = Table(title="Rounds", caption="MER and vMER with 95 % intervals and counts")
    for heading in ("task", "round", "target", "collected", "MER", "vMER", "Krippendorff's α"):
        table.add_column(heading)
    for one in played:
        alpha = one.agreement.krippendorff_alpha
        table.add_row(
            one.task,
            str(one.number),
            one.target,
            str(one.error_rate.collected),
            _rate(one.error_rate.model_error_rate),
            _rate(one.error_rate.validated_model_error_rate),
            "–" if alpha is None else f"{alpha:.2f}",
        )
    console.print(table)


def print_scores(console: Console, scores: dict[str, list[ScoreRead]]) -> None:
    """Print both models on both rounds: the principal metric on the test splits."""
    table = Table(
        title="Models on rounds",
        caption="Principal metric, 0-100, on each round's test split, with 95 % intervals. "
        "A round is biased against its own target.",
    )
    for heading in ("task", "model", "round", "metric", "score", "items"):
        table.add_column(heading)
    for task, found in scores.items():
        for score in _principal(found):
            value = "–" if score.value is None else f"{score.value:.1f}"
            if score.low is not None and score.high is not None:
                value += f" ({score.low:.1f} to {score.high:.1f})"
            table.add_row(
                task,
                f"{score.model_name} v{score.model_version}",
                str(score.round_number),
                score.metric,
                value,
                str(score.items),
            )
    console.print(table)


def _principal(scores: Sequence[ScoreRead]) -> list[ScoreRead]:
    chosen = [
        score
        for score in scores
        if score.is_principal and score.split == "test" and score.round_number is not None
    ]
    return sorted(chosen, key=lambda one: (one.round_number or 0, one.model_name))


def write_json(
    path: Path, *, seed: int, played: Sequence[PlayedRound], scores: dict[str, list[ScoreRead]]
) -> None:
    """Write the same numbers as JSON; ids and times are left out, so that runs compare."""
    document = {
        "seed": seed,
        "rounds": [
            {
                "task": one.task,
                "round": one.number,
                "target": one.target,
                "refused": one.refused,
                "error_rate": one.error_rate.model_dump(mode="json", exclude={"round_id", "as_of"}),
                "agreement": one.agreement.model_dump(mode="json"),
            }
            for one in played
        ],
        "scores": {
            task: [
                score.model_dump(
                    mode="json", exclude={"model_id", "dataset_version_id", "evaluated_at"}
                )
                for score in _principal(found)
            ]
            for task, found in scores.items()
        },
    }
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
