"""How sure a round's error rates are, and when nothing tells."""

from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.rules import error_rates, is_one_person

_TEN = Tally(collected=10, fooled=3, verified_fooled=2)
_NOTHING = Tally(retracted=1)


def test_few_people_who_differ_give_a_wide_interval() -> None:
    found = error_rates([Tally(collected=20, fooled=one) for one in (0, 2, 14)])

    interval = found.model_error_rate.interval
    assert interval is not None
    assert interval.method == "beta_binomial"
    # Wilson's interval of 16 of 60 is 17 to 39 %: people are three, not sixty.
    assert interval.high - interval.low > 0.4
    assert found.macro_model_error_rate is not None


def test_one_person_gives_no_interval() -> None:
    found = error_rates([_TEN, _NOTHING])

    assert found.model_error_rate.rate.value == 0.3
    assert found.model_error_rate.interval is None
    assert found.validated_model_error_rate.interval is None
    assert is_one_person([_TEN, _NOTHING])
    assert not is_one_person([_TEN, _TEN])
    assert not is_one_person([_NOTHING])


def test_people_unknown_give_no_interval() -> None:
    found = error_rates([_TEN, _TEN], people_are_known=False)

    assert found.model_error_rate.rate.value == 0.3
    assert found.model_error_rate.interval is None
    assert found.macro_model_error_rate is None
