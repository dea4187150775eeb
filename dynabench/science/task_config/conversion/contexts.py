"""Translates the later shape's `context`: what is shown, and the tools that came with it."""

from collections.abc import Callable, Mapping

from dynabench.science.task_config.conversion.draft import TOLD_LATER, Draft, choice, entry
from dynabench.science.task_config.conversion.part import Part
from dynabench.science.task_config.fields.chat import MAX_CANDIDATES, MAX_TURNS
from dynabench.science.task_config.problems import quote

_Reader = Callable[[Part, Draft], None]

_PICTURE_NAME = "image"


def read_context(top: Part, draft: Draft) -> None:
    """Add the fields of `context`; a list of fields is taken as it stands."""
    if isinstance(top.values.get("context"), list):
        draft.take_fields(top, "context", draft.context)
        return
    part = top.part("context")
    if part is None:
        return
    kind = part.word("type")
    reader = _READERS.get("plain-text" if kind is None else kind)
    if part.take("metadata") is not None:
        part.note(
            "metadata",
            "The whole context is sent to the model here.",
            "Put what the model must not see into the metadata of the contexts' file.",
        )
    if part.take("instruction"):
        part.note("instruction", "The context has no tooltips here; they are left out.", TOLD_LATER)
    if reader is None:
        for key in part.values:
            part.take(key)
        part.note(
            "type",
            f"Contexts of the type {quote(str(kind))} have no counterpart here.",
            "Describe what is shown as fields of `context` by hand.",
        )
        return
    reader(part, draft)
    _tell_generative(part)
    part.finish()


def _roles(part: Part) -> dict[str, str]:
    """Return the names that the model knows, by what they are on the page."""
    names = part.part("field_names_for_the_model")
    if names is None:
        return {}
    found = {str(role): names.name(str(role)) for role in names.values}
    return {role: name for role, name in found.items() if name is not None}


def _add_context(part: Part, draft: Draft, role: str, name: str, kind: str) -> None:
    """Add a field of the context, and tell where the uploaded contexts call it otherwise."""
    draft.add(draft.context, entry(name, kind), of=part)
    if role != name:
        part.note(
            "field_names_for_the_model",
            f"Uploaded contexts hold this as {quote(role)}; here it is {quote(name)}.",
            f"Rename the key in the contexts' file to {quote(name)}.",
        )


def _plain(part: Part, draft: Draft) -> None:
    for role, name in (_roles(part) or {"context": "context"}).items():
        _add_context(part, draft, role, name, "string")


def _media(kind: str) -> _Reader:
    def read(part: Part, draft: Draft) -> None:
        roles = _roles(part) or {"context": kind}
        for position, (role, name) in enumerate(roles.items()):
            _add_context(part, draft, role, name, "string" if position else kind)

    return read


def _selectable(part: Part, draft: Draft) -> None:
    roles = _roles(part)
    passage = roles.pop("context", "context")
    _add_context(part, draft, "context", passage, "string")
    for name in roles.values():
        selection = entry(name, "context_string_selection", reference_name=passage)
        draft.add(draft.input, selection, of=part)
        draft.answers.append(name)


def _modified(part: Part, draft: Draft) -> None:
    roles = _roles(part)
    for name in ("question", "context"):
        draft.add(draft.context, entry(name, "string"), of=part)
    edited = next((name for name in roles.values() if name not in draft.written), "edited_text")
    draft.add(draft.input, entry(edited, "string", multiline=True), of=part)
    part.note(
        None,
        f"People write {quote(edited)} into an empty field; the text is not put there to edit, "
        "and no difference is shown.",
    )


def _described(part: Part, draft: Draft) -> None:
    draft.add(draft.input, entry(_PICTURE_NAME, "image"), of=part)
    draft.add(draft.input, entry("description", "string", min_length=20), of=part)
    part.note(
        None,
        "The picture and its description are kept; the lists of countries, languages, "
        "categories and concepts are left out.",
        "Add them as multiclass fields to `input` by hand.",
    )


def _tagged(part: Part, draft: Draft) -> None:
    passage = "context"
    draft.add(draft.context, entry(passage, "string"), of=part)
    artifacts = _artifacts(part)
    labels: list[str] = []
    for tag in [] if artifacts is None else artifacts.parts("tags"):
        label = tag.word("back_label") or tag.word("display_label")
        if label is not None and label.strip() and label.strip() not in labels:
            labels.append(label.strip())
        if tag.take("display_label") not in (None, label):
            tag.note("display_label", f"Labels have one form here; it is {quote(str(label))}.")
    own = labels if len(labels) > 1 else None
    draft.add(draft.input, entry("spans", "spans", reference_name=passage, labels=own), of=part)
    draft.answers.append("spans")
    part.take("field_names_for_the_model")
    part.note(
        None,
        "Spans are stored by characters here, not by words, and contexts are handed out by the "
        "round's policy, not by the chosen tag.",
        "Restrict a round's contexts by their tags.",
    )


def _chat(part: Part, draft: Draft) -> None:
    artifacts = _artifacts(part)
    candidates = turns = None
    rates: bool | None = None
    if artifacts is not None:
        candidates = _count(artifacts, "number_of_samples", MAX_CANDIDATES)
        turns = _count(artifacts, "num_interactions_chatbot", MAX_TURNS)
        rates = True if artifacts.take("options_slider") else None
        _read_category(artifacts, draft)
        artifacts.leave("providers", "Register these models, and name them as a round's targets.")
        for key in artifacts.values:
            artifacts.leave(key, TOLD_LATER)
    roles = _roles(part)
    if "context" in roles:
        _add_context(part, draft, "context", roles["context"], "string")
    if rates:
        part.note(None, "Each reply is rated from 1 to 5 here, not by a slider.")
    talk = entry("chat", "chat", max_turns=turns, candidates=candidates, rating=rates)
    draft.add(draft.input, talk, of=part)
    draft.chat_candidates = candidates or 1


def _read_category(artifacts: Part, draft: Draft) -> None:
    """Add the question that was asked before the conversation."""
    asked = artifacts.part("user_input")
    name = None if asked is None else asked.name("field_name_for_the_model")
    if asked is None or name is None:
        return
    asked.take("type")
    draft.add(
        draft.input,
        choice(name, asked, shown={"display_name": asked.text("instructions")}),
        of=asked,
    )
    asked.leave("instruction", TOLD_LATER)
    asked.finish()


def _count(part: Part, key: str, most: int) -> int | None:
    value = part.take(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        return None
    if value > most:
        part.note(key, f"At most {most} fit here, not {value}; {most} is written.")
    return min(value, most)


def _artifacts(part: Part) -> Part | None:
    generative = part.part("generative_context")
    if generative is None:
        return None
    for key in ("is_generative", "type"):
        generative.take(key)
    found = generative.part("artifacts")
    generative.finish()
    return found


def _tell_generative(part: Part) -> None:
    """Note a generator that the reader of this type did not look at."""
    if part.is_read("generative_context"):
        return
    generative = part.part("generative_context")
    if generative is not None and generative.is_set("is_generative"):
        part.note(
            "generative_context",
            "Nothing is generated for this kind of context here; it is left out.",
            "Use a chat field, or upload what was generated as contexts.",
        )


_READERS: Mapping[str, _Reader] = {
    "plain-text": _plain,
    "selectable-text": _selectable,
    "modify-original-text": _modified,
    "zoom_image": _media("image"),
    "zoom-image": _media("image"),
    "single-image": _media("image"),
    "audio": _media("audio"),
    "describe-image": _described,
    "select-multiple-text-multiple-tags": _tagged,
    "evaluate-texts-generative": _chat,
    "chat-with-instructions": _chat,
    "chat-random-with-instructions": _chat,
}
