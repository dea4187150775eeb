import json

import orjson
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.datasets.archives.columns.rules import ItemTable, columns_of
from dynabench.loop.datasets.archives.columns.values import ItemRow
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
    context_text, inputs_text, gold_text, tags_text = (
        orjson.dumps(one).decode() for one in (context, inputs, gold, tags)
    )
    row = ItemRow(
        uid="one",
        context=context_text,
        inputs=inputs_text,
        gold=gold_text,
        tags=tags_text,
        annotator="annotator-1",
        is_fooling=None,
        is_verified=False,
        original_uid=None,
        transform=None,
    )

    lines, cells = TABLE.convert([row], with_gold=True)
    withheld, empty = TABLE.convert([row], with_gold=False)

    assert lines == item_line(item)
    assert cells["label"] == ["neutral"]
    assert json.loads(withheld) == json.loads(lines) | {"gold": None}
    assert empty["label"] == [None]
    assert list(cells) == [
        *("uid", "premise", "hypothesis", "label", "tags", "annotator"),
        *("is_fooling", "is_verified"),
    ]
