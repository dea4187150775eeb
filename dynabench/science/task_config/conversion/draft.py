"""The config that a translation fills, section by section."""

from dataclasses import dataclass, field

from dynabench.science.task_config.conversion.part import Part
from dynabench.science.task_config.problems import quote
from dynabench.science.task_config.sections import MAX_FIELDS

Entry = dict[str, object]

TOLD_LATER = "Give it in `instructions`, which annotators and validators read."


@dataclass(slots=True)
class Draft:
    """The sections of the config, and which of its fields are answers.

    `answers` names the fields that people fill as the right answer, which the later shape
    does not say of a field: they come from the goal, a selection in the context or the name
    `label`.
    """

    texts: Entry = field(default_factory=dict)
    context: list[Entry] = field(default_factory=list)
    input: list[Entry] = field(default_factory=list)
    output: list[Entry] = field(default_factory=list)
    create: list[Entry] = field(default_factory=list)
    validate: list[Entry] = field(default_factory=list)
    metrics: Entry = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)
    chat_candidates: int | None = None

    @property
    def written(self) -> dict[str, Entry]:
        """The fields of context and input by name."""
        return {str(one.get("name")): one for one in (*self.context, *self.input)}

    def add(self, section: list[Entry], one: Entry | None, *, of: Part) -> None:
        """Add a field to a section, unless its name is taken there."""
        if one is None:
            return
        if len(section) >= MAX_FIELDS:
            of.note(None, f"A list has at most {MAX_FIELDS} fields here; this one is left out.")
            return
        is_shared = section is self.context or section is self.input
        taken = self.written if is_shared else {str(other.get("name")) for other in section}
        if str(one["name"]) in taken:
            of.note(
                None, f"A field {quote(str(one['name']))} is there already; this one is left out."
            )
            return
        section.append(one)

    def add_for_person(self, one: Entry | None, *, of: Part) -> None:
        """Add what a person fills: to the input, or to the explanations where it says so."""
        section = self.create if of.take("metadata") is True else self.input
        self.add(section, one, of=of)

    def take_fields(self, holder: Part, key: str, section: list[Entry]) -> None:
        """Take a list of fields that is written as it is here."""
        for part in holder.parts(key):
            if isinstance(part.values.get("name"), str):
                self.add(section, dict(part.values), of=part)
            else:
                part.note(None, "It has no name; it is left out.")

    def as_config(self) -> Entry:
        """Return the whole config, without the sections that stayed empty."""
        metadata = {"create": self.create, "validate": self.validate}
        sections: Entry = {
            "context": self.context,
            "input": self.input,
            "output": self.output,
            "metadata": {key: entries for key, entries in metadata.items() if entries},
        }
        filled = {key: value for key, value in sections.items() if value}
        return {**self.texts, **filled, **self.metrics}


def entry(name: str, kind: str, **arguments: object) -> Entry:
    """Return a field with those of its arguments that are given."""
    given = {key: value for key, value in arguments.items() if value is not None}
    return {"name": name, "type": kind, **given}


def choice(
    name: str, part: Part, *, kind: str = "multiclass", shown: Entry | None = None
) -> Entry | None:
    """Return a field with the part's `options` as labels; None, and a note, without two."""
    labels = part.labels("options")
    if len(labels) > 1:
        return entry(name, kind, labels=labels, **(shown or {}))
    part.note(
        "options",
        f"The choice {quote(name)} needs at least two options; it is left out.",
        f"Add the field by hand: {{name: {name}, type: {kind}, labels: […]}}.",
    )
    return None
