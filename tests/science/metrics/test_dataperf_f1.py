"""What a model learns from submitted examples."""

from dynabench.science.metrics.dataperf_f1 import LabelledText, dataperf_f1

PLACES = ("river", "bridge", "harbour", "station")
FOODS = ("soup", "bread", "cheese", "plum")


def item(text: str, *labels: str) -> LabelledText:
    return LabelledText(text, frozenset(labels))


TRAIN = [
    *(item(f"we walked to the {place} {n}", "place") for n in range(5) for place in PLACES),
    *(item(f"she ate some {food} {n}", "food") for n in range(5) for food in FOODS),
    *(
        item(f"he ate {food} at the {place}", "food", "place")
        for place, food in zip(PLACES, FOODS, strict=True)
    ),
]
TEST = [
    item("the bridge was closed", "place"),
    item("bread and cheese", "food"),
    item("soup by the river", "food", "place"),
    item("nothing of it"),
]


def test_good_examples_teach_the_labels() -> None:
    result = dataperf_f1(TRAIN, TEST, seeds=[1, 2, 3])
    assert result.value is not None
    assert result.value > 0.6
    assert set(result.by_label) == {"food", "place"}
    assert len(result.by_seed) == 3
    assert result.value == sum(result.by_seed) / 3
    assert dataperf_f1(TRAIN, TEST, seeds=[1, 2, 3]) == result


def test_wrong_examples_teach_the_wrong_labels() -> None:
    turned = [item(one.text, *({"food", "place"} - one.labels)) for one in TRAIN]
    right, wrong = dataperf_f1(TRAIN, TEST).value, dataperf_f1(turned, TEST).value
    assert right is not None
    assert wrong is not None
    assert wrong < right


def test_the_order_of_what_is_scored_says_nothing() -> None:
    assert dataperf_f1(TRAIN, TEST[::-1], seeds=[4]) == dataperf_f1(TRAIN, TEST, seeds=[4])


def test_only_labels_that_are_asked_for_and_occur_are_scored() -> None:
    result = dataperf_f1(TRAIN, TEST, seeds=[1], labels=["food", "colour"])
    assert list(result.by_label) == ["food"]


def test_without_examples_labels_or_seeds_there_is_no_score() -> None:
    for result in (
        dataperf_f1([], TEST),
        dataperf_f1(TRAIN, []),
        dataperf_f1(TRAIN, [item("nothing of it")]),
        dataperf_f1(TRAIN, TEST, seeds=[]),
    ):
        assert (result.value, result.by_label, result.by_seed) == (None, {}, ())


def test_what_no_or_every_example_has_is_said_of_none_or_every_item() -> None:
    every = [item(one.text, "food") for one in TRAIN]
    result = dataperf_f1(every, TEST, seeds=[1])
    assert result.by_label == {"food": 2 * 2 / (4 + 2), "place": 0.0}


def test_texts_without_words_teach_nothing() -> None:
    assert dataperf_f1([item("  ", "food")], TEST, seeds=[1]).value == 0.0
