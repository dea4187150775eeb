"""Translates `user_input`: what people fill in on the page, by its type there."""

import re
from collections.abc import Callable, Mapping

from dynabench.science.task_config.conversion.draft import TOLD_LATER, Draft, Entry, choice, entry
from dynabench.science.task_config.conversion.part import Part, usable_name
from dynabench.science.task_config.fields.rating import MAX_POINTS
from dynabench.science.task_config.problems import quote

MAX_SLIDERS = 20

_Reader = Callable[[Part, str], list[Entry]]

_WHOLE = re.compile(r"-?[0-9]{1,6}")
_ENDS = 2
_PAGE_ONLY = ("initiate_open", "hidden")


def read_user_inputs(top: Part, draft: Draft) -> None:
    """Add a field, or several, for each entry of `user_input`."""
    for part in top.parts("user_input"):
        for one in read_one(part):
            draft.add_for_person(one, of=part)
            if one["name"] == "label":
                draft.answers.append("label")
        part.take("metadata")
        part.finish()


def read_one(part: Part) -> list[Entry]:
    """Return the fields that one entry becomes; none, and a note, where it has none."""
    name = part.name("field_name_for_the_model")
    kind = part.word("type")
    reader = _READERS.get(kind or "")
    for key in _PAGE_ONLY:
        part.take(key)
    if name is None or reader is None:
        _leave(part, name=name, kind=kind)
        return []
    found = reader(part, name)
    _tell_tooltip(part)
    return found


def _leave(part: Part, *, name: str | None, kind: str | None) -> None:
    for key in part.values:
        part.take(key)
    if name is None:
        reason = "It has no field_name_for_the_model"
    elif kind is None:
        reason = "It has no type"
    else:
        reason = f"Inputs of the type {quote(kind)} have no counterpart here"
    part.note(None, f"{reason}; it is left out.", "Add a field to `input` by hand.")


def _shown(part: Part) -> dict[str, object]:
    """Return how a field is called on the page."""
    return {
        "display_name": part.text("instructions") or part.text("display_name"),
        "placeholder": part.text("placeholder"),
    }


def _tell_tooltip(part: Part) -> None:
    if part.take("instruction"):
        part.note("instruction", "Fields have no tooltip here; it is left out.", TOLD_LATER)


def _string(part: Part, name: str) -> list[Entry]:
    return [entry(name, "string", **_shown(part))]


def _audio(part: Part, name: str) -> list[Entry]:
    return [entry(name, "audio", **_shown(part))]


def _single(part: Part, name: str) -> list[Entry]:
    one = choice(name, part, shown=_shown(part))
    return [] if one is None else [one]


def _several(part: Part, name: str) -> list[Entry]:
    one = choice(name, part, kind="multilabel", shown=_shown(part))
    return [] if one is None else [one]


def _explained(part: Part, name: str) -> list[Entry]:
    part.note(None, "People could explain each option; the explanations are left out.", TOLD_LATER)
    return _several(part, name)


def _text_and_choice(part: Part, name: str) -> list[Entry]:
    chosen = choice(f"{name}_choice"[:64], part)
    part.note(None, f"Text and choice are two fields here: {name} and {name}_choice.")
    return [entry(name, "string", **_shown(part)), *([] if chosen is None else [chosen])]


def _text_and_slider(part: Part, name: str) -> list[Entry]:
    part.note(None, f"Text and slider are two fields here: {name} and {name}_degree.")
    degree = _rating(part, f"{name}_degree"[:64], None)
    return [entry(name, "string", **_shown(part)), degree]


def _choice_and_slider(part: Part, name: str) -> list[Entry]:
    part.note(None, f"Choice and slider are two fields here: {name} and {name}_degree.")
    return [*_single(part, name), _rating(part, f"{name}_degree"[:64], None)]


def _slider(part: Part, name: str) -> list[Entry]:
    shown = _shown(part)
    above = part.text("instructions_slider")
    if above is not None and shown["display_name"] is None:
        shown["display_name"] = above
    elif above is not None:
        part.note("instructions_slider", "A field has one heading here; this one is left out.")
    return [_rating(part, name, shown["display_name"])]


def _rating(part: Part, name: str, display_name: object) -> Entry:
    """Return a rating over the slider's ends, which are 0 and 100 where they are words."""
    ends = [str(end) for end in part.entries("options_slider")]
    low, high = 0, 100
    if len(ends) == _ENDS and all(_WHOLE.fullmatch(end) for end in ends):
        first, last = (int(end) for end in ends)
        low, high = (first, last) if first < last else (low, high)
    elif ends:
        part.note(
            "options_slider",
            f"A slider's ends are numbers here; {name} goes from {low} to {high}.",
            "Write what the ends mean into its display_name.",
        )
    absent = True if part.is_set("show_na_checkbox") else None
    ends_here: Entry = {"min": low, "max": high, "step": 1, "display_name": display_name}
    if high - low < MAX_POINTS:
        return entry(name, "rating", **ends_here, not_applicable=absent)
    if absent:
        part.note(
            "show_na_checkbox",
            f"A rating has at most {MAX_POINTS} points; this number cannot be left open.",
        )
    return entry(name, "number", **ends_here)


def _sliders(part: Part, name: str) -> list[Entry]:
    shown = _shown(part)["display_name"]
    options = part.labels("options")[:MAX_SLIDERS]
    found: list[Entry] = []
    for position, option in enumerate(options):
        own = usable_name(f"{name}_{position + 1}", (*part.at, "options", position), part.notes)
        heading = f"{shown}: {option}" if isinstance(shown, str) else option
        found.append(entry(own, "rating", min=0, max=100, step=1, display_name=heading))
    part.note(
        "options",
        f"A group of sliders is {len(found)} fields here, {name}_1 and so on.",
        None if found else "Add a rating for each by hand.",
    )
    return found


_READERS: Mapping[str, _Reader] = {
    "text": _string,
    "input-with-instructions": _string,
    "audio": _audio,
    "multioptions": _several,
    "multioptions-with-instructions": _explained,
    "radio-button-options": _single,
    "horizontal-radio-button-options": _single,
    "drop-down-single-select": _single,
    "dropdown-single-select": _single,
    "select-multiple-images": _several,
    "basic-input-select-option-with-instructions": _text_and_choice,
    "basic-input-with-slider": _text_and_slider,
    "basic-input-with-slider-selection": _text_and_slider,
    "select-option-with-slider": _choice_and_slider,
    "simple-slider": _slider,
    "multi-slider-selection": _sliders,
}
