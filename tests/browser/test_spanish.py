"""The interface in Spanish: chosen or asked for by the browser, written, judged and failing in."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ANNOTATOR, VALIDATORS, Installation
from tests.browser.watching import ConsoleWatch

pytestmark = pytest.mark.browser


def test_a_browser_in_spanish_gets_spanish_and_an_example_is_written_in_it(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(title="Humor")
    page = open_page(f"{task.path}/create", ANNOTATOR, locale="es-MX")
    field = page.get_by_role("textbox", name="Statement")
    field.fill("The soup was not at all bad.")
    page.get_by_role("button", name="Enviar").click()
    said = page.get_by_role("status").filter(
        has_text=re.compile(
            r"^El modelo dijo (positive|negative)\. (Lo engañaste|El modelo acertó)"
        )
    )
    expect(said).to_have_count(1)
    expect(page.get_by_text(re.compile(r"^1 intento · \d con engaño · 0 con"))).to_be_visible()
    expect(page).to_have_title("Escribir ejemplos: Humor · Dynabench")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert violations(page) == []
    assert overflow(page) == []


def test_an_example_is_judged_in_spanish(product: Installation, open_page: OpenPage) -> None:
    task = product.make_task(title="Humor")
    product.write(task, "Nothing about it was bad.")
    page = open_page(f"{task.path}/validate", VALIDATORS[0], locale="es")
    expect(page.get_by_text("¿Es correcta la respuesta del autor?")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("1")
    expect(page.get_by_text("Guardado: correcto.")).to_be_visible()
    expect(page.get_by_role("button", name="Deshacer")).to_be_visible()


def test_the_language_is_switched_by_keyboard_and_kept(
    product: Installation, open_page: OpenPage
) -> None:
    assert product.address
    page = open_page(f"/users/{ANNOTATOR}")
    page.get_by_role("button", name="Language: English").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitemradio", name="English")).to_be_checked()
    page.keyboard.press("ArrowDown")
    page.get_by_role("menuitemradio", name="Español").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Idioma: Español")).to_be_focused()
    # A date as Spanish writes it, such as "21 nov 2026".
    expect(page.get_by_text(re.compile(r"^Aquí desde: \d+ [a-z]{3,4} \d{4}$"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Iniciar sesión")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "es")


def test_what_fails_is_told_in_spanish(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    assert product.address
    console.expect("422")
    page = open_page("/sign-in", locale="es-AR")
    page.get_by_role("textbox", name="Usuario").fill(ANNOTATOR)
    page.get_by_role("textbox", name="Contraseña").fill("not this one at all")
    page.get_by_role("button", name="Iniciar sesión").click()
    alert = page.get_by_role("alert").filter(has_text="El nombre y la contraseña no coinciden.")
    expect(alert).to_be_visible()
    expect(alert).not_to_have_attribute("lang", re.compile("."))
