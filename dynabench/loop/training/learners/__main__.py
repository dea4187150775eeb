"""Trains one model: reads the order and the items in a folder, writes the model beside them.

Run as `python -m dynabench.loop.training.learners FOLDER`. Writes a JSON line for each
progress, and for the reason if the data does not suffice. It ends when its standard input
does: whoever started it is gone then, however that came about.
"""

import json
import os
import shutil
import sys
import threading
import time
from pathlib import Path

from dynabench.engines.baselines.errors import RecipeOptionsError, TrainingDataError
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import TrainingItem
from dynabench.kit.machine import describe_machine
from dynabench.kit.packages import installed_versions, lock_digest
from dynabench.kit.sentences import Phrase, Sentence
from dynabench.loop.training.learners.rules import read_items
from dynabench.loop.training.learners.values import (
    ITEMS_FILE,
    MODEL_FOLDER,
    ORDER_FILE,
    REFUSED,
    RESULT_FILE,
    STATES_FOLDER,
    SUCCESS,
    LearningOrder,
)

_READING = Phrase("learning.reading_items", "reading the items").say()

_ORPHANED = 4
_STANDARD_INPUT = 0
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch", "transformers", "tokenizers")
_FINE_TUNING_LIBRARIES = {"torch", "transformers", "tokenizers"}


def _tell(share: float, doing: str) -> None:
    assert sys.__stdout__ is not None, "whoever started this reads it"
    told = doing.told.model_dump() if isinstance(doing, Sentence) else None
    sys.__stdout__.write(json.dumps([share, doing, told]) + "\n")
    sys.__stdout__.flush()


def _end_with_parent() -> None:
    """Have this process end as soon as nobody holds the other end of its standard input."""

    def watch() -> None:
        # Not through sys.stdin, whose lock the end of the process would wait for.
        while os.read(_STANDARD_INPUT, 1024):
            pass
        os._exit(_ORPHANED)

    threading.Thread(target=watch, daemon=True).start()


def main(folder: Path) -> int:
    """Train and save; returns the exit status."""
    begun = time.monotonic()
    order = LearningOrder.of_json(json.loads((folder / ORDER_FILE).read_text(encoding="utf-8")))
    # What a process that was killed has left of its model.
    shutil.rmtree(folder / MODEL_FOLDER, ignore_errors=True)
    _tell(0.0, _READING)
    with (folder / ITEMS_FILE).open(encoding="utf-8", newline="\n") as lines:
        items, digest = read_items(lines)
    try:
        _learn(order, items, folder)
    except (TrainingDataError, RecipeOptionsError) as error:
        _tell(0.0, error.message)
        return REFUSED
    result = {
        "items_digest": digest,
        "examples": sum(item.weight for item in items),
        "seconds": round(time.monotonic() - begun, 1),
        "environment": _environment(order),
    }
    (folder / RESULT_FILE).write_text(json.dumps(result), encoding="utf-8")
    return SUCCESS


def _learn(order: LearningOrder, items: list[TrainingItem], folder: Path) -> None:
    if order.fine_tuning is None:
        model = train(
            order.recipe,
            items,
            config=order.config,
            seed=order.seed,
            progress=_tell,
            options=order.options,
        )
        model.save(folder / MODEL_FOLDER)
        return
    # Its libraries are large, and need not be installed for the other recipes.
    from dynabench.engines.finetuning.training import Folders, fine_tune  # noqa: PLC0415

    assert order.checkpoint is not None, "a recipe that fine-tunes starts from something"
    folders = Folders(
        checkpoint=Path(order.checkpoint),
        states=folder / STATES_FOLDER,
        model=folder / MODEL_FOLDER,
    )
    fine_tune(items, order.fine_tuning, folders, progress=_tell)


def _environment(order: LearningOrder) -> dict[str, object]:
    machine = describe_machine()
    used = [
        name
        for name in _LIBRARIES
        if order.fine_tuning is not None or name not in _FINE_TUNING_LIBRARIES
    ]
    return {
        "python": machine["python"],
        "packages": installed_versions(used),
        "lock_digest": lock_digest(),
        "processor": machine["processor"],
        "architecture": machine["architecture"],
    }


if __name__ == "__main__":
    _end_with_parent()
    # Whatever a library prints is no progress.
    sys.stdout = sys.stderr
    sys.exit(main(Path(sys.argv[1])))
