"""The field types by the word that a config writes after `type:`."""

from types import MappingProxyType

from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.string import StringType

_BUILT_IN: tuple[type[FieldType], ...] = (StringType, MulticlassType, SelectionType, ProbType)

FIELD_TYPES: MappingProxyType[str, type[FieldType]] = MappingProxyType(
    {one.type_name: one for one in _BUILT_IN}
)

LATER_FIELD_TYPES = ("multilabel", "spans", "number", "rating", "image", "audio", "chat")
"""Types of the format that this version does not render yet."""
