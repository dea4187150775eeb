"""What the scripted people write: honest texts of the catalogue, drawn by a seed."""

import json
import random
from dataclasses import dataclass
from importlib.resources import files

Values = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedText:
    """A text about one context, with the answer that its writer holds to be right."""

    context: Values
    inputs: Values
    answer: Values


def _lines(slug: str, name: str) -> list[Values]:
    path = files("dynabench.catalog").joinpath("tasks", slug, name)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def texts_of_round(slug: str, number: int, *, chance: random.Random) -> list[ScriptedText]:
    """Return what is written in a round: nine in ten of its texts, in an order by chance."""
    contexts = _lines(slug, "contexts.jsonl")
    found = []
    for line in _lines(slug, f"demo_round{number}.jsonl"):
        index = line["context_index"]
        assert isinstance(index, int)
        context, inputs, answer = contexts[index]["context"], line["inputs"], line["answer"]
        assert isinstance(context, dict)
        assert isinstance(inputs, dict)
        assert isinstance(answer, dict)
        found.append(ScriptedText(context=context, inputs=inputs, answer=answer))
    chance.shuffle(found)
    return found[: round(len(found) * 0.9)]


def key_of(values: Values) -> str:
    """Return values as one text, equal for equal values."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False)
