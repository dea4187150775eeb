"""Inference: from SNLI's pairs to the three protocols of “linguist in the loop”."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dynabench.app.study.materials.files import Record, Source, cleaned, read_items, text_of
from dynabench.app.study.values import Item, Material, ScoredSet, SetKind

LABELS = frozenset({"entailment", "neutral", "contradiction"})
PROTOCOLS = {
    "baseline": "baseline",
    "LotS": "linguist on the side",
    "LitL": "linguist talking to writers",
}
SOURCE_ROUNDS = 3
_NAME_LENGTH = 20

BASE = Source(
    "cad_nli/original_train.tsv.gz", "the original pairs of Kaushik et al. (2020), from SNLI"
)
STATIC = Source("snli/snli_dev_2500.jsonl.gz", "SNLI dev (Bowman et al. 2015)")


def pool_sources(protocol: str) -> Iterator[tuple[int, Source, Source]]:
    """Give each round's number with its train and its validated file."""
    origin = "“linguist in the loop” (Parrish et al. 2021)"
    for number in range(1, SOURCE_ROUNDS + 1):
        train, validated = (
            Source(f"ling_in_loop/{part}_round{number}_{protocol}.jsonl.gz", origin)
            for part in ("train", "val")
        )
        yield number, train, validated


def read_inference(folder: Path) -> tuple[Material, ...]:
    """Read the three loops of this study, which have the base and the static set in common."""
    base = tuple(
        _numbered(item, place) for place, item in enumerate(read_items(folder, BASE, _pair))
    )
    static = tuple(
        _numbered(item, place)
        for place, item in enumerate(read_items(folder, STATIC, _static_pair))
    )
    return tuple(
        cleaned(
            Material(
                name=f"nli-{protocol.lower()}",
                title=f"Inference: SNLI → “linguist in the loop”, {described}",
                task="nli",
                base=base,
                pool=tuple(_pool(folder, protocol)),
                sets=(ScoredSet(name="SNLI dev", kind=SetKind.STATIC, items=static),),
                has_source_rounds=True,
                people_are_known=True,
            )
        )
        for protocol, described in PROTOCOLS.items()
    )


def _pool(folder: Path, protocol: str) -> Iterator[Item]:
    for number, train, validated in pool_sources(protocol):
        for source, reader in ((train, _written), (validated, _validated)):
            for place, item in enumerate(read_items(folder, source, reader)):
                # A pair's name may be there twice; its place in the file is its own.
                yield replace(item, uid=f"{source.path} {place}", source_round=number)


def _written(record: Record) -> Item:
    """Read a hypothesis that nobody judged.

    `annotator_labels` says nothing here: in the files of round 1 it is always “entailment”,
    whatever the writer was asked for.
    """
    return _item(record, "premise", "hypothesis", text_of(record, "label"), str(record["AnonId"]))


def _validated(record: Record) -> Item:
    """Read a hypothesis with what its writer, the first, and four others said of it."""
    labels, people = record["annotator_labels"], record["annotator_ids"]
    if not isinstance(labels, list) or not labels or not isinstance(people, list):
        raise TypeError("annotator_labels")
    label, *votes = (str(one) for one in labels)
    return _item(record, "premise", "hypothesis", label, str(people[0]), tuple(votes))


def _pair(record: Record) -> Item | None:
    label = text_of(record, "gold_label")
    return _item(record, "sentence1", "sentence2", label) if label in LABELS else None


def _static_pair(record: Record) -> Item:
    return _item(record, "premise", "hypothesis", text_of(record, "label"))


def _item(
    record: Record,
    premise: str,
    hypothesis: str,
    label: str,
    writer: str = "",
    votes: tuple[str, ...] = (),
) -> Item:
    if label not in LABELS:
        raise ValueError("label")
    first = text_of(record, premise)
    return Item(
        uid="",
        context=f"premise {_digest(first)}",
        inputs={"premise": first, "hypothesis": text_of(record, hypothesis)},
        label=label,
        writer=writer,
        votes=votes,
    )


def _digest(premise: str) -> str:
    """Return a name of a premise that tells nothing of its text."""
    return hashlib.sha256(" ".join(premise.casefold().split()).encode()).hexdigest()[:_NAME_LENGTH]


def _numbered(item: Item, place: int) -> Item:
    return Item(uid=str(place), context=item.context, inputs=item.inputs, label=item.label)
