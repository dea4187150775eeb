"""What a card tells, and to whom."""

from dataclasses import replace
from datetime import UTC, datetime

from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.datasets.rules import told_card
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split

_LABELS: Values = {"yes": 600, "no": 400}
_CARD: Values = {
    "splits": {one.value: {"items": 1000, "labels": _LABELS} for one in Split},
    "artifacts": {"input_only_accuracy": {"value": 0.5}, "majority_accuracy": {"value": 0.6}},
}
_VERSION = DatasetVersion(
    id=new_id(),
    dataset_id=new_id(),
    task_id=new_id(),
    round_id=None,
    name="Round 2",
    version=1,
    digest="d" * 64,
    licence="CC0",
    card=_CARD,
    sizes=dict.fromkeys(Split, 1000),
    created_at=datetime(2030, 1, 1, tzinfo=UTC),
    access=DatasetAccess.SCORING,
)


def _labels(card: Values) -> list[object]:
    splits = card["splits"]
    assert isinstance(splits, dict)
    return [splits[one.value]["labels"] for one in Split]


def test_labels_of_a_withheld_split_are_counted_for_owners_alone_however_large_it_is() -> None:
    told = told_card(_VERSION)
    assert _labels(told) == [None if one is Split.TEST else _LABELS for one in Split]
    assert told["artifacts"] == {"input_only_accuracy": {"value": 0.5}, "majority_accuracy": None}
    assert told_card(_VERSION, to_owner=True) == _CARD


def test_what_a_file_holds_is_measured_for_owners_alone_while_answers_in_it_are_withheld() -> None:
    file: Values = {"digest": "f" * 64, "format": "jsonl", "bytes": 5000}
    sent = replace(_VERSION, card={**_CARD, "file": file})
    # Two versions that differ by one item differ by the length of its answer.
    assert told_card(sent)["file"] == {"format": "jsonl"}
    assert told_card(sent, to_owner=True)["file"] == file
    opened = replace(sent, test_opened_at=datetime(2030, 2, 1, tzinfo=UTC))
    assert told_card(opened)["file"] == {"format": "jsonl", "bytes": 5000}


def test_once_the_answers_are_open_all_is_told() -> None:
    opened = replace(_VERSION, test_opened_at=datetime(2030, 2, 1, tzinfo=UTC))
    assert told_card(opened) == _CARD
