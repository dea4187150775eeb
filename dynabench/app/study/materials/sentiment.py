"""Sentiment: from sentences of film reviews (SST-5, three labels) to DynaSent."""

from pathlib import Path

from dynabench.app.study.materials.files import Record, Source, cleaned, read_items, text_of
from dynabench.app.study.values import Item, Material, ScoredSet, SetKind

LABELS = frozenset({"positive", "negative", "neutral"})

_TREES = "SST-5 (Socher et al. 2013), roots of the trees with three labels"
_DYNASENT = "DynaSent v1.1 (Potts et al. 2021)"
SST_TRAIN = Source("sst5/sst5_train.jsonl.gz", _TREES)
SST_DEV = Source("sst5/sst5_dev.jsonl.gz", _TREES)
ROUND_1 = Source("dynasent/dynasent-v1.1-round01-yelp-dev.jsonl.gz", _DYNASENT)
ROUND_2 = Source("dynasent/dynasent-v1.1-round02-dynabench-dev.jsonl.gz", _DYNASENT)


def read_sentiment(folder: Path) -> tuple[Material, ...]:
    """Read the one loop of this study."""
    static = tuple(_trees(folder, SST_DEV))
    material = Material(
        name="sentiment",
        title="Sentiment: SST-5 → DynaSent",
        task="sentiment",
        base=tuple(_trees(folder, SST_TRAIN)),
        pool=(*read_items(folder, ROUND_1, _first), *read_items(folder, ROUND_2, _second)),
        sets=(ScoredSet(name="SST-5 dev", kind=SetKind.STATIC, items=static),),
    )
    return (cleaned(material),)


def _trees(folder: Path, source: Source) -> list[Item]:
    found = list(read_items(folder, source, _tree))
    # Its sentences have no names; their places are as good.
    return [_numbered(item, f"{source.path} {place}") for place, item in enumerate(found)]


def _numbered(item: Item, uid: str) -> Item:
    return Item(uid=uid, context=uid, inputs=item.inputs, label=item.label)


def _tree(record: Record) -> Item:
    text = text_of(record, "sentence")
    return Item(uid="", context="", inputs={"statement": text}, label=_label(record, "label3"))


def _first(record: Record) -> Item | None:
    return _sentence(record, review=text_of(record, "review_id"), source_round=1)


def _second(record: Record) -> Item | None:
    shown = record["prompt_data"]
    review = str(shown["review_id"]) if isinstance(shown, dict) else text_of(record, "text_id")
    return _sentence(record, review=review, source_round=2)


def _sentence(record: Record, *, review: str, source_round: int) -> Item | None:
    if record["gold_label"] not in LABELS:
        return None
    votes = record["label_distribution"]
    if not isinstance(votes, dict):
        raise TypeError("label_distribution")
    return Item(
        uid=text_of(record, "text_id"),
        context=f"review {review}",
        inputs={"statement": text_of(record, "sentence")},
        label=str(record["gold_label"]),
        votes=tuple(label for label, people in sorted(votes.items()) for _ in people),
        source_round=source_round,
    )


def _label(record: Record, name: str) -> str:
    label = text_of(record, name)
    if label not in LABELS:
        raise ValueError(name)
    return label
