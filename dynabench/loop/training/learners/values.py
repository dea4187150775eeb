"""What goes into the learning process and what comes back."""

from dataclasses import dataclass

ITEMS_FILE = "items.jsonl"
ORDER_FILE = "order.json"
MODEL_FOLDER = "model"
SUCCESS, REFUSED = 0, 3


@dataclass(frozen=True, slots=True)
class Told:
    """One line that the process writes: how far it is, or why it refuses."""

    share: float
    doing: str
