"""From rows to items: what is taken, and what is said of what is not."""

from collections.abc import Mapping

import pytest

from dynabench.kit.wire import Values
from dynabench.loop.datasets.uploads.duplicates.rules import Duplicates, Sameness
from dynabench.loop.datasets.uploads.rules import ItemReader, RowError, column_problems
from dynabench.loop.datasets.uploads.values import Columns
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.science.metrics.answers import as_gold
from dynabench.science.metrics.registry import metric
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

NLI = load_task_config(NLI_CONFIG)
QA = load_task_config("""\
context:
  - {name: passage, type: string}
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output:
  - {name: answer}
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
""")
LABELS = load_task_config("""\
input:
  - {name: text, type: string}
  - {name: kinds, type: multilabel, labels: [rude, short, odd]}
  - {name: stars, type: number, min: 1, max: 5}
output: [{name: kinds}, {name: stars}]
model_wrong_metric: {type: exact_match, reference_names: [kinds]}
perf_metric: {type: macro_f1, reference_name: kinds}
""")
ROW: Values = {"premise": "It rains.", "hypothesis": "It is dry.", "label": "contradiction"}


def kept(values: Values) -> Values:
    return values


def read(
    row: Mapping[str, object], columns: Columns | None = None, *, config: object = NLI
) -> DatasetItem:
    known = columns or Columns(split=Split.TEST)
    # Configs differ in their fields, which the type does not tell.
    return ItemReader(config, known, stand_in=kept).read(row)  # type: ignore[arg-type]


def refused(row: Mapping[str, object], columns: Columns | None = None) -> list[tuple[str, str]]:
    with pytest.raises(RowError) as caught:
        read(row, columns)
    return [(field or "", sentence) for field, sentence in caught.value.problems]


def test_a_flat_row_and_a_downloaded_one_are_the_same_item() -> None:
    nested = {
        "context": {"premise": "It rains."},
        "inputs": {"hypothesis": "It is dry."},
        "gold": {"label": "contradiction"},
        "annotator": "annotator-3",
        "is_fooling": None,
        "is_verified": False,
        "split": "test",
    }
    one, other = read(ROW), read(nested, Columns())
    assert (one.uid, one.context_digest) == (other.uid, other.context_digest)
    assert (one.context, one.inputs, one.gold) == (other.context, other.inputs, other.gold)
    assert other.annotator == "annotator-3"


def test_an_item_keeps_its_name_and_another_split_gives_another() -> None:
    assert read(ROW).uid == read(ROW).uid
    assert read(ROW).uid != read(ROW, Columns(split=Split.DEV)).uid
    assert read({**ROW, "uid": 17}).uid == "17"


def test_columns_are_renamed_and_others_passed_over() -> None:
    columns = Columns(
        fields={"s1": "premise", "s2": "hypothesis", "y": "label", "part": "split"},
        labels={"label": {"0": "entailment", "1": "neutral"}},
    )
    reader = ItemReader(NLI, columns, stand_in=kept)
    row = {"s1": "A", "s2": "B", "y": 1, "part": "Validation", "genre": "news"}
    item = reader.read(row)
    assert (item.gold, item.split) == ({"label": "neutral"}, Split.DEV)
    assert list(reader.passed_over) == ["genre"]


def test_every_wrong_field_of_a_row_is_named_with_the_fix() -> None:
    assert refused({"premise": "A", "label": "maybe", "hypothsis": "B", "split": "exam"}) == [
        ("hypothsis", "There is no such field. Did you mean “hypothesis”?"),
        ("hypothesis", "It is missing; fill it in."),
        ("split", "It must be train, dev or test."),
    ]
    ((field, sentence),) = refused({**ROW, "label": "maybe"})
    assert field == "label"
    assert "entailment" in sentence
    assert [field for field, _ in refused({**ROW, "uid": "a\nb", "tags": [1]})] == ["tags", "uid"]
    assert refused(ROW, Columns())[0][0] == "split"
    assert refused({"context": 3, "inputs": {}, "gold": {}})[0][0] == "context"


def test_gold_may_list_acceptable_answers_each_of_which_is_checked() -> None:
    row = {
        "passage": "The old bridge.",
        "question": "What?",
        "answer": ["bridge", "The old bridge"],
    }
    gold = read(row, config=QA).gold["answer"]
    assert gold == [
        {"text": "bridge", "start": 8, "end": 14},
        {"text": "The old bridge", "start": 0, "end": 14},
    ]
    right = [as_gold("context_string_selection", gold)]
    assert metric("squad_f1")(right, ["old bridge"]).value == 1.0
    with pytest.raises(RowError, match="do not stand in passage"):
        read({**row, "answer": ["bridge", "river"]}, config=QA)
    with pytest.raises(RowError, match="at least one acceptable"):
        read({**row, "answer": []}, config=QA)


def test_cells_of_text_are_read_as_their_fields_ask() -> None:
    columns = Columns(split=Split.TEST, is_text=True)
    row = {"text": "17", "kinds": "rude | odd", "stars": "4", "tags": "a|b"}
    item = read(row, columns, config=LABELS)
    assert (item.inputs, item.gold) == ({"text": "17"}, {"kinds": ["rude", "odd"], "stars": 4})
    assert item.tags == ("a", "b")


def test_a_set_of_labels_is_one_answer_and_a_list_of_sets_several() -> None:
    one = {"text": "x", "kinds": ["odd", "rude"], "stars": 1}
    assert read(one, config=LABELS).gold["kinds"] == ["rude", "odd"]
    assert read({**one, "kinds": []}, config=LABELS).gold["kinds"] == []
    several = {**one, "kinds": [["odd"], []]}
    assert read(several, config=LABELS).gold["kinds"] == [["odd"], []]


def test_items_without_a_context_stand_each_for_itself() -> None:
    texts: list[Values] = [{"text": text, "kinds": [], "stars": 1} for text in ("a", "b")]
    assert len({read(one, config=LABELS).context_digest for one in texts}) == 2


@pytest.mark.parametrize("value", [float("nan"), b"bytes", {"deep": [1]}, True, 10**400])
def test_values_that_no_json_has_are_refused_and_not_fallen_over(value: object) -> None:
    assert refused({**ROW, "premise": value})[0][0] == "premise"
    assert refused({**ROW, "label": [value]})[0][0] == "label"
    with pytest.raises(RowError):
        read({"text": "x", "kinds": [], "stars": value}, config=LABELS)


def test_what_is_said_about_columns_must_fit_the_task() -> None:
    wrong = column_problems(
        NLI,
        Columns(
            fields={"a": "premise", "b": "premise", "c": "labl"},
            labels={"label": {"e": "entailed"}, "premise": {"x": "y"}, "odd": {}},
        ),
    )
    assert sorted(wrong) == [
        "columns.b",
        "columns.c",
        "labels.label",
        "labels.odd",
        "labels.premise",
    ]
    assert "Did you mean “label”?" in wrong["columns.c"]


def test_the_same_row_is_left_out_and_the_same_question_said() -> None:
    seen = Duplicates()
    item, dev = read(ROW), read(ROW, Columns(split=Split.DEV))
    assert seen.take(item, line=1)[0] is Sameness.NEW
    assert seen.take(item, line=2)[0] is Sameness.REPEATED
    assert seen.take(dev, line=3)[0] is Sameness.NEW
    other = read({**ROW, "uid": item.uid, "hypothesis": "Other."})
    assert seen.take(other, line=4) == (Sameness.UID_TAKEN, 1)
    assert (seen.repeated, seen.repeated_lines) == (1, [2])
    assert (seen.overlapping, seen.overlapping_lines) == (1, [3])


def test_a_uid_that_is_made_tells_nothing_of_the_answer() -> None:
    labels = ("entailment", "neutral", "contradiction")
    found = [read({**ROW, "label": label}) for label in labels]
    assert len({one.uid for one in found}) == 1

    seen, names = Duplicates(), []
    for line, item in enumerate([*found, *found]):
        sameness, _ = seen.take(item, line=line)
        named = seen.numbered(item) if sameness is Sameness.UID_TAKEN else item
        seen.take(named, line=line)
        names.append(named.uid)
    uid = found[0].uid
    assert names == [uid, f"{uid}-2", f"{uid}-3"] * 2
