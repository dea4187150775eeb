"""The learners of pictures and sounds learn from pixels and samples, and from nothing else."""

import base64
import io
import random
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # It has no types.
from PIL import Image

from dynabench.catalog.generators.files import file_value
from dynabench.catalog.generators.scene_questions import scene_items
from dynabench.catalog.generators.tones import SAMPLE_RATE, Speaker, say
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import TrainedModel, TrainingItem
from dynabench.science.metrics.wer import wer
from tests.engines.baselines.patterns import LISTENING, LOOKING, sounds

WITH_SAMPLE = replace(LISTENING, media_names=("recording", "sample"))
NOTHING = {"media": "0" * 64, "media_type": "image/png", "data": "", "alt": ""}


def scenes(count: int, *, seed: int) -> list[TrainingItem]:
    """Return several questions about each of so many pictures."""
    return [
        TrainingItem(context=line["context"], inputs=line["inputs"], answer=line["answer"])
        for line in scene_items(count=count, seed=seed)
    ]


def accuracy(model: TrainedModel, items: Sequence[TrainingItem]) -> float:
    answers = model.predict([item.model_input() for item in items])
    return statistics.mean(
        answer["answer"] == item.answer["answer"]
        for answer, item in zip(answers, items, strict=True)
    )


def error_rate(model: TrainedModel, items: Sequence[TrainingItem]) -> float:
    said = [str(one["transcription"]) for one in model.predict([i.model_input() for i in items])]
    value = wer([str(item.answer["transcription"]) for item in items], said).value
    assert value is not None
    return value


@pytest.fixture(scope="module")
def seeing() -> TrainedModel:
    return train("picture-answerer", scenes(150, seed=1), config=LOOKING)


@pytest.fixture(scope="module")
def hearing() -> TrainedModel:
    return train("sound-transcriber", sounds(80, seed=1), config=WITH_SAMPLE)


def test_what_is_seen_helps_more_than_the_question_and_the_commonest_answer(
    seeing: TrainedModel,
) -> None:
    held_out = scenes(40, seed=2)
    commonest = Counter(str(item.answer["answer"]) for item in held_out).most_common(1)[0][1]
    # The same learner with its eyes shut: what the question alone gives away.
    blindly = [replace(item, context={"picture": NOTHING}) for item in scenes(150, seed=1)]
    blind = train("picture-answerer", blindly, config=LOOKING)
    only_asked = accuracy(blind, [replace(one, context={"picture": NOTHING}) for one in held_out])
    assert accuracy(seeing, held_out) > only_asked + 0.2
    assert only_asked > commonest / len(held_out)


def test_a_picture_is_read_by_its_pixels_and_never_by_its_words(seeing: TrainedModel) -> None:
    item = scenes(1, seed=5)[0]
    picture = item.context["picture"]
    assert isinstance(picture, dict)
    told = replace(item, context={"picture": {**picture, "alt": "seven red stars", "media": "x"}})
    assert seeing.predict([item.model_input()]) == seeing.predict([told.model_input()])


def test_a_transcriber_hears_nearly_every_word_of_recordings_that_it_has_not_met(
    hearing: TrainedModel,
) -> None:
    assert error_rate(hearing, sounds(30, seed=2)) < 0.1


def test_a_transcriber_can_be_fooled_by_what_ears_forgive(hearing: TrainedModel) -> None:
    dice = random.Random(3)
    high = say(["cat", "owl", "bee"], Speaker(pitch=1.25), dice)
    said = hearing.predict([{"recording": file_value(high, "audio/wav")}])[0]
    assert said["transcription"] != "cat owl bee"
    assert 0 <= float(str(said["prob"])) <= 1


@pytest.mark.parametrize(("rate", "kind"), [(8000, "FLAC"), (44_100, "WAV"), (22_050, "OGG")])
def test_a_sound_says_the_same_at_another_rate_in_another_form_and_on_two_channels(
    hearing: TrainedModel, rate: int, kind: str
) -> None:
    played, _ = soundfile.read(io.BytesIO(say(["dog", "elk"], Speaker(), random.Random(1))))
    places = np.arange(0, len(played), SAMPLE_RATE / rate)
    resampled = np.interp(places, np.arange(len(played)), played)
    out = io.BytesIO()
    soundfile.write(out, np.column_stack([resampled, resampled]), rate, format=kind)
    said = hearing.predict([{"recording": file_value(out.getvalue(), f"audio/{kind.lower()}")}])
    assert said[0]["transcription"] == "dog elk"


def test_what_a_person_brings_is_heard_before_the_sample(hearing: TrainedModel) -> None:
    one, other = (
        file_value(say([word], Speaker(), random.Random(1)), "audio/wav") for word in ("ant", "fox")
    )
    assert hearing.predict([{"sample": one, "recording": other}])[0]["transcription"] == "fox"


@pytest.mark.parametrize("data", ["", "no base64", base64.b64encode(b"no file").decode()])
def test_what_cannot_be_decoded_is_answered_all_the_same(
    seeing: TrainedModel, hearing: TrainedModel, data: str
) -> None:
    value = {"media": "0" * 64, "media_type": "image/png", "data": data, "alt": ""}
    assert seeing.predict([{"picture": value, "question": "What is it?"}])[0]["answer"]
    nothing = {"transcription": "", "prob": 0.0}
    assert hearing.predict([{"recording": value}]) == [nothing]
    assert hearing.predict([{}]) == [nothing]


@pytest.mark.parametrize("size", [(1, 1), (3000, 2), (640, 480)])
def test_a_picture_of_any_size_and_sort_is_answered(
    seeing: TrainedModel, size: tuple[int, int]
) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (size[1], size[0], 4), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise, "RGBA").save(out, format="PNG")
    picture = file_value(out.getvalue(), "image/png", alt="")
    assert seeing.predict([{"picture": picture, "question": "How many?"}])[0]["answer"]


def test_too_little_to_learn_from_is_refused() -> None:
    same = [replace(item, answer={"answer": "yes"}) for item in scenes(2, seed=1)]
    with pytest.raises(TrainingDataError, match="two different answers"):
        train("picture-answerer", same, config=LOOKING)
    silent = [replace(item, inputs={}) for item in sounds(3, seed=1)]
    with pytest.raises(TrainingDataError, match="two different words"):
        train("sound-transcriber", silent, config=LISTENING)
