"""What axe finds on a page, and whether it fits a telephone."""

from importlib.resources import files

from playwright.sync_api import Page

# No rule is switched off; these are all of WCAG 2.2, level A and AA.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
THEMES = ("light", "dark")
_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
_RUN = """async (tags) => {
  const found = await axe.run({ runOnly: tags, resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) => [id, help, target.join(" "), html.slice(0, 200),
      ...any.slice(0, 1).map(({ message }) => message)].join(" | ")));
}"""
# The page follows the system's theme by itself; axe looks at what is drawn after that.
_DRAWN = """(theme) => new Promise((drawn) => {
  const look = () => requestAnimationFrame(() =>
    document.documentElement.dataset.mantineColorScheme === theme
      ? requestAnimationFrame(() => requestAnimationFrame(drawn)) : look());
  look();
})"""
_OVERFLOW = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .slice(-5).map((element) => element.outerHTML.slice(0, 160));
}"""


def violations(page: Page) -> list[str]:
    """Return what axe finds, in both themes, each with its theme and place."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_AXE)
    found: list[str] = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # one of its literals
        page.evaluate(_DRAWN, theme)
        found += [f"{theme}: {one}" for one in page.evaluate(_RUN, list(TAGS))]
    return found


def overflow(page: Page) -> list[str]:
    """Return what makes the page scroll sideways at 375 pixels, innermost last."""
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": 375, "height": 700})
    found = list(page.evaluate(_OVERFLOW))
    page.set_viewport_size(before)
    return found
