"""Every task of the gallery is whole: config, contexts and starter data fit together."""

import json
import time
from collections import Counter
from collections.abc import Mapping

import pytest

from dynabench.loop.interchange.gallery.service import gallery_folders
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

FOLDERS = gallery_folders()
NAMES = sorted(FOLDERS)
# What is drawn when it is needed is tried in `test_gallery_generated_data`, and models that
# learn nothing need no data.
KEPT = [
    name
    for name in NAMES
    if not FOLDERS[name].place.joinpath("generated.json").is_file()
    and any(model.practice is None for model in FOLDERS[name].models())
]
LEAST_CONTEXTS = 30
LEAST_ITEMS = 100
# Of the processor, so that what else runs here does not count.
MOST_SECONDS = 0.3

Row = Mapping[str, Mapping[str, object]]


def config_of(folder: CatalogFolder) -> TaskConfig:
    return load_task_config(folder.config())


def without_files(values: Mapping[str, object]) -> dict[str, object]:
    """Let a digest stand where a file of the folder will be stored."""
    return {
        name: {"media": "0" * 64, **{key: one for key, one in value.items() if key != "file"}}
        if isinstance(value, dict) and "file" in value
        else value
        for name, value in values.items()
    }


def starter_rows(folder: CatalogFolder) -> list[Row]:
    files = {model.file for model in folder.models() if model.practice is None}
    return [
        json.loads(line)
        for name in sorted(files)
        for line in folder.place.joinpath(name).read_text(encoding="utf-8").splitlines()
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_gallery_task_says_what_to_do_with_an_example(name: str) -> None:
    config = config_of(FOLDERS[name])
    instructions = config.text(config.instructions, "en")
    assert config.text(config.title, "en")
    assert config.text(config.description, "en")
    assert config.text(config.goal_message, "en")
    assert "example" in instructions.lower()


@pytest.mark.parametrize("name", NAMES)
def test_the_config_of_a_gallery_task_is_read_at_once(name: str) -> None:
    text = FOLDERS[name].config()
    started = time.process_time()
    load_task_config(text)
    assert time.process_time() - started < MOST_SECONDS


@pytest.mark.parametrize("name", KEPT)
def test_the_contexts_of_a_gallery_task_fit_its_config_and_are_all_different(name: str) -> None:
    folder, config = FOLDERS[name], config_of(FOLDERS[name])
    lines = [json.loads(line) for line in folder.context_lines()]
    for line in lines:
        config.check_context(without_files(line["context"]))
    assert len(lines) >= LEAST_CONTEXTS
    assert len({json.dumps(line["context"]) for line in lines}) == len(lines)


@pytest.mark.parametrize("name", KEPT)
def test_the_starter_data_of_a_gallery_task_fits_its_config_and_repeats_nothing(name: str) -> None:
    folder, config = FOLDERS[name], config_of(FOLDERS[name])
    rows = starter_rows(folder)
    seen = Counter(json.dumps([row["context"], row["inputs"]]) for row in rows)
    for row in rows:
        context = config.check_context(without_files(row["context"]))
        inputs = config.check_inputs(without_files(row["inputs"]), context=context)
        stored = config.check_answer(row["answer"], context={**context, **inputs})
        assert stored == row["answer"], "data is written as it is stored"
    assert len(rows) >= LEAST_ITEMS
    assert [one for one, count in seen.items() if count > 1] == []
    assert len({str(row["uid"]) for row in rows}) == len(rows)
