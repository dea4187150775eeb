"""The card for people, of numbers that a round seldom has all of."""

from dataclasses import replace
from datetime import UTC, datetime

from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.readme.rules import readme
from dynabench.loop.datasets.values import DatasetVersion, Split

RATE: Values = {"value": 0.25, "part": 1, "whole": 4, "low": 0.1, "high": 0.5}
CARD: Values = {
    "round_number": 2,
    "content_warning": "Slurs.",
    "splits": {one.value: {"items": 30, "labels": {"a|b": 30}} for one in Split},
    "error_rate": {"model_error_rate": RATE, "validated_model_error_rate": RATE},
    "agreement": {
        "examples": 1200,
        "votes": 3600,
        "krippendorff_alpha": 0.61,
        "fleiss_kappa": None,
        "unanimous": RATE,
    },
    "seconds_per_validated_fooling": {
        "median": 42.0,
        "mean": 95.4,
        "validated_fooling": 10,
        "timed_attempts": 40,
        "attempts": 41,
    },
    "annotators": 7,
    "concentration": {"people": 7, "top_share": 0.4, "top_tenth_share": 0.4, "gini": 0.3},
    "arms": {
        "target": {"stored": 90, "released": 80, "fooling": 40, "verified_fooling": 30},
        "no_model": {"stored": 10, "released": 9, "fooling": 3, "verified_fooling": 2},
    },
    "artifacts": {
        "input_only_accuracy": RATE,
        "majority_accuracy": RATE,
        "trained_on": 200,
        "reason": None,
    },
    "provenance": {"title": "ANLI", "source": "paper", "licence": "CC-BY-NC-4.0", "format": "x"},
    "earlier_errata": {
        "looked_at": 5,
        "wrong": 3,
        "withheld": 2,
        "items": [{"release": "Round <1>", "version": 1, "split": "test", "uid": "ab12"}],
    },
    "excluded": {"retracted": 3, "flagged": 0},
    "stored": 103,
    "notes": ["One person wrote half of it."],
    "description": "<script>alert(1)</script>\n# Mine",
}
VERSION = DatasetVersion(
    id=new_id(),
    dataset_id=new_id(),
    task_id=new_id(),
    round_id=None,
    name="Round 2",
    version=1,
    digest="d" * 64,
    licence="Ask us",
    card=CARD,
    sizes=dict.fromkeys(Split, 30),
    created_at=datetime(2030, 1, 1, tzinfo=UTC),
)
SUBJECT = Subject(
    version=VERSION,
    task_slug="nli",
    task_title="Inference",
    task_description="",
    language="en",
    columns=(),
    withheld=(Split.TEST,),
    tables={},
    lines={},
)


def test_every_number_of_a_card_is_told() -> None:
    page = readme(SUBJECT)

    for told in (
        "> **Content warning.** Slurs.\n",
        "| Model error rate (fooled ÷ collected) | 25.0 % | 1 of 4 | 10.0 % to 50.0 % |",
        "| a\\|b | 30 | 30 |\n\nThose of test are kept back",
        "| all votes alike | 25.0 % (1 of 4) |",
        "| Fleiss' kappa | – |",
        "took 1 min 35 s of writing",
        "the median of those attempts themselves is 42 s",
        "The one who wrote most wrote 40.0 % of it",
        "| no model | 10 | 3 | 2 | 9 |",
        "| a model that sees no context | 25.0 % | 1 of 4 | 10.0 % to 50.0 % |",
        "| collection | ANLI |",
        "| taken back by its author | 3 |",
        "- One person wrote half of it.",
        "looked at 5 answers of earlier releases that were suspected, and found 3 wrong",
        "Not named are 2 whose answers were withheld",
        "| Round \\<1\\> v1 | test | `ab12` |",
        "license: other\nlicense_name: Ask us\n",
    ):
        assert told in page
    assert page.index("Content warning") < page.index("What it is")
    assert "always the most frequent label" not in page
    assert "| flagged" not in page
    assert "<script>" not in page
    assert "\n# Mine" not in page


def test_a_card_with_few_numbers_has_few_sections() -> None:
    card: Values = {"splits": {one.value: {"items": 30} for one in Split}}
    opened = replace(
        VERSION, card=card, licence="cc by 4.0", test_opened_at=datetime(2030, 2, 1, tzinfo=UTC)
    )

    page = readme(replace(SUBJECT, version=opened, withheld=()))

    assert "given out on 2030-02-01; scores of models made after that day are less" in page
    assert "<https://creativecommons.org/licenses/by/4.0/>" in page
    assert "## Controls" not in page
    assert "None" not in page
