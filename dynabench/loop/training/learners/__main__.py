"""Trains one model: reads the order and the items in a folder, writes the model beside them.

Run as `python -m dynabench.loop.training.learners FOLDER`. Writes a JSON line for each
progress, and for the reason if the data does not suffice.
"""

import json
import sys
from pathlib import Path

from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import ConfigSummary, TrainingItem
from dynabench.loop.training.learners.values import (
    ITEMS_FILE,
    MODEL_FOLDER,
    ORDER_FILE,
    REFUSED,
    SUCCESS,
)


def _tell(share: float, doing: str) -> None:
    sys.stdout.write(json.dumps([share, doing]) + "\n")
    sys.stdout.flush()


def main(folder: Path) -> int:
    """Train and save; returns the exit status."""
    order = json.loads((folder / ORDER_FILE).read_text(encoding="utf-8"))
    with (folder / ITEMS_FILE).open(encoding="utf-8") as lines:
        items = [TrainingItem(**json.loads(line)) for line in lines]
    try:
        model = train(
            order["recipe"],
            items,
            config=ConfigSummary.from_json(order["config"]),
            seed=order["seed"],
            progress=_tell,
        )
    except TrainingDataError as error:
        _tell(0.0, error.message)
        return REFUSED
    model.save(folder / MODEL_FOLDER)
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
