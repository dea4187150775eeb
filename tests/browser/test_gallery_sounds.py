"""The gallery's task about sounds: a recording is brought to it, and what it says is judged."""

import random
import re

import pytest
from playwright.sync_api import expect

from dynabench.catalog.generators.tones import SAMPLE_RATE, Speaker, say
from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.gallery import add_from_gallery
from tests.browser.installation import ANNOTATOR, VALIDATORS, Installation

pytestmark = pytest.mark.browser

# Higher than any speaker that the model has heard; people hear the tune.
HIGH_VOICE = Speaker(timbre="clarinet", pitch=1.25)


def test_a_recording_is_brought_and_what_it_says_is_judged(
    product: Installation, open_page: OpenPage
) -> None:
    task = add_from_gallery(product, "spoken-tones")
    page = open_page(f"{task.path}/create", ANNOTATOR)
    sample = page.locator("audio").first
    expect(sample).to_be_visible()
    assert not sample.evaluate("sound => sound.autoplay")
    own = say(["cat", "owl", "bee"], HIGH_VOICE, random.Random(4))
    page.locator("input[type=file]").set_input_files(
        {"name": "whistle.wav", "mimeType": "audio/wav", "buffer": own}
    )
    expect(page.locator("audio")).to_have_count(2)
    page.get_by_role("textbox", name="What the recording says").fill("Cat owl bee.")
    assert violations(page) == []
    assert overflow(page) == []
    page.get_by_role("button", name=re.compile("^Submit")).click()
    latest = page.get_by_role("article").first
    expect(latest).to_contain_text(re.compile("You fooled"))

    judge = open_page(f"{task.path}/validate", VALIDATORS[0])
    expect(judge.get_by_text("Cat owl bee.")).to_be_visible()
    recording = judge.locator("audio[aria-label='Recording']")
    length = """sound => new Promise(told => { const tell = () => told(sound.duration);
      if (sound.readyState) tell();
      else { sound.addEventListener("loadedmetadata", tell); sound.load(); } })"""
    assert recording.evaluate(length) == pytest.approx(len(own) / 2 / SAMPLE_RATE, abs=0.1)
    assert violations(judge) == []
    assert overflow(judge) == []
    judge.get_by_role("button", name=re.compile("^Correct")).click()
    judge.get_by_role("radio", name="4").check()
    judge.get_by_role("button", name=re.compile("^Save")).click()
    expect(judge.get_by_text("Saved: correct.")).to_be_visible()
