"""All materials by the names that people type, and small ones of them for a quick look."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from dynabench.app.study.materials.hate import read_hate
from dynabench.app.study.materials.inference import read_inference
from dynabench.app.study.materials.sentiment import read_sentiment
from dynabench.app.study.values import Item, Material, StudyName
from dynabench.loop.datasets.releases.values import seeded_order

_QUICK_BASE = 600
_QUICK_POOL = 900
_QUICK_SET = 150
_QUICK_SEED = 0

READERS: Mapping[StudyName, Callable[[Path], tuple[Material, ...]]] = MappingProxyType(
    {
        StudyName.SENTIMENT: read_sentiment,
        StudyName.HATE: read_hate,
        StudyName.NLI: read_inference,
    }
)


def read_materials(
    names: Iterable[StudyName], *, folder: Path, is_quick: bool
) -> tuple[Material, ...]:
    """Read the loops of these studies, all of them before anything is computed.

    Raises:
        StudyDataMissingError: If a file is not there.
        StudyDataUnusableError: If a file does not hold what it should.
    """
    found = [material for name in names for material in READERS[name](folder)]
    return tuple(_small(one) for one in found) if is_quick else tuple(found)


def _small(material: Material) -> Material:
    """Return some whole contexts of everything."""
    rounds = sorted({item.source_round for item in material.pool})
    if not material.has_source_rounds:
        pool = _some(material.pool, _QUICK_POOL)
    else:
        share = _QUICK_POOL // len(rounds)
        pool = tuple(
            item
            for number in rounds
            for item in _some([one for one in material.pool if one.source_round == number], share)
        )
    sets = tuple(replace(one, items=_some(one.items, _QUICK_SET)) for one in material.sets)
    return replace(material, base=_some(material.base, _QUICK_BASE), pool=pool, sets=sets)


def _some(items: Sequence[Item], least: int) -> tuple[Item, ...]:
    counts: dict[str, int] = {}
    for item in items:
        counts[item.context] = counts.get(item.context, 0) + 1
    taken: set[str] = set()
    have = 0
    for context in sorted(counts, key=lambda key: seeded_order(_QUICK_SEED, "quick", key)):
        if have >= least:
            break
        taken.add(context)
        have += counts[context]
    return tuple(item for item in items if item.context in taken)
