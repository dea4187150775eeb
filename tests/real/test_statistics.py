"""Agreement of people who labelled published sets, and labels from their votes."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from dynabench.science.statistics.agreement import describe_agreement
from dynabench.science.statistics.dawid_skene import VoteOf, dawid_skene
from tests.real.conftest import Note

pytestmark = pytest.mark.real_data

_MAJORITY = 3


def labelled(path: Path) -> list[list[tuple[str, str]]]:
    """Return for each item the label and the name of everyone who labelled it."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line)["label_distribution"] for line in file]
    return [[(label, who) for label, people in row.items() for who in people] for row in rows]


def test_votes_on_sst_dev_and_the_labels_they_add_up_to(real_data: Path, note: Note) -> None:
    items = labelled(real_data / "dynasent" / "sst-dev-validated.jsonl.gz")
    votes = [VoteOf(number, who, label) for number, item in enumerate(items) for label, who in item]
    counts = [
        {label: sum(said == label for said, _ in item) for label, _ in item} for item in items
    ]
    majority = [
        next((label for label, count in found.items() if count >= _MAJORITY), None)
        for found in counts
    ]

    agreement = describe_agreement([[label for label, _ in item] for item in items])
    consensus = dawid_skene(votes)

    assert consensus is not None
    assert agreement.krippendorff_alpha == pytest.approx(0.588, abs=5e-4)
    assert (len(items), majority.count(None), majority.count("mixed")) == (1101, 64, 108)
    others = [(number, label) for number, label in enumerate(majority) if label is not None]
    same = sum(consensus.best(number)[0] == label for number, label in others)
    note("SST dev", "Dawid-Skene agrees", derived=f"{same} of {len(others)}", published="96.6 %")
    note("SST dev", "Krippendorff's alpha", derived=agreement.krippendorff_alpha, published=0.588)
    assert same / len(others) == pytest.approx(0.966, abs=0.001)


@pytest.mark.parametrize(
    ("file", "kappa"),
    [
        ("dynasent-v1.1-round01-yelp-dev", 0.616),
        ("dynasent-v1.1-round02-dynabench-dev", 0.681),
    ],
)
def test_validators_of_dynasent_agree_as_published(
    real_data: Path, note: Note, file: str, kappa: float
) -> None:
    items = labelled(real_data / "dynasent" / f"{file}.jsonl.gz")

    found = describe_agreement([[label for label, _ in item] for item in items]).fleiss_kappa

    note(file, "Fleiss' kappa", derived=found, published=kappa)
    assert found == pytest.approx(kappa, abs=5e-4)


def test_annotators_of_hatecheck_agree_with_its_gold(real_data: Path, note: Note) -> None:
    path = real_data / "hatecheck" / "test_suite_annotations.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    items = [[row[f"label_{n}"] for n in range(1, 11) if row[f"label_{n}"]] for row in rows]

    agreeing = sum(
        sum(label == row["label_gold"] for label in item) >= 4
        for row, item in zip(rows, items, strict=True)
    )
    kappa = describe_agreement(items).fleiss_kappa

    note(
        "HateCheck", "4 of 5 agree", derived=f"{agreeing} of {len(rows)}", published="1979 of 1979"
    )
    note("HateCheck", "Fleiss' kappa", derived=kappa, published=0.930)
    assert (agreeing, len(rows)) == (1979, 1979)
    assert kappa == pytest.approx(0.930, abs=5e-4)
