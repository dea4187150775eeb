import pytest

from dynabench.kit.rate_limits.values import STANDARD, RateLimit, RateName, rate_limits_of


def test_every_name_has_a_figure() -> None:
    assert set(STANDARD) == set(RateName)


def test_an_operator_changes_what_differs() -> None:
    found = rate_limits_of("attempts=60/30, votes=off")

    assert found[RateName.ATTEMPTS] == RateLimit(RateName.ATTEMPTS, 60, 30)
    assert RateName.VOTES not in found
    assert found[RateName.READS] == STANDARD[RateName.READS]
    assert rate_limits_of("on") == STANDARD
    assert set(rate_limits_of("OFF")) == {
        RateName.SIGN_INS,
        RateName.SIGN_INS_OF_ADDRESS,
        RateName.SIGN_INS_OF_NAME,
    }


@pytest.mark.parametrize(
    "text", ["nothing=1/1", "votes", "votes=", "votes=0/60", "votes=1/0", "votes=-1/60", "votes=1"]
)
def test_a_figure_that_cannot_be_used_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(ValueError, match=text.split("=", maxsplit=1)[0]):
        rate_limits_of(text)
