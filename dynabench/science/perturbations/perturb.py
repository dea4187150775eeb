"""Makes the variants of one item."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.registry import TRANSFORMS, applicable
from dynabench.science.perturbations.values import Edit, Transform, TransformKind, Variant

NOTHING_PROTECTED: Mapping[str, tuple[str, ...]] = {}


def perturb(
    uid: str,
    fields: Mapping[str, str],
    *,
    kind: TransformKind,
    seed: int,
    language: str,
    transforms: Sequence[str] | None = None,
    protected: Mapping[str, tuple[str, ...]] = NOTHING_PROTECTED,
) -> list[Variant]:
    """Return an item's variants, one for each transform that can change it.

    The same arguments give the same variants on every machine, and a variant does not depend on
    which other transforms are asked for.

    Args:
        uid: The item's name.
        fields: Its texts by field.
        kind: Whether robustness or fairness is asked for.
        seed: The run's seed.
        language: The tag of the texts' language.
        transforms: Which ones; all of the language if None. Others give no variant.
        protected: For each field, texts that stay as they are: those that carry the answer.

    Raises:
        ValueError: If there is no such transform of the kind.

    Example:
        >>> found = perturb(
        ...     "a", {"text": "It is fine."}, kind=TransformKind.ROBUSTNESS, seed=1, language="en"
        ... )
        >>> next(one.fields["text"] for one in found if one.transform == "contractions")
        "It's fine."
    """
    chosen = choose(kind, language, transforms)
    # The order of fields is the caller's; the draws must not depend on it.
    names = sorted(fields)
    passages = [
        Passage(fields[name], language=language, protected=protected.get(name, ()))
        for name in names
    ]
    found: list[Variant] = []
    for transform in chosen:
        draws = Draws(seed=seed, uid=uid, transform=transform.name)
        changes = zip(names, transform.change(passages, draws), strict=True)
        edits = {name: tuple(sorted(made)) for name, made in changes if made}
        changed = {name: apply(fields[name], made) for name, made in edits.items()}
        if any(changed[name] != fields[name] for name in changed):
            found.append(Variant(transform.name, {**fields, **changed}, edits))
    return found


def choose(
    kind: TransformKind, language: str, transforms: Sequence[str] | None
) -> Sequence[Transform]:
    """Return the transforms that are asked for and know the language.

    Raises:
        ValueError: If there is no such transform of the kind.
    """
    return _choose(kind, language, None if transforms is None else tuple(transforms))


@lru_cache(maxsize=64)
def _choose(
    kind: TransformKind, language: str, transforms: tuple[str, ...] | None
) -> tuple[Transform, ...]:
    names = applicable(kind, language)[0] if transforms is None else transforms
    for name in names:
        if name not in TRANSFORMS or TRANSFORMS[name].kind is not kind:
            message = f"There is no {kind.value} transform {name}."
            raise ValueError(message)
    return tuple(
        TRANSFORMS[name] for name in names if TRANSFORMS[name].languages.includes(language)
    )


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with pieces replaced, from left to right.

    Example:
        >>> apply("an old tree", [Edit(0, 2, "the"), Edit(11, 11, "!")])
        'the old tree!'
    """
    pieces: list[str] = []
    done = 0
    for start, end, put in edits:
        pieces += (text[done:start], put)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
