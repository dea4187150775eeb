"""Varying the texts of items so that the right answer stays what and where it is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dynabench.kit.sentences import Phrase
from dynabench.kit.wire import Values
from dynabench.loop.datasets.perturbing.values import PerturbationOrder
from dynabench.loop.datasets.values import DatasetItem, PerturbationMaker
from dynabench.science.perturbations.languages import TITLES
from dynabench.science.perturbations.perturb import perturb
from dynabench.science.perturbations.registry import TRANSFORMS, VERSION, applicable
from dynabench.science.perturbations.values import (
    BY_REQUEST,
    NO_TEXT,
    OTHER_LANGUAGE,
    TransformKind,
    Variant,
)
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.schema import TaskConfig

Marking = SelectionType | SpansType


_UNKNOWN = Phrase("perturbing.unknown", "There is no transform of this name.")
_OTHER_KIND = Phrase("perturbing.other_kind", "It is a transform for {kind}.")
_OTHERS_NAMED = Phrase("perturbing.others_named", "The task's config names others.")
OTHERS_NAMED = _OTHERS_NAMED.say()
_KINDS = {
    TransformKind.ROBUSTNESS: Phrase("perturbing.robustness", "robustness"),
    TransformKind.FAIRNESS: Phrase("perturbing.fairness", "fairness"),
}
WHY_LEFT_OUT = (
    NO_TEXT,
    OTHER_LANGUAGE,
    BY_REQUEST,
    _UNKNOWN,
    _OTHER_KIND,
    *_KINDS.values(),
    *TITLES,
)
"""Every reason why a field or a transform is left out; sets hold the text alone."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is varied, how, and what is not.

    Attributes:
        kind: What the set is to show.
        seed: Decides the draws.
        names: The texts that may change, by their language.
        transforms: Which of a language's transforms are used.
        left_out: The other transforms, and fields that are no text, with the reason.
        marking: Gold fields that mark words in a text that may change.
        written: Gold fields of plain text, whose words stay wherever a text has them.
    """

    kind: TransformKind
    seed: int
    names: Mapping[str, tuple[str, ...]]
    transforms: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, str]
    marking: tuple[Field, ...]
    written: tuple[str, ...]


def recipe_of(config: TaskConfig, order: PerturbationOrder) -> Recipe:
    """Return how a task's items are varied; the order's transforms go before the config's."""
    metric = next((one for one in config.delta_metrics if one.name == order.kind.value), None)
    wanted = order.transforms
    if wanted is None and metric is not None and metric.transforms:
        wanted = metric.transforms
    chosen = () if metric is None else metric.perturb_fields
    shown = config.model_input_fields
    texts = {one.name: one.type for one in shown if isinstance(one.type, StringType)}
    left_out: dict[str, str] = {one.name: NO_TEXT.say() for one in shown if one.name not in texts}
    names: dict[str, list[str]] = {}
    for name, kind in texts.items():
        if not chosen or name in chosen:
            names.setdefault(kind.language or config.language, []).append(name)
    transforms: dict[str, tuple[str, ...]] = {}
    for language in names:
        transforms[language], reasons = _transforms(order.kind, language, wanted)
        left_out |= reasons
    used = {one for found in transforms.values() for one in found}
    return Recipe(
        kind=order.kind,
        seed=order.seed,
        names={language: tuple(found) for language, found in names.items()},
        transforms=transforms,
        left_out={name: reason for name, reason in left_out.items() if name not in used},
        marking=tuple(
            one
            for one in config.gold_fields
            if isinstance(one.type, Marking) and one.type.reference_name in texts
        ),
        written=tuple(one.name for one in config.gold_fields if isinstance(one.type, StringType)),
    )


def _transforms(
    kind: TransformKind, language: str, wanted: Sequence[str] | None
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the transforms that are used on a language, and why others are not."""
    if wanted is None:
        return applicable(kind, language)
    used: list[str] = []
    left_out: dict[str, str] = {}
    for name in wanted:
        known = TRANSFORMS.get(name)
        if known is None:
            left_out[name] = _UNKNOWN.say()
        elif known.kind is not kind:
            left_out[name] = _OTHER_KIND.say(kind=_KINDS[known.kind].say())
        elif not known.languages.includes(language):
            left_out[name] = OTHER_LANGUAGE.say(title=known.languages.title, language=language)
        else:
            used.append(name)
    return tuple(used), left_out


def vary(items: Iterable[DatasetItem], recipe: Recipe) -> list[DatasetItem]:
    """Return the variants of items, those of one item together; positions are left to others."""
    return [variant for item in items for variant in _variants(item, recipe)]


def _variants(item: DatasetItem, recipe: Recipe) -> list[DatasetItem]:
    values = {**item.context, **item.inputs}
    protected = _protected(item.gold, recipe)
    by_transform: dict[str, list[Variant]] = {}
    for language, names in recipe.names.items():
        texts = {name: text for name in names if isinstance(text := values.get(name), str)}
        for variant in perturb(
            item.uid,
            texts,
            kind=recipe.kind,
            transforms=recipe.transforms[language],
            seed=recipe.seed,
            language=language,
            protected=protected,
        ):
            by_transform.setdefault(variant.transform, []).append(variant)
    return [_varied(item, found, recipe.marking) for found in by_transform.values()]


def _varied(
    item: DatasetItem, variants: Sequence[Variant], marking: Sequence[Field]
) -> DatasetItem:
    """Return an item with its texts changed, and the places of its answer moved along."""
    (transform,) = {one.transform for one in variants}
    texts = {name: text for one in variants for name, text in one.fields.items()}
    context = {name: texts.get(name, value) for name, value in item.context.items()}
    inputs = {name: texts.get(name, value) for name, value in item.inputs.items()}
    gold = dict(item.gold)
    for one in marking:
        assert isinstance(one.type, Marking)
        source = one.type.reference_name
        holder = next((found for found in variants if source in found.fields), None)
        if holder is not None and one.name in gold:
            gold[one.name] = _moved(gold[one.name], source, holder)
    return replace(
        item,
        uid=f"{item.uid}:{transform}",
        position=0,
        context=context,
        inputs=inputs,
        gold=gold,
        original_uid=item.uid,
        transform=transform,
    )


def _protected(gold: Values, recipe: Recipe) -> dict[str, tuple[str, ...]]:
    """Return the words that carry the answer, by the text that they stand in."""
    written = [text for name in recipe.written for text in _answers(gold.get(name))]
    found = {name: list(written) for names in recipe.names.values() for name in names}
    for one in recipe.marking:
        assert isinstance(one.type, Marking)
        found.setdefault(one.type.reference_name, []).extend(_answers(gold.get(one.name)))
    return {name: tuple(dict.fromkeys(texts)) for name, texts in found.items()}


def _answers(value: object) -> Iterable[str]:
    """Give the words of an answer, be it one or a list of acceptable ones."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and "text" in value:
        yield str(value["text"])
    elif isinstance(value, list):
        for one in value:
            yield from _answers(one)


def _moved(value: object, source: str, variant: Variant) -> object:
    """Return an answer with each marked place where its words now stand."""
    if isinstance(value, list):
        return [_moved(one, source, variant) for one in value]
    if not isinstance(value, Mapping) or not isinstance(value.get("start"), int):
        return value
    start, end = variant.moved(source, int(str(value["start"])), int(str(value["end"])))
    return {**value, "start": start, "end": end}


def texts_of(original: DatasetItem, variant: DatasetItem) -> list[tuple[str, str, str]]:
    """Return the name of each text that changed, as it was, and as it is."""
    before = {**original.context, **original.inputs}
    after = {**variant.context, **variant.inputs}
    return [
        (name, text, changed)
        for name, text in before.items()
        if isinstance(text, str) and isinstance(changed := after.get(name), str) and text != changed
    ]


@dataclass
class PerturbationTally:
    """Counts what each transform changed while items go by."""

    items: int = 0
    changed: Counter[str] = field(default_factory=Counter)

    def add(self, originals: int, variants: Iterable[DatasetItem]) -> None:
        """Count some originals and, of each transform, those that it changed."""
        self.items += originals
        pairs = {(one.transform or "", one.original_uid) for one in variants}
        self.changed.update(transform for transform, _ in pairs)

    def told(
        self,
        kind: TransformKind,
        *,
        made_by: PerturbationMaker,
        seed: int | None,
        transforms: Iterable[str],
        left_out: Mapping[str, str],
    ) -> Values:
        """Return what a version says of how it was made: every transform with its counts."""
        names = dict.fromkeys([*transforms, *sorted(self.changed)])
        return {
            "kind": kind.value,
            "made_by": made_by.value,
            "seed": seed,
            "transforms_version": VERSION if made_by is PerturbationMaker.PLATFORM else None,
            "transforms": {
                name: {"items": self.items, "changed": self.changed[name]} for name in names
            },
            "left_out": dict(left_out),
        }
