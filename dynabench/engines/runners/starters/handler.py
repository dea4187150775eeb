"""The `model.py` of a handler: readable, valid for its task from the first line, and ignorant."""

from dynabench.engines.runners.starters.values import NoStarterError, Starter
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.number import NumberType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.schema import TaskConfig

_NOTHING_YET = "I have not learned this yet."

_HEAD = '''\
"""A model for Dynabench. It gives the same answer to everything: make it better.

`load` is called once; `predict` gets up to 64 inputs at a time and returns one answer for each,
in their order. What is printed goes to the log. There is no network, and only /tmp can be
written to.
"""

# Task: {title}

from pathlib import Path
{constants}

def load(path):
    """Read weights and whatever else lies in this folder, before the first input comes."""
    folder = Path(path)
    print(f"loaded from {{folder.name}}")


def predict(batch):
    """Answer a batch of inputs."""
    return [answer(item) for item in batch]


def answer(item):
    """Answer one input."""
'''

_FIRST_WORDS = '''

def first_words(text):
    """Return the first word of a text, and where it stands."""
    word = (text.split() or [text])[0]
    start = text.index(word)
    return {"text": word, "start": start, "end": start + len(word)}
'''


def model_source(starter: Starter) -> str:
    """Return a `model.py` that answers every input of the task validly.

    Raises:
        NoStarterError: If an output can be nothing that is known here.
    """
    config = starter.config
    lists = _label_lists(config)
    constants = "".join(
        f"\n{name} = {_listed(config.labels_of(field))}" for field, name in lists.items()
    )
    lines = [
        *(f"    # item[{_quoted(one.name)}]: {_seen(one)}" for one in _visible(config)),
        "    return {",
        *(f"        {_quoted(one.name)}: {_value(one, lists)}," for one in config.output),
        "    }",
    ]
    head = _HEAD.format(title=starter.title, constants=f"{constants}\n" if constants else "")
    needs_words = any(isinstance(one.type, SelectionType) for one in config.output)
    return head + "\n".join(lines) + "\n" + (_FIRST_WORDS if needs_words else "")


def _visible(config: TaskConfig) -> tuple[Field, ...]:
    return config.model_input_fields


def _label_lists(config: TaskConfig) -> dict[str, str]:
    """Return the name of the constant for each output with labels."""
    kinds = (MulticlassType, MultilabelType, SpansType)
    named = [one.name for one in config.output if isinstance(one.type, kinds) and one.type.labels]
    if len(named) == 1:
        return {named[0]: "LABELS"}
    return {name: f"LABELS_{number}" for number, name in enumerate(named, start=1)}


def _listed(labels: tuple[str, ...]) -> str:
    return "[" + ", ".join(_quoted(label) for label in labels) + "]"


def _quoted(text: str) -> str:
    """Write a text as Python does, with double quotes where that is the same."""
    plain = f'"{text}"'
    return plain if text.isprintable() and not set(text) & {'"', "\\"} else repr(text)


def _seen(one: Field) -> str:
    seen = "a mark in a text: {text, start, end}"
    match one.type:
        case StringType():
            seen = "a text"
        case MulticlassType(labels=labels):
            seen = f"one of {_listed(labels)}"
        case MultilabelType(labels=labels):
            seen = f"a list of {_listed(labels)}"
        case NumberType() | RatingType():
            seen = "a number"
        case ImageType() | AudioType():
            seen = 'a file: {"media_type": …, "data": its bytes as base64}'
        case ChatType():
            seen = 'a list of {"role": "user" or "assistant", "text": …}'
    return seen


def _value(one: Field, lists: dict[str, str]) -> str:
    """Return the expression for an answer that says nothing and is valid all the same."""
    match one.type:
        case MulticlassType():
            value = f"{lists[one.name]}[0]"
        case MultilabelType() | SpansType():
            value = "[]"
        case SelectionType(reference_name=name):
            value = f"first_words(item[{_quoted(name)}])"
        case StringType(min_length=low, max_length=high):
            value = _quoted(_NOTHING_YET[:high].strip().ljust(low, "."))
        case NumberType(min=low, max=high) | RatingType(min=low, max=high):
            value = repr(low if low is not None else min(0, high or 0))
        case ProbType(single_prob=True):
            value = "0.5"
        case ProbType(reference_name=name):
            labels = lists[str(name)]
            value = f"{{label: 1 / len({labels}) for label in {labels}}}"
        case _:
            message = (
                f"The output {one.name} is of type {one.type.type_name}, which has no starter."
            )
            raise NoStarterError(message)
    return value
