"""The field types by the word that a config writes after `type:`."""

from types import MappingProxyType

from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.number import NumberType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.fields.string import StringType

_BUILT_IN: tuple[type[FieldType], ...] = (
    StringType,
    MulticlassType,
    MultilabelType,
    SelectionType,
    SpansType,
    NumberType,
    RatingType,
    ImageType,
    AudioType,
    ChatType,
    ProbType,
)

FIELD_TYPES: MappingProxyType[str, type[FieldType]] = MappingProxyType(
    {one.type_name: one for one in _BUILT_IN}
)
