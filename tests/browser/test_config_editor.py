"""An owner changes a task's config on the page; what is written in it stays text."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ADMIN, OWNER, Installation
from tests.browser.tasks import mood_config
from tests.browser.watching import ConsoleWatch

pytestmark = pytest.mark.browser

_HOSTILE = """\
title: '<script>window.broken = 1</script>'
description: '<img src=x onerror="window.broken = 1">'
instructions: |
  <script>window.broken = 1</script>
  <img src=x onerror="window.broken = 1">
  [press](javascript:window.broken=1) ![seen](http://127.0.0.1:9/x.png)
content_warning: '<svg onload="window.broken = 1">'
goal_message: '<b onmouseover="window.broken = 1">goal</b>'
context:
  - {name: prompt, type: string, display_name: '<iframe src="javascript:window.broken=1">'}
input:
  - name: statement
    type: string
    placeholder: '"><script>window.broken = 1</script>'
  - name: label
    type: multiclass
    labels: ['<img src=x onerror="window.broken = 1">', 'javascript:window.broken=1']
    as_goal_message: true
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: macro_f1, reference_name: label}
"""

_SCENES = """\
title: Scenes
description: What is to be seen and heard?
context:
  - {name: scene, type: image}
  - {name: speech, type: audio}
input:
  - {name: sketch, type: image}
  - {name: talk, type: chat, candidates: 2, rating: true}
output: [{name: reply, type: string}]
model_wrong_metric: {type: ask_user}
perf_metric: {type: bleu, reference_name: reply}
"""


def _editor(page: Page) -> None:
    """Put the cursor into the editor, once it is there."""
    page.get_by_role("textbox", name="Task config, as YAML").click()


def _write(page: Page, text: str) -> None:
    """Replace the whole text, without what an editor adds while one types."""
    _editor(page)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def _break_and_repair(page: Page) -> None:
    """Leave a metric out, go to its line by keyboard, and take the suggestion."""
    text = mood_config(title="Tone").replace("type: macro_f1", "type: ")
    _write(page, text)
    problems = page.get_by_role("list", name="What is wrong")
    line = text.count("\n", 0, text.index("perf_metric")) + 1
    expect(problems).to_contain_text(f"Line {line}")
    expect(page.get_by_role("button", name="Save as a version")).to_be_disabled()
    problems.get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Task config, as YAML")).to_be_focused()
    page.keyboard.press("Home")
    for _ in "perf_metric: {type: ":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+Space")
    choices = page.get_by_role("listbox")
    expect(choices.get_by_role("option", name="accuracy", exact=True)).to_be_visible()
    page.keyboard.type("macro")
    # Nothing else is left of what could be meant.
    expect(choices.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing is wrong.")).to_be_visible()


def _look_at_both_pages(page: Page) -> None:
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_text("Tone", exact=True)).to_be_visible()
    expect(preview.get_by_label("Mood")).to_have_value("positive")
    preview.get_by_label("Statement").fill("Nothing about it was bad.")
    preview.get_by_role("button", name="Submit").click()
    expect(preview.get_by_text("Nothing was sent")).to_be_visible()
    preview.get_by_role("tab", name="Validate").click()
    preview.get_by_role("button", name=re.compile("Incorrect")).click()
    expect(preview.get_by_text("Which label is right?")).to_be_visible()


def _play_with_samples(page: Page) -> None:
    """See a picture, hear a recording and hold a conversation; the server hears of none."""
    _write(page, _SCENES)
    preview = page.get_by_role("region", name="Preview")
    talk = preview.get_by_role("log", name="Talk")
    expect(talk.get_by_text("Message 2 as somebody could write it.")).to_be_visible()
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    page.on("request", note)
    # What is typed with Alt into the editor is no choice in the preview.
    _editor(page)
    page.keyboard.press("Alt+2")
    expect(talk.get_by_role("radio", name="Reply B")).not_to_be_checked()
    talk.get_by_role("radio", name="Reply B").check()
    preview.get_by_label("Your message").fill("And now?")
    preview.get_by_label("Your message").press("Enter")
    expect(talk.get_by_text("And now?")).to_be_visible()
    preview.locator("input[type=file]").set_input_files(
        {"name": "a.png", "mimeType": "image/png", "buffer": b"x"}
    )
    expect(preview.get_by_text("In the preview nothing is sent")).to_be_visible()
    expect(preview.locator("img")).to_have_count(2)
    for shown in preview.locator("img").all():
        expect(shown).to_have_js_property("naturalWidth", 480)
    expect(preview.locator("audio")).to_have_js_property("duration", 1)
    assert violations(page) == []
    page.remove_listener("request", note)
    # The page looks for notifications and the like by itself.
    assert [one.url for one in asked if one.method != "GET" or "/media" in one.url] == []


def test_an_owner_breaks_repairs_looks_at_compares_and_uses_a_config(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(is_open=False)
    page = open_page(f"{task.path}/owner/config", OWNER)
    _play_with_samples(page)
    _break_and_repair(page)
    _look_at_both_pages(page)
    page.get_by_role("tab", name="Changes").click()
    changes = page.get_by_role("textbox", name="Changes against version 1")
    expect(changes).to_contain_text("title: Tone")
    expect(changes).to_contain_text("title: Mood")

    page.get_by_role("button", name="Save as a version").click()
    versions = page.get_by_role("list", name="Versions, newest first")
    expect(versions.get_by_role("listitem")).to_have_count(2)
    assert product.client(OWNER).tasks.get(task.slug).config_version == 1
    page.get_by_role("button", name="Activate version 2").click()
    dialog = page.get_by_role("dialog", name="Activate version 2")
    expect(dialog).to_contain_text("This part changes: title.")
    dialog.get_by_role("button", name="Activate version 2").click()
    expect(page.get_by_role("heading", level=1, name="Tone: config")).to_be_visible()
    assert product.client(OWNER).tasks.get(task.slug).config_version == 2
    page.get_by_role("button", name="Activate version 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Activate version 1").click()
    expect(page.get_by_role("heading", level=1, name="Mood: config")).to_be_visible()


def test_what_is_not_saved_is_kept_and_asked_about(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(is_open=False)
    page = open_page(f"{task.path}/owner/config", OWNER)
    _write(page, mood_config(title="Unsaved"))
    expect(page.get_by_text("You are changing version 1.")).to_be_visible()
    page.get_by_role("link", name="Members").click()
    dialog = page.get_by_role("dialog", name="Leave without saving a version?")
    dialog.get_by_role("button", name="Stay here").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("link", name="Members").click()
    dialog.get_by_role("button", name="Keep it and leave").click()
    expect(page.get_by_role("heading", level=1, name="Mood: members")).to_be_visible()
    page.go_back()
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_text("Unsaved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Drop it and go back to version 1").click()
    expect(page.get_by_text("This is the active version.")).to_be_visible()


def test_the_editor_is_left_by_keyboard_and_another_shape_is_told(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(is_open=False)
    page = open_page(f"{task.path}/owner/config", OWNER)
    _write(page, mood_config().replace("[positive, negative]\n    as", "[good, bad]\n    as"))
    expect(page.get_by_text("This text changes input.label, output.label")).to_be_visible()
    expect(page.get_by_role("button", name="Save and activate")).to_have_count(0)
    _editor(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Task config, as YAML")).not_to_be_focused()
    assert violations(page) == []
    assert overflow(page) == []


def test_nothing_that_an_owner_writes_runs(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    slug = f"hostile-{product.number()}"
    page = open_page("/new-task", ADMIN)
    _write(page, _HOSTILE)
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_text("<script>window.broken = 1</script>")).to_be_visible()
    for tab in ("Validate", "Instructions", "Create"):
        preview.get_by_role("tab", name=tab).click()
        expect(preview.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        assert (
            page.evaluate("document.querySelectorAll('main [href^=\"javascript\" i]').length") == 0
        )
        assert page.evaluate("document.querySelectorAll('main :is(script, iframe)').length") == 0
    page.get_by_label("Short name").fill(slug)
    page.get_by_role("button", name="Create the draft").click()
    expect(page).to_have_url(re.compile(f"/tasks/{slug}/owner/config"))
    product.client(ADMIN).tasks.activate(slug)
    for address in ("/", f"/tasks/{slug}", f"/tasks/{slug}/create", f"/tasks/{slug}/validate"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.broken === undefined")
        assert (
            page.evaluate(
                "document.querySelectorAll('main :is(script, iframe, svg[onload])').length"
            )
            == 0
        )
    product.client(ADMIN).tasks.archive(slug)
    assert console.unexpected() == []
