"""What every type of field can do; `registry` lists the types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self

from dynabench.science.task_config.mapping_reader import MappingReader
from dynabench.science.task_config.problems import Path, Problems


class FieldType(Protocol):
    """One type of field with its arguments read: how values are checked and compared.

    Adding a type is adding one module with one such class, and its line in `registry`.
    """

    type_name: ClassVar[str]
    """The word after `type:` in the config."""

    for_model_output_only: ClassVar[bool]
    """Whether only a model, never a person, gives such a value."""

    for_people_only: ClassVar[bool]
    """Whether only a person, never a model, gives such a value: it stands in no output."""

    argument_schema: ClassVar[dict[str, object]]
    """The JSON schema of each argument beside `name` and `type`, by argument.

    Each has a `description`, which editors and the reference show.
    """

    required_arguments: ClassVar[tuple[str, ...]]
    """The arguments without which the type makes no sense."""

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read the type's arguments, noting everything wrong with them."""
        ...

    def link(self, neighbours: "Neighbours", *, at: Path, problems: Problems) -> Self:
        """Return the type with its references resolved, noting those that dangle.

        Args:
            neighbours: The types of the config's other fields.
            at: Where the field stands in the config.
            problems: Takes what is wrong.
        """
        ...

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the value in its stored form.

        Args:
            value: What was given; anything that JSON can hold.
            context: The texts that a value may refer to by name (the checked context and
                what was written), or None where they are not at hand.

        Raises:
            UnusableValueError: If the value cannot be used; the sentence says what to do.
        """
        ...

    def is_equal(self, one: object, other: object) -> bool:
        """Tell whether two checked values are the same answer."""
        ...

    def text_of(self, value: object) -> str:
        """Return a checked value as text, for token F1 and for duplicates."""
        ...

    def describe(self) -> dict[str, object]:
        """Return the arguments as a page needs them, as plain JSON."""
        ...


Types = Mapping[str, FieldType | None]
"""Types by field name; None for a field that is there but could not be read."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The types of a config's fields, by section and name."""

    context: Types = field(default_factory=dict)
    input: Types = field(default_factory=dict)
    output: Types = field(default_factory=dict)

    @property
    def written(self) -> Types:
        """What the annotator writes for the model: the input without the gold answer."""
        return {name: one for name, one in self.input.items() if name not in self.output}

    @property
    def shown(self) -> Types:
        """What a model is shown: the context, and what was written."""
        return {**self.context, **self.written}

    @property
    def answered(self) -> Types:
        """Everything that somebody fills in: the input and the output."""
        return {**self.output, **self.input}

    @property
    def replied(self) -> Types:
        """What the model alone answers: the output that is not in the input."""
        return {name: one for name, one in self.output.items() if name not in self.input}
