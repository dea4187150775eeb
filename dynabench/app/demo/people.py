"""Scripted people: each has an opinion of their own, a seeded error rate, and no model."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench.app.demo.scripts import ScriptedText, Values, key_of

WRITERS = ("ada", "benoit", "chinua", "dorothea", "emeka", "fatima")
VALIDATORS = ("gabriel", "hedda", "ines", "jorge", "kaede")


@dataclass(frozen=True, slots=True)
class Opinion:
    """Answers the way one person would.

    Attributes:
        name: The person's name.
        error_rate: How often their answer is not the honest one.
        chance: Their own dice, so that nobody's draws depend on anybody else's.
    """

    name: str
    error_rate: float
    chance: random.Random

    def answer(self, text: ScriptedText, *, labels: Sequence[str]) -> Values:
        """Return the answer that this person gives: the honest one, or a slip."""
        if self.chance.random() >= self.error_rate:
            return dict(text.answer)
        return _slip(text, labels=labels, chance=self.chance)


def _slip(text: ScriptedText, *, labels: Sequence[str], chance: random.Random) -> Values:
    """Return a wrong answer of the right shape: another label, or another part of the text."""
    wrong: Values = {}
    for name, value in text.answer.items():
        if isinstance(value, dict):
            wrong[name] = _other_words(text.context, chance=chance)
        else:
            wrong[name] = chance.choice([label for label in labels if label != value])
    return wrong


def _other_words(context: Mapping[str, object], *, chance: random.Random) -> Values:
    passage = max((str(value) for value in context.values()), key=len)
    start = chance.choice([0, *(i + 1 for i, mark in enumerate(passage) if mark == " ")])
    end = passage.find(" ", start + 1)
    end = len(passage) if end < 0 else end
    return {"text": passage[start:end], "start": start, "end": end}


def opinion_of(name: str, *, task: str, seed: int) -> Opinion:
    """Return a person's opinion in a task: writers slip up to 8 %, validators up to 14 %."""
    chance = random.Random(f"{seed}/{task}/{name}")  # noqa: S311 - a script, not a secret
    most = 0.08 if name in WRITERS else 0.14
    return Opinion(name, chance.uniform(0.02, most), chance)


class Memory:
    """What scripted validators know: the honest answer to each text, by heart."""

    def __init__(self, texts: Sequence[ScriptedText]) -> None:
        self._by_text = {key_of({"c": text.context, "i": text.inputs}): text for text in texts}

    def recall(self, *, context: Values, inputs: Values) -> ScriptedText | None:
        """Return the script of a text that was handed out."""
        return self._by_text.get(key_of({"c": context, "i": inputs}))
