"""What is drawn and played for the gallery is always the same, whole, and gives nothing away."""

import base64
import hashlib
import json
import random

import pytest

from dynabench.catalog.generators.scene_questions import scene_items
from dynabench.catalog.generators.scenes import COLOURS, KINDS, draw, make_scene
from dynabench.catalog.generators.tones import WORDS
from dynabench.catalog.lines import count_contexts, has_lines, read_lines
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.loop.tasks.lookup.service import parse_config

FOLDERS = ("gallery/visual-questions", "gallery/spoken-tones")
LEAST_CONTEXTS = 30


@pytest.mark.parametrize("folder", FOLDERS)
async def test_contexts_are_drawn_alike_each_time_and_fit_the_config(folder: str) -> None:
    config = await parse_config(CatalogFolder(folder).config())
    lines = read_lines(folder, "contexts.jsonl")
    assert lines is not None
    assert lines == read_lines(folder, "contexts.jsonl")
    assert len(lines) == len(set(lines)) == count_contexts(folder, "contexts.jsonl")
    assert len(lines) >= LEAST_CONTEXTS
    for line in lines:
        ((name, value),) = json.loads(line)["context"].items()
        content = base64.b64decode(value.pop("data"))
        assert hashlib.sha256(content).hexdigest() == value["media"]
        assert value.pop("media_type") in {"image/png", "audio/wav"}
        assert config.check_context({name: value})[name] == value


@pytest.mark.parametrize("folder", FOLDERS)
async def test_training_items_have_answers_that_the_config_takes(folder: str) -> None:
    config = await parse_config(CatalogFolder(folder).config())
    assert has_lines(folder, "train.jsonl")
    assert not has_lines(folder, "demo.jsonl")
    assert read_lines(folder, "demo.jsonl") is None
    uids = set()
    for line in read_lines(folder, "train.jsonl") or []:
        item = json.loads(line)
        uids.add(item["uid"])
        assert config.check_answer(item["answer"], context=item["context"]) == item["answer"]
    assert len(uids) > 150


def test_a_picture_is_described_without_what_can_be_asked_of_it() -> None:
    dice = random.Random(1)
    scene = make_scene(dice)
    assert draw(scene) == draw(scene)
    words = set(scene.alt_text.lower().split())
    assert not words & {*KINDS, *(colour for colour in COLOURS if colour != "blue")}
    assert not any(word.isdigit() for word in words)


def test_a_question_about_a_picture_is_asked_once_and_answers_are_of_every_kind() -> None:
    items = list(scene_items(count=60, seed=3))
    asked = {(str(one["context"]), str(one["inputs"])) for one in items}
    assert len(asked) == len(items)
    answers = {str(one["answer"]) for one in items}
    wanted = [*COLOURS, *KINDS, "yes", "no", "0", "1", "2", "3", "4"]
    assert all(str({"answer": one}) in answers for one in wanted)


def test_no_two_words_of_tones_have_one_tune() -> None:
    assert len(set(WORDS.values())) == len(WORDS)
    instructions = CatalogFolder("gallery/spoken-tones").config()
    names = ("low", "middle", "high")
    for word, tones in WORDS.items():
        tune = " – ".join(names[tone] for tone in tones)
        assert f"| **{word}** | {tune} |" in instructions
