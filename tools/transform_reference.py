"""The page docs/reference/transforms.md: every transform, from the registry, with what it does."""

from dynabench.science.perturbations.fairness.name_lists import Gender, first_names, groups
from dynabench.science.perturbations.perturb import perturb
from dynabench.science.perturbations.registry import TRANSFORMS
from dynabench.science.perturbations.values import Transform, TransformKind

SAMPLES = {
    "en": "Emily Watson said it's a beautiful film, but her brother did not believe the Muslim "
    "people who made it. It is a naïve story!",
}
HEAD = """\
# Transforms

What `delta_metrics` of a task config vary texts with; how and why stands in
[Perturbations](../design/perturbations.md). A config may name some under `transforms`; else a
language gets all that know it, but for those by request. A text that a transform cannot change
has no variant.
"""
TITLES = {
    TransformKind.ROBUSTNESS: "Robustness",
    TransformKind.FAIRNESS: "Fairness",
}


def transforms_page() -> str:
    """Return the reference of the transforms."""
    parts = [HEAD, f"The sample is: “{SAMPLES['en']}”\n"]
    for kind in TransformKind:
        found = [one for one in TRANSFORMS.values() if one.kind is kind]
        parts += [f"## {TITLES[kind]}\n", *(section(one) for one in found)]
    parts += [languages_section(), names_section()]
    return "\n".join(parts).rstrip() + "\n"


def section(transform: Transform) -> str:
    """Return one transform's part of the page."""
    lines = [f"### {transform.name}", "", transform.description, ""]
    lines += [f"- **Languages:** {languages_of(transform)}"]
    if transform.is_by_request:
        lines += ["- **Used:** only where a config names it"]
    lines += [f"- **Sample:** {sample(transform)}", ""]
    return "\n".join(lines)


def languages_of(transform: Transform) -> str:
    """Return which languages a transform knows."""
    title = transform.languages.title
    return f"[{title}](#languages)" if transform.languages.codes else title


def languages_section() -> str:
    """Return the sets of languages by their tags."""
    sets = {one.languages.title: one.languages.codes for one in TRANSFORMS.values()}
    lines = ["## Languages", "", "| languages | tags |", "| --- | --- |"]
    lines += [f"| {title} | {', '.join(sorted(codes))} |" for title, codes in sets.items() if codes]
    lines += ["", "A tag's region plays no part: `en-GB` is `en`.", ""]
    return "\n".join(lines)


def sample(transform: Transform) -> str:
    """Return what a transform makes of the sample; what nobody sees is named."""
    found = perturb(
        "sample",
        {"text": SAMPLES["en"]},
        kind=transform.kind,
        seed=1,
        language="en",
        transforms=[transform.name],
    )
    if not found:
        return "– (the sample has nothing for it)"
    text = found[0].fields["text"]
    shown = "".join(f"⟨U+{ord(one):04X}⟩" if is_unseen(one) else one for one in text)
    return f"“{shown}”"


def is_unseen(letter: str) -> bool:
    """Tell whether a letter looks like nothing, or like a letter of another alphabet."""
    return not letter.isprintable() or 0x370 <= ord(letter) < 0x530  # noqa: PLR2004 - Greek, Cyrillic


def names_section() -> str:
    """Return how many names there are to draw."""
    lines = ["## Names", "", "First names on the lists, by group:", "", "| group | women | men |"]
    lines += ["| --- | --- | --- |"]
    for group in groups():
        women, men = (
            sum(one.group == group and one.gender is gender for one in first_names().values())
            for gender in (Gender.FEMALE, Gender.MALE)
        )
        lines.append(f"| {group.replace('_', ' ')} | {women} | {men} |")
    lines += ["", "Sources and licences of all lists stand beside them in"]
    lines += ["[SOURCES.md](../../dynabench/science/perturbations/data/SOURCES.md)."]
    return "\n".join(lines)
