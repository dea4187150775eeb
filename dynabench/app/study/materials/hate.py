"""Hate speech: from tweets (Davidson et al.) to HatemojiBuild; HateCheck stays untouched."""

from pathlib import Path

from dynabench.app.study.materials.files import Record, Source, cleaned, read_items, text_of
from dynabench.app.study.values import HELD_OUT_PERCENT, Item, Material, ScoredSet, SetKind
from dynabench.loop.datasets.releases.values import seeded_order

HATEFUL, NOT_HATEFUL = "hateful", "not-hateful"

TWEETS = Source("davidson/labeled_data.csv.gz", "the tweets of Davidson et al. (2017)")
BUILD = Source(
    "hatemoji/HatemojiBuild_rounds5-6.csv.gz", "HatemojiBuild (Kirk et al. 2022), rounds 5 and 6"
)
EMOJI_CHECK = Source("hatemoji/HatemojiCheck_half.csv.gz", "HatemojiCheck (Kirk et al. 2022)")
CHECK = Source("hatecheck/test_suite_cases.csv.gz", "HateCheck (Röttger et al. 2021)")

# Class 1, offensive and not hateful, is left out: it is most of the tweets, and neither
# HatemojiBuild nor HateCheck has a label for it.
_CLASSES = {"0": HATEFUL, "2": NOT_HATEFUL}
_LABELS = {"1": HATEFUL, "hateful": HATEFUL, "0": NOT_HATEFUL, "non-hateful": NOT_HATEFUL}
_STATIC_SEED = 0


def read_hate(folder: Path) -> tuple[Material, ...]:
    """Read the one loop of this study."""
    tweets = sorted(
        read_items(folder, TWEETS, _tweet),
        key=lambda item: seeded_order(_STATIC_SEED, "static", item.uid),
    )
    # The same tweets are held out for every seed: one static set, as in the other studies.
    cut = len(tweets) * HELD_OUT_PERCENT // 100
    material = Material(
        name="hate",
        title="Hate speech: Davidson → HatemojiBuild",
        task="hate-speech",
        base=tuple(tweets[cut:]),
        pool=tuple(read_items(folder, BUILD, _emoji)),
        sets=(
            ScoredSet(name="Davidson held out", kind=SetKind.STATIC, items=tuple(tweets[:cut])),
            ScoredSet(
                name="HatemojiCheck",
                kind=SetKind.UNTOUCHED,
                items=tuple(read_items(folder, EMOJI_CHECK, _emoji_case)),
            ),
            ScoredSet(
                name="HateCheck",
                kind=SetKind.UNTOUCHED,
                items=tuple(read_items(folder, CHECK, _case)),
            ),
        ),
    )
    return (cleaned(material),)


def _tweet(record: Record) -> Item | None:
    label = _CLASSES.get(text_of(record, "class"))
    uid = f"tweet {record['']}"
    if label is None:
        return None
    return Item(uid=uid, context=uid, inputs={"statement": text_of(record, "tweet")}, label=label)


def _emoji(record: Record) -> Item:
    """Read an original or its perturbation; the two are one contrast pair."""
    pair = min(int(text_of(record, "entry_id")), int(text_of(record, "matched_id")))
    return Item(
        uid=f"build {record['entry_id']}",
        context=f"pair {pair}",
        inputs={"statement": text_of(record, "text")},
        label=_LABELS[text_of(record, "label_gold")],
        source_round=int(text_of(record, "round.base")),
    )


def _emoji_case(record: Record) -> Item:
    return Item(
        uid=f"emoji check {record['case_id']}",
        context=f"emoji check group {record['test_group_id']}",
        inputs={"statement": text_of(record, "text")},
        label=_LABELS[text_of(record, "label_gold")],
    )


def _case(record: Record) -> Item:
    return Item(
        uid=f"check {record['case_id']}",
        context=f"check template {record['templ_id']}",
        inputs={"statement": text_of(record, "test_case")},
        label=_LABELS[text_of(record, "label_gold")],
    )
