"""Finding a model's answer text in the passage that it was taken from."""

from collections.abc import Mapping

from dynabench.engines.inference.outputs import AnswerProblemError
from dynabench.engines.inference.protocol import ModelInput

_QUOTES = " \t\r\n\"'`“”‘’.,"


def located_span(text: str, passage: str) -> dict[str, object] | None:
    """Return `{text, start, end}` of the first place of a text in a passage, if it is there.

    Tried as it stands, then without quotes and closing marks, then in any case; `text` is
    always what the passage says.
    """
    for wanted in dict.fromkeys((text, text.strip(_QUOTES))):
        if not wanted:
            continue
        start = passage.find(wanted)
        if start < 0 and len(passage.lower()) == len(passage):
            start = passage.lower().find(wanted.lower())
        if start >= 0:
            end = start + len(wanted)
            return {"text": passage[start:end], "start": start, "end": end}
    return None


def required_span(
    value: object, *, output_name: str, reference_name: str, model_input: ModelInput
) -> object:
    """Return a span answer as an object; one that is an object already passes unchanged."""
    if isinstance(value, Mapping):
        return value
    passage = str(model_input.get(reference_name) or "")
    span = located_span(str(value), passage)
    if span is None:
        raise AnswerProblemError(
            f"The output field '{output_name}' is not found in '{reference_name}'."
        )
    return span
