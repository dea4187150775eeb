"""Checks values against fields, and tells about all wrong ones at once."""

from collections.abc import Iterable, Mapping, Sequence

from dynabench.science.task_config.elements import Field, MetadataField, VoteCondition
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.mapping_reader import kind_of
from dynabench.science.task_config.problems import (
    FieldValueError,
    UnusableValueError,
    list_names,
    nearest,
    quote,
    shorten,
)

_TOLD_AT_MOST = 50


class _Checked:
    """Collects the checked values of one request part, and what is wrong with the others."""

    def __init__(self, prefix: str, context: Mapping[str, object] | None) -> None:
        self._prefix = prefix
        self._texts = dict(context or {})
        self._values: dict[str, object] = {}
        self._wrong: dict[str, str] = {}

    def check_all(self, given: Iterable[tuple[Field, object]]) -> None:
        """Check values together: strings first, as others may mark words in them."""
        pairs = list(given)
        for one, value in sorted(pairs, key=lambda pair: not isinstance(pair[0].type, StringType)):
            self._check(one, value)
        order = {one.name: position for position, (one, _) in enumerate(pairs)}
        self._values = dict(sorted(self._values.items(), key=lambda item: order[item[0]]))

    def _check(self, one: Field, value: object) -> None:
        """Keep a value in its stored form, or what its type says against it."""
        try:
            kept = one.type.check(value, context=self._texts or None)
            self._values[one.name] = kept
            self._texts.setdefault(one.name, kept)
        except UnusableValueError as problem:
            self.refuse(one.name, problem.sentence)

    def refuse(self, name: str, sentence: str) -> None:
        """Note what is wrong with a field."""
        self._wrong[f"{self._prefix}.{shorten(name)}"] = sentence

    def refuse_unknown(self, name: str, known: Iterable[str]) -> None:
        """Note a field that does not exist; of very many only the first are told."""
        if len(self._wrong) >= _TOLD_AT_MOST:
            return
        names = list(known)
        close = nearest(name, names)
        if close:
            hint = f" Did you mean {quote(close)}?"
        else:
            hint = f" Known are: {list_names(names)}." if names else ""
        self.refuse(name, f"There is no such field.{hint}")

    def values(self) -> dict[str, object]:
        """Return the checked values, or raise everything that is wrong."""
        if self._wrong:
            raise FieldValueError(self._wrong)
        return self._values


def check_values(
    fields: Sequence[Field],
    values: object,
    *,
    prefix: str,
    context: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Return the stored form of values that fill every one of the fields.

    Args:
        fields: What is asked for; each is required.
        values: What was given.
        prefix: The part of the request that is named before the field, as in `inputs`.
        context: The texts that a value may mark words in: the checked context and, for an
            answer, what was written.
        elsewhere: Names that belong into another part, with the sentence that says so.

    Raises:
        FieldValueError: If a value is missing, unknown or wrong; all of them are named.
    """
    given = _as_mapping(values, prefix)
    checked = _Checked(prefix, context)
    known = [one.name for one in fields]
    filled = [(one, given[one.name]) for one in fields if given.get(one.name) is not None]
    checked.check_all(filled)
    for one in fields:
        if given.get(one.name) is None:
            checked.refuse(one.name, "It is missing; fill it in.")
    for name in given:
        if name in (elsewhere or {}):
            checked.refuse(name, (elsewhere or {})[name])
        elif name not in known:
            checked.refuse_unknown(name, known)
    return checked.values()


def check_outputs(
    fields: Sequence[Field], values: object, *, context: Mapping[str, object] | None
) -> dict[str, object]:
    """Return the stored form of what a model answered.

    Probabilities may be absent, and what else the model says is left out.

    Raises:
        FieldValueError: If an output field is missing or wrong; all of them are named.
    """
    given = _as_mapping(values, "outputs")
    checked = _Checked("outputs", context)
    filled = [(one, given[one.name]) for one in fields if given.get(one.name) is not None]
    checked.check_all(filled)
    for one in fields:
        if given.get(one.name) is None and not one.type.for_model_output_only:
            close = nearest(one.name, [name for name in given if name != one.name])
            hint = f" It gave {quote(close)} instead." if close else ""
            checked.refuse(one.name, f"The model gave no such field.{hint}")
    return checked.values()


def check_metadata_values(
    fields: Sequence[MetadataField],
    values: object,
    *,
    model_wrong: bool | None,
    vote: str | None,
    context: Mapping[str, object] | None,
) -> dict[str, object]:
    """Return the stored form of explanations; what was left empty is left out.

    Raises:
        FieldValueError: If a value is unknown, wrong, or was not asked in this case.
    """
    given = _as_mapping(values, "metadata")
    by_name = {one.name: one for one in fields}
    checked = _Checked("metadata", context)
    filled: list[tuple[Field, object]] = []
    for name, value in given.items():
        one = by_name.get(name)
        if one is None:
            checked.refuse_unknown(name, by_name)
        elif _is_empty(value):
            continue
        elif not _is_asked(one, model_wrong=model_wrong, vote=vote):
            checked.refuse(name, f"It is asked only {_when(one)}; leave it out.")
        else:
            filled.append((one.field, value))
    checked.check_all(filled)
    return checked.values()


def asked_metadata(
    fields: Sequence[MetadataField], *, model_wrong: bool | None, vote: str | None
) -> tuple[MetadataField, ...]:
    """Return which explanations are asked in this case."""
    return tuple(
        one for one in fields if one.model_wrong in {None, model_wrong} and one.vote in {None, vote}
    )


def _is_asked(one: MetadataField, *, model_wrong: bool | None, vote: str | None) -> bool:
    """Tell whether a value may be given; what is not known yet forbids nothing."""
    contradicts = one.model_wrong is not None and model_wrong not in {None, one.model_wrong}
    return not contradicts and (one.vote is None or vote is None or vote == one.vote)


def _when(one: MetadataField) -> str:
    if one.vote is not None:
        words = {VoteCondition.FLAGGED: "when the example is flagged"}
        return words.get(one.vote, f"when the vote is {one.vote.value}")
    return "when the model was wrong" if one.model_wrong else "when the model was right"


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _as_mapping(values: object, prefix: str) -> Mapping[str, object]:
    if isinstance(values, Mapping) and all(isinstance(name, str) for name in values):
        return values
    sentence = f"It must map field names to values, not {kind_of(values)}."
    raise FieldValueError({prefix: sentence})
