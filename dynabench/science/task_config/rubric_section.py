"""Reads the arguments of the fooling rule `rubric`: the judge and the criteria."""

from dynabench.science.task_config.elements import Criterion, FoolingRule, ModelWrongMetric
from dynabench.science.task_config.mapping_reader import MAX_LABEL_LENGTH, MappingReader, kind_of
from dynabench.science.task_config.problems import quote

MAX_CRITERIA = 20
MAX_CRITERION_LENGTH = 2000
MAX_JUDGE_LENGTH = 200


def read_rubric(reader: MappingReader) -> ModelWrongMetric:
    """Read `judge` and `criteria`."""
    judge = _needed_text(
        reader, "judge", "the name of a model of the task with the purpose judge", MAX_JUDGE_LENGTH
    )
    return ModelWrongMetric(FoolingRule.RUBRIC, judge=judge, criteria=_read_criteria(reader))


def _read_criteria(reader: MappingReader) -> tuple[Criterion, ...]:
    value = reader.need("criteria", "a list of {name, text}: what an answer must not break")
    if value is None:
        return ()
    if not isinstance(value, list) or not value:
        reader.wrong("criteria", f"This must be a list of {{name, text}}, not {kind_of(value)}.")
        return ()
    if len(value) > MAX_CRITERIA:
        reader.wrong(
            "criteria", f"At most {MAX_CRITERIA} criteria fit here; this list has {len(value)}."
        )
    found: dict[str, Criterion] = {}
    for position, entry in enumerate(value[:MAX_CRITERIA]):
        one = MappingReader.of(entry, (*reader.at, "criteria", position), reader.problems)
        if one is None:
            continue
        name = _needed_text(one, "name", "a short name of the criterion", MAX_LABEL_LENGTH)
        text = _needed_text(
            one, "text", "the sentence that an answer must not break", MAX_CRITERION_LENGTH
        )
        one.finish()
        if name in found:
            one.wrong("name", f"The criterion {quote(name)} stands twice.", "Remove one.")
        elif name is not None and text is not None:
            found[name] = Criterion(name, text)
    return tuple(found.values())


def _needed_text(reader: MappingReader, key: str, expected: str, longest: int) -> str | None:
    """Read a required text that is not empty."""
    if reader.need(key, expected) is None:
        return None
    value = reader.string(key)
    if value is not None and (not value.strip() or len(value) > longest):
        reader.wrong(key, f"This must have 1 to {longest} characters, and not only space.")
    return value
