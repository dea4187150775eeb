"""From counts to error rates with their intervals."""

from collections.abc import Callable, Sequence

from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.values import ErrorRates, RateWithInterval
from dynabench.science.statistics.beta_binomial import FEWEST, clustered_interval
from dynabench.science.statistics.rates import Rate, macro_average, wilson


def model_error_rate(tally: Tally) -> Rate:
    """Return MER = fooled / collected.

    A retracted attempt and one whose fooling is not decided count below the line only. What
    validators flagged counts as any other attempt: leaving it out would hang on the outcome.
    """
    return Rate(tally.fooled, tally.collected)


def validated_model_error_rate(tally: Tally) -> Rate:
    """Return vMER = fooled and verified / collected.

    An example that still waits for its verdict counts below the line only: until
    validation ends the rate is a lower bound.
    """
    return Rate(tally.verified_fooled, tally.collected)


def alone(rate: Rate) -> RateWithInterval:
    """Return a rate with the plain Wilson interval, as of what one person did."""
    return RateWithInterval(rate=rate, interval=wilson(rate))


def _over_people(
    tallies: Sequence[Tally], rate_of: Callable[[Tally], Rate], *, people_are_known: bool
) -> RateWithInterval:
    rates = [rate_of(tally) for tally in tallies]
    # How people differ decides how sure the rate is: of people unknown nothing can be said.
    interval = clustered_interval(rates) if people_are_known else None
    return RateWithInterval(rate=sum(rates, start=Rate(0, 0)), interval=interval)


def is_one_person(tallies: Sequence[Tally]) -> bool:
    """Tell whether all that was collected is one person's, which no interval is known of."""
    return 0 < sum(tally.collected > 0 for tally in tallies) < FEWEST


def error_rates(tallies: Sequence[Tally], *, people_are_known: bool = True) -> ErrorRates:
    """Return a round's error rates from its annotators' counts.

    Args:
        tallies: One per annotator.
        people_are_known: False where authors are pseudonyms made for a replay; then no
            statistic over people is given, and no interval.
    """
    return ErrorRates(
        model_error_rate=_over_people(tallies, model_error_rate, people_are_known=people_are_known),
        validated_model_error_rate=_over_people(
            tallies, validated_model_error_rate, people_are_known=people_are_known
        ),
        macro_model_error_rate=macro_average([model_error_rate(tally) for tally in tallies])
        if people_are_known
        else None,
        macro_validated_model_error_rate=macro_average(
            [validated_model_error_rate(tally) for tally in tallies]
        )
        if people_are_known
        else None,
    )
