"""Tiny training sets with a pattern that can be learnt, written for these tests."""

import random

from dynabench.catalog.generators.files import file_value
from dynabench.catalog.generators.scenes import COLOURS, HEIGHT, KINDS, WIDTH, Scene, Shape, draw
from dynabench.catalog.generators.tones import tone_items
from dynabench.engines.baselines.values import ConfigSummary, TrainingItem

MOODS = ConfigSummary(
    context_names=("prompt",),
    input_names=("statement",),
    answer_name="label",
    labels=("negative", "positive"),
    probability_name="prob",
)
RELATIONS = ConfigSummary(
    context_names=("premise",),
    input_names=("hypothesis",),
    answer_name="label",
    labels=("entailment", "neutral", "contradiction"),
)
READING = ConfigSummary(
    context_names=("passage",),
    input_names=("question",),
    answer_name="answer",
    reference_name="passage",
    probability_name="prob",
)
_GOOD = ("lovely", "splendid", "delicious", "friendly", "charming")
_BAD = ("awful", "dreadful", "stale", "rude", "filthy")
_THINGS = ("soup", "room", "waiter", "garden", "play", "train", "bread", "hotel")
_PEOPLE = ("Anna Reed", "Tom Vale", "Mira Holt", "Jon Kerr", "Lena Marsh", "Paul Stone")
_TOWNS = ("Lorton", "Westby", "Harrow", "Dunmere", "Ashford", "Milton")
_TRADES = ("baker", "sailor", "teacher", "farmer", "painter", "miller")


def moods(count: int, *, seed: int = 0) -> list[TrainingItem]:
    dice = random.Random(seed)
    items = []
    for _ in range(count):
        label = dice.choice(MOODS.labels)
        word = dice.choice(_GOOD if label == "positive" else _BAD)
        thing, other = dice.sample(_THINGS, 2)
        statement = f"The {thing} by the {other} was {word}."
        items.append(
            TrainingItem(
                context={"prompt": f"A {thing}"},
                inputs={"statement": statement},
                answer={"label": label},
            )
        )
    return items


def relations(count: int, *, seed: int = 0) -> list[TrainingItem]:
    dice = random.Random(seed)
    items = []
    for _ in range(count):
        label = dice.choice(RELATIONS.labels)
        person, trade, town = dice.choice(_PEOPLE), dice.choice(_TRADES), dice.choice(_TOWNS)
        premise = f"{person}, a {trade}, walked slowly from the harbour to {town}."
        hypothesis = {
            "entailment": f"A {trade} walked to {town}.",
            "neutral": f"{person} bought apples for a cousin.",
            "contradiction": f"{person} never walked to {town}.",
        }[label]
        items.append(
            TrainingItem(
                context={"premise": premise},
                inputs={"hypothesis": hypothesis},
                answer={"label": label},
            )
        )
    return items


def readings(count: int, *, seed: int = 0) -> list[TrainingItem]:
    dice = random.Random(seed)
    items = []
    for _ in range(count):
        person, other = dice.sample(_PEOPLE, 2)
        town, trade = dice.choice(_TOWNS), dice.choice(_TRADES)
        year, boats = dice.randint(1700, 1990), dice.randint(3, 90)
        passage = (
            f"The old harbour was built by {person} in {year}. It lies near {town}, where a "
            f"{trade} keeps the keys. {other} counted {boats} boats there last summer."
        )
        question, answer = dice.choice(
            [
                ("Who built the harbour?", person),
                ("When was the harbour built?", str(year)),
                ("How many boats were counted there?", str(boats)),
                ("Where does the harbour lie?", f"near {town}"),
                ("Who counted the boats?", other),
            ]
        )
        start = passage.index(answer)
        gold = {"text": answer, "start": start, "end": start + len(answer)}
        items.append(
            TrainingItem(
                context={"passage": passage}, inputs={"question": question}, answer={"answer": gold}
            )
        )
    return items


MARKING = ConfigSummary(
    context_names=("topic",),
    input_names=("statement",),
    answer_name="spans",
    labels=("thing", "person"),
    reference_name="statement",
)
WRITING = ConfigSummary(
    context_names=("topic",), input_names=("sentence",), answer_name="translation"
)
_NOUNS = {"dog": "perro", "cat": "gato", "horse": "caballo", "bird": "pájaro", "fish": "pez"}
_COLOURS = {"black": "negro", "white": "blanco", "red": "rojo", "old": "viejo"}
_DEEDS = {"sleeps": "duerme", "eats": "come", "waits": "espera", "sings": "canta"}


def markings(count: int, *, seed: int = 0) -> list[TrainingItem]:
    """Return statements in which what somebody speaks ill of is marked."""
    dice = random.Random(seed)
    items = []
    for _ in range(count):
        label, name = dice.choice(
            [("thing", f"the {dice.choice(_THINGS)}"), ("person", f"a {dice.choice(_TRADES)}")]
        )
        is_marked = dice.random() < 0.6
        start_text = f"{dice.choice(['Yesterday', 'Today', 'Again'])} I met "
        word = dice.choice(_BAD if is_marked else _GOOD)
        text = f"{start_text}{name} in {dice.choice(_TOWNS)}, how {word}."
        start = len(start_text)
        span = {"text": name, "start": start, "end": start + len(name), "label": label}
        items.append(
            TrainingItem(
                context={"topic": "t"},
                inputs={"statement": text},
                answer={"spans": [span] if is_marked else []},
            )
        )
    return items


def writings(count: int, *, seed: int = 0) -> list[TrainingItem]:
    """Return sentences with their translation, in which a colour changes its place."""
    dice = random.Random(seed)
    items = []
    for _ in range(count):
        noun, colour, deed = (dice.choice(list(one)) for one in (_NOUNS, _COLOURS, _DEEDS))
        items.append(
            TrainingItem(
                context={"topic": "t"},
                inputs={"sentence": f"The {colour} {noun} {deed}."},
                answer={"translation": f"El {_NOUNS[noun]} {_COLOURS[colour]} {_DEEDS[deed]}."},
            )
        )
    return items


LOOKING = ConfigSummary(
    context_names=(),
    input_names=("question",),
    answer_name="answer",
    probability_name="prob",
    media_names=("picture",),
)
LISTENING = ConfigSummary(
    context_names=(),
    input_names=(),
    answer_name="transcription",
    probability_name="prob",
    media_names=("recording",),
)


def looks(count: int, *, seed: int = 0) -> list[TrainingItem]:
    """Return pictures of one shape, and what somebody asks of it."""
    dice = random.Random(seed)
    items = []
    for _ in range(count):
        shape = Shape(dice.choice(KINDS), dice.choice(list(COLOURS)), WIDTH / 2, HEIGHT / 2, 40)
        picture = draw(Scene((shape,), "white", dice.randrange(1000)))
        question, answer = dice.choice(
            [("What colour is it?", shape.colour), ("What shape is it?", shape.kind)]
        )
        items.append(
            TrainingItem(
                context={"picture": file_value(picture, "image/png", alt="A shape")},
                inputs={"question": question},
                answer={"answer": answer},
            )
        )
    return items


def sounds(count: int, *, seed: int = 0) -> list[TrainingItem]:
    """Return recordings of words of three tones."""
    return [
        TrainingItem(context={}, inputs=line["inputs"], answer=line["answer"])
        for line in tone_items(count=count, seed=seed)
    ]
