"""What every type of field can do; `registry` lists the types."""

from collections.abc import Mapping
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

    argument_schema: ClassVar[dict[str, object]]
    """The JSON schema of each argument beside `name` and `type`, by argument."""

    required_arguments: ClassVar[tuple[str, ...]]
    """The arguments without which the type makes no sense."""

    @classmethod
    def read(cls, reader: MappingReader) -> Self:
        """Read the type's arguments, noting everything wrong with them."""
        ...

    def link(self, *, context: "Types", others: "Types", at: Path, problems: Problems) -> Self:
        """Return the type with its references resolved, noting those that dangle.

        Args:
            context: The types of the context's fields by name.
            others: The types of the input and output fields by name.
            at: Where the field stands in the config.
            problems: Takes what is wrong.
        """
        ...

    def check(self, value: object, *, context: Mapping[str, object] | None) -> object:
        """Return the value in its stored form.

        Args:
            value: What was given; anything that JSON can hold.
            context: The checked context, or None where it is not at hand.

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
