"""What was brought together."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from dynabench.loop.training.values import Ingredient

GATHERED_FILE = "gathered.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What the file of items holds.

    Attributes:
        items: How many items, each counted once.
        answers: The different gold answers of tasks with labels.
        ingredients: What each part brought.
        starter_digest: The digest of the starter data, if it is among them.
    """

    items: int
    answers: tuple[str, ...]
    ingredients: tuple[Ingredient, ...]
    starter_digest: str | None

    def to_json(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        return {
            "items": self.items,
            "answers": [*self.answers],
            "ingredients": [one.to_json() for one in self.ingredients],
            "starter_digest": self.starter_digest,
        }

    @classmethod
    def of_json(cls, told: Mapping[str, JsonValue]) -> "Gathered":
        """Read what `to_json` wrote."""
        answers, ingredients, starter = (
            told["answers"],
            told["ingredients"],
            told["starter_digest"],
        )
        assert isinstance(answers, list)
        assert isinstance(ingredients, list)
        return cls(
            items=int(str(told["items"])),
            answers=tuple(str(one) for one in answers),
            ingredients=tuple(
                Ingredient.of_json(one) for one in ingredients if isinstance(one, dict)
            ),
            starter_digest=None if starter is None else str(starter),
        )

    def save(self, folder: Path) -> None:
        """Write it beside the items, which says that they are complete."""
        unfinished = folder / f"{GATHERED_FILE}.new"
        unfinished.write_text(json.dumps(self.to_json()), encoding="utf-8")
        unfinished.rename(folder / GATHERED_FILE)

    @classmethod
    def load(cls, folder: Path) -> "Gathered | None":
        """Read what `save` wrote; None where the items are not complete."""
        try:
            told = json.loads((folder / GATHERED_FILE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return cls.of_json(told)
