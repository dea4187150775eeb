"""Translates the later shape, which describes a page, into the one that describes fields."""

from collections.abc import Mapping

from dynabench.science.task_config.conversion.answers import read_outputs
from dynabench.science.task_config.conversion.contexts import read_context
from dynabench.science.task_config.conversion.draft import TOLD_LATER, Draft, Entry, choice
from dynabench.science.task_config.conversion.metrics import read_metrics
from dynabench.science.task_config.conversion.part import Part
from dynabench.science.task_config.conversion.user_inputs import read_one, read_user_inputs
from dynabench.science.task_config.problems import Problems, quote

_GOAL_CHOICES = {
    "multioptions": True,
    "radio-button-options": None,
    "double-multioptions": None,
}
"""The goals with options, and whether the option is assigned as the goal."""

_TEXTS = ("title", "description", "instructions", "goal_message", "content_warning")
_COPIED = ("schema_version", "language")
_PAGE_ADVICE = {
    "user_input_group_by": "The fields stand below each other here.",
    "external_validator": "Export the round, and validate what was exported.",
    "submit_config": "Nothing needs to be done.",
    "generative": "A field of the type chat holds a conversation with a round's targets.",
    "validation_options": "Validators choose between correct, incorrect and flagged.",
}


def translate_later(data: Mapping[str, object], notes: Problems) -> Entry:
    """Return a config of the later shape in the classic one, as far as that can be done."""
    top = Part(data, (), notes)
    draft = Draft()
    for key in _COPIED:
        value = top.take(key)
        if value is not None:
            draft.texts[key] = value
    for key in _TEXTS:
        text = top.text(key)
        if text is not None:
            draft.texts[key] = text
    _read_title(top, draft)
    read_context(top, draft)
    read_user_inputs(top, draft)
    draft.take_fields(top, "input", draft.input)
    _read_goal(top, draft)
    draft.input.sort(key=lambda one: one["name"] in draft.answers)
    _read_metadata(top, draft)
    renamed = read_outputs(top, draft)
    read_metrics(top, draft, renamed=renamed)
    _tell_wiring(top, draft)
    for key, advice in _PAGE_ADVICE.items():
        top.leave(key, advice)
    top.finish()
    return draft.as_config()


def _read_title(top: Part, draft: Draft) -> None:
    """Keep the create page's heading as the description, which stands at its place here."""
    heading = top.text("creation_samples_title")
    if heading is None:
        return
    if "description" in draft.texts:
        top.note("creation_samples_title", "There is a description already; this is left out.")
        return
    draft.texts["description"] = heading


def _read_goal(top: Part, draft: Draft) -> None:
    part = top.part("goal")
    if part is None:
        return
    kind = part.word("type") or "plain-text"
    if kind == "plain-text":
        _read_goal_text(part, draft)
    elif kind in _GOAL_CHOICES:
        _read_goal_choice(part, draft, is_assigned=_GOAL_CHOICES[kind])
    else:
        part.note("type", f"Goals of the type {quote(kind)} have no counterpart here.")
        part.take("text")
    if part.take("instruction"):
        part.note("instruction", "The goal has no tooltip here; it is left out.", TOLD_LATER)
    part.leave("evaluation_label", "The answer is the field that stands in input and output.")
    part.take("metadata")
    part.finish()


def _read_goal_text(part: Part, draft: Draft) -> None:
    text = part.text("text")
    if text is None:
        return
    older = draft.texts.get("goal_message")
    if older is not None and older != text:
        part.note(
            "text",
            "This is what the page showed, so it is the goal_message here; the goal_message "
            f"of the file, {quote(str(older))}, is left out.",
        )
    draft.texts["goal_message"] = text


def _read_goal_choice(part: Part, draft: Draft, *, is_assigned: bool | None) -> None:
    name = part.name("field_name_for_the_model") or "label"
    is_metadata = part.values.get("metadata") is True
    goal = None if is_metadata else is_assigned
    one = choice(name, part, shown={"as_goal_message": goal, "display_name": part.text("text")})
    draft.add_for_person(one, of=part)
    if one is not None and not is_metadata:
        draft.answers.append(name)


def _read_metadata(top: Part, draft: Draft) -> None:
    """Take the fields of `metadata` as they stand, and add those of the validation page."""
    metadata = top.part("metadata")
    if metadata is not None:
        draft.take_fields(metadata, "create", draft.create)
        draft.take_fields(metadata, "validate", draft.validate)
        metadata.finish()
    for part in top.parts("validation_user_input"):
        for one in read_one(part):
            draft.add(draft.validate, one, of=part)
        part.take("metadata")
        part.finish()
    if top.take("validation_context") is not None:
        top.note(
            "validation_context",
            "Validators always see the context, what was written and the author's answer.",
        )


def _tell_wiring(top: Part, draft: Draft) -> None:
    """Tell where models and forms were wired otherwise than they are here."""
    sent = top.part("model_input") or Part({}, top.at, top.notes)
    for known_as in sent.values:
        name = sent.take(known_as)
        if name != known_as:
            sent.note(
                known_as,
                f"The model got {quote(str(name))} as {quote(known_as)}; here a model gets each "
                "field under its own name.",
                "Rename it in the model, or in its adapter's field map.",
            )
    response = top.part("response_fields")
    if response is not None:
        response.take("input_by_user")
        response.finish()
    cast = top.take("cast_output")
    if cast is not None:
        top.note(
            "cast_output",
            "A model must answer with the labels themselves here; its own are not translated.",
            f"Let the model answer {_pairs(cast)}.",
        )
    required = [name for name in top.entries("required_fields") if isinstance(name, str)]
    optional = [str(one["name"]) for one in draft.input if one["name"] not in required]
    if required and optional:
        top.note(
            "required_fields",
            f"Every field of the input must be filled here, also {', '.join(optional)}.",
            "Move what may stay empty to metadata.create.",
        )


def _pairs(cast: object) -> str:
    if not isinstance(cast, Mapping):
        return "with the labels of the config"
    pairs = [f"{quote(str(label))} for {quote(str(own))}" for label, own in cast.items()]
    return ", ".join(pairs[:20])
