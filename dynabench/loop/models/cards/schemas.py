"""Wire shape of a model card."""

from typing import Annotated

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.science.texts.wire_texts import OneLine, SomeLines

_Text = Annotated[SomeLines, Field(max_length=10_000)]


class ModelCard(WireModel):
    """What the authors of a model say of it.

    A model is published once the first four say something; the rest may stay empty.
    """

    intended_use: _Text = ""
    training_data: _Text = ""
    limitations: _Text = ""
    licence: Annotated[OneLine, Field(max_length=200)] = ""
    evaluation_data: _Text = ""
    ethics: _Text = ""
    contact: Annotated[OneLine, Field(max_length=300)] = ""
    citation: _Text = ""
