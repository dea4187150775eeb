import pytest

from dynabench.science.metrics.delta import (
    Agreement,
    VariantAnswers,
    agreement_of,
    delta,
    delta_answer,
)
from dynabench.science.metrics.values import Answer


def answered(
    uid: str,
    transform: str,
    original: Answer | None,
    variant: Answer | None,
    gold_score: float | None = None,
) -> VariantAnswers:
    return VariantAnswers(
        original_uid=uid,
        transform=transform,
        cluster=uid,
        original=original,
        variant=variant,
        gold_score=gold_score,
    )


def test_each_original_counts_once_however_many_variants_it_has() -> None:
    found = delta(
        [
            answered("a", "upper_case", "yes", "no"),
            answered("a", "misspellings", "yes", "yes"),
            answered("a", "white_space", "yes", "no"),
            answered("a", "homoglyphs", "yes", "yes"),
            answered("b", "upper_case", "no", "no"),
        ],
        agreement=Agreement.EXACT,
    )

    assert found.overall.value == pytest.approx((0.5 + 1) / 2)
    assert (found.overall.n, found.overall.variants) == (2, 5)
    assert found.by_transform["upper_case"].value == pytest.approx(0.5)
    assert found.by_transform["upper_case"].n == 2
    assert found.by_transform["misspellings"].n == 1


def test_gold_answers_play_no_part_and_are_told_beside_it() -> None:
    found = delta(
        [
            answered("a", "upper_case", "no", "no", gold_score=0.0),
            answered("b", "upper_case", "no", "no", gold_score=1.0),
        ],
        agreement=Agreement.EXACT,
    ).overall

    assert (found.value, found.gold_value) == (1.0, 0.5)
    assert found.interval is not None
    assert found.interval.high == 1.0


def test_who_fails_is_not_robust() -> None:
    found = delta(
        [
            answered("a", "upper_case", None, None),
            answered("b", "upper_case", None, "yes"),
            answered("c", "upper_case", "yes", None),
        ],
        agreement=Agreement.WORDS,
    ).overall

    assert (found.value, found.n) == (0.0, 3)


def test_no_variants_are_no_data() -> None:
    found = delta([], agreement=Agreement.CHARACTERS)

    assert found.overall.value is None
    assert found.overall.interval is None
    assert found.overall.gold_value is None
    assert found.by_transform == {}


def test_spans_and_short_texts_agree_by_words_and_long_ones_by_characters() -> None:
    pair = [answered("a", "upper_case", "the old bridge", "old bridges")]

    assert delta(pair, agreement=Agreement.WORDS).overall.value == pytest.approx(0.5)
    by_characters = delta(pair, agreement=Agreement.CHARACTERS).overall.value
    assert by_characters is not None
    assert 0.5 < by_characters < 1


@pytest.mark.parametrize(
    ("type_name", "metric", "expected"),
    [
        ("multiclass", "accuracy", Agreement.EXACT),
        ("multilabel", "macro_f1", Agreement.EXACT),
        ("rating", "exact_match", Agreement.EXACT),
        ("context_string_selection", "squad_f1", Agreement.WORDS),
        ("string", "exact_match", Agreement.WORDS),
        ("spans", "accuracy", Agreement.WORDS),
        ("string", "sp_bleu", Agreement.CHARACTERS),
        ("string", "wer", Agreement.CHARACTERS),
    ],
)
def test_the_field_and_the_metric_tell_how_answers_are_compared(
    type_name: str, metric: str, expected: Agreement
) -> None:
    assert agreement_of(type_name, metric) is expected


def test_marked_places_are_compared_by_their_words_and_labels() -> None:
    before = [{"text": "old tree", "start": 4, "end": 12, "label": "plant"}]
    moved = [{"text": "old tree", "start": 6, "end": 14, "label": "plant"}]
    relabelled = [{"text": "old tree", "start": 4, "end": 12, "label": "place"}]

    def agree(one: object, other: object) -> float | None:
        pair = answered("a", "x", delta_answer("spans", one), delta_answer("spans", other))
        return delta([pair], agreement=Agreement.WORDS).overall.value

    assert agree(before, moved) == 1.0
    assert agree(before, relabelled) == 0.0
    assert agree([], []) == 1.0
