import io
import json
from collections.abc import Mapping

import orjson
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.row_files.parquet_writing import ParquetWriting
from dynabench.loop.datasets.archives.columns.rules import ItemTable, columns_of
from dynabench.loop.datasets.archives.columns.values import ItemRow
from dynabench.loop.datasets.archives.media.values import PlacedFile
from dynabench.loop.datasets.rules import item_line
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

TABLE = ItemTable(columns_of(load_task_config(NLI_CONFIG), several=(), is_varied=False))

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | texts
    # What PostgreSQL writes as a fraction comes back as the same number.
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(texts, some, max_size=3),
    max_leaves=6,
)
parts = st.dictionaries(texts, values, max_size=3)


@given(context=parts, inputs=parts, gold=parts, tags=st.lists(texts, max_size=2))
def test_a_line_is_the_one_that_the_digest_is_made_of(
    context: dict[str, object],
    inputs: dict[str, object],
    gold: dict[str, object],
    tags: list[str],
) -> None:
    inputs |= {"hypothesis": "A text."}
    gold |= {"label": "neutral"}
    context |= {"premise": "Another."}
    item = DatasetItem(
        uid="one",
        split=Split.TRAIN,
        position=0,
        context=context,
        inputs=inputs,
        gold=gold,
        tags=tuple(tags),
        annotator="annotator-1",
        is_fooling=None,
        is_verified=False,
        context_digest=b"",
    )
    stored = row(context=context, inputs=inputs, gold=gold)._replace(
        tags=orjson.dumps(tags).decode()
    )

    lines, cells = TABLE.convert([stored], with_gold=True)
    withheld, empty = TABLE.convert([stored], with_gold=False)

    assert lines == item_line(item)
    assert cells["label"] == ["neutral"]
    assert json.loads(withheld) == json.loads(lines) | {"gold": None}
    assert empty["label"] == [None]
    assert list(cells) == [
        *("uid", "premise", "hypothesis", "label", "tags", "annotator"),
        *("is_fooling", "is_verified"),
    ]


NESTED = """
title: Everything
context:
  - {name: passage, type: string}
  - {name: picture, type: image}
input:
  - {name: talk, type: chat, candidates: 2}
  - {name: answer, type: context_string_selection, reference_name: passage}
  - {name: places, type: spans, reference_name: passage, labels: [who, where]}
  - {name: topics, type: multilabel, labels: [a, b]}
  - {name: fits, type: rating, not_applicable: true}
  - {name: score, type: number}
output:
  - {name: reply, type: string}
  - {name: answer}
  - {name: places}
  - {name: topics}
  - {name: fits}
  - {name: score}
model_wrong_metric: {type: exact_match, reference_names: [topics]}
perf_metric: {type: accuracy, reference_name: topics}
"""
GOLD = ("answer", "places", "topics", "fits", "score")

offsets = st.integers(0, 10**9)
selections = st.fixed_dictionaries({"text": texts, "start": offsets, "end": offsets})
spans = st.fixed_dictionaries(
    {"text": texts, "start": offsets, "end": offsets, "label": st.sampled_from(["who", "where"])}
)
replies = st.fixed_dictionaries(
    {"model": st.sampled_from("AB"), "text": texts, "rating": st.none() | st.integers(1, 5)}
)
turns = st.fixed_dictionaries(
    {
        "text": texts,
        "candidates": st.lists(replies, min_size=1, max_size=2),
        "choice": st.none() | st.just("0"),
    },
    optional={"model_ids": st.lists(texts, max_size=2)},
)
gold_values: dict[str, st.SearchStrategy[object]] = {
    "answer": selections,
    "places": st.lists(spans, max_size=2),
    "topics": st.lists(st.sampled_from("ab"), max_size=2, unique=True),
    "fits": st.just("not_applicable") | st.integers(1, 5),
    "score": st.integers(-(10**15), 10**15) | st.floats(-1e9, 1e9),
}


def plainly(value: object) -> object:
    """Return a value without what is null: in a table nothing is ever left out."""
    if isinstance(value, Mapping):
        return {key: plainly(part) for key, part in value.items() if part is not None}
    return [plainly(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("several", [(), GOLD], ids=["one answer", "several answers"])
@given(data=st.data())
def test_a_row_of_the_table_says_what_the_line_says(
    several: tuple[str, ...], data: st.DataObject
) -> None:
    table = ItemTable(columns_of(load_task_config(NESTED), several=several, is_varied=False))
    gold = data.draw(st.fixed_dictionaries(gold_values))
    lists = data.draw(
        st.fixed_dictionaries(
            {name: st.lists(gold_values[name], min_size=2, max_size=3) for name in several}
        )
    )
    talk = data.draw(st.lists(turns, max_size=2))
    digest = "0" * 64
    rows = [
        row(
            context={"passage": "P", "picture": {"media": digest, "alt": "An alt."}},
            inputs={"talk": talk},
            gold=gold | some,
        )
        for some in ({}, lists)
    ]
    file = PlacedFile(digest=digest, media_type="image/png", path="media/0.png")

    lines, cells = table.convert(rows, with_gold=True, media={digest: file})
    out = io.BytesIO()
    writing = ParquetWriting(out, table.held)
    writing.add(cells)
    writing.end()

    read = pq.read_table(io.BytesIO(out.getvalue())).to_pylist()
    told = [json.loads(line) for line in lines.splitlines()]
    for one, line in zip(read, told, strict=True):
        assert plainly(one["talk"]) == plainly(line["inputs"]["talk"])
        assert one["picture"]["path"] == line["media"]["picture"] == "media/0.png"
        assert one["picture"]["digest"] == line["context"]["picture"]["media"]
        assert json.loads(one["fits"]) == line["gold"]["fits"]
    for name in GOLD:
        if name == "fits":
            continue
        first, second = (line["gold"][name] for line in told)
        assert plainly(read[0][name]) == ([first] if several else first)
        assert plainly(read[1][name]) == second


def row(*, context: object, inputs: object, gold: object) -> ItemRow:
    """Return an item as the database tells it."""
    return ItemRow(
        uid="one",
        context=orjson.dumps(context).decode(),
        inputs=orjson.dumps(inputs).decode(),
        gold=orjson.dumps(gold).decode(),
        tags="[]",
        annotator="annotator-1",
        is_fooling=None,
        is_verified=False,
        original_uid=None,
        transform=None,
    )
