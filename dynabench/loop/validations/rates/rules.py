"""From counts to error rates with their intervals."""

from collections.abc import Callable, Sequence

from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.values import ErrorRates, RateWithInterval
from dynabench.science.statistics.beta_binomial import FEWEST, clustered_interval
from dynabench.science.statistics.rates import Interval, Rate, macro_average, wilson


def model_error_rate(tally: Tally) -> Rate:
    """Return MER = fooled / collected.

    A retracted attempt and one whose fooling is not decided count below the line only. What
    validators flagged counts as any other attempt: leaving it out would hang on the outcome.
    """
    return Rate(tally.fooled, tally.collected)


def validated_model_error_rate(tally: Tally) -> Rate:
    """Return vMER = fooled and verified / collected.

    An example that still waits for its verdict counts below the line only: until
    validation ends the rate is a lower bound, and its interval says so.
    """
    return Rate(tally.verified_fooled, tally.collected)


def votes_missing(tally: Tally) -> int:
    """Return how many examples may turn out validated and fooling by votes that are missing.

    No more than wait for votes, and no more than fooled, or may have fooled, without being
    verified. A disputed example has all its votes and is not among them.
    """
    return min(tally.pending, tally.fooled - tally.verified_fooled + tally.undecided)


def highest_model_error_rate(tally: Tally) -> Rate:
    """Return the MER that there would be if votes that are missing made all fooling."""
    return Rate(tally.fooled + min(tally.undecided, tally.pending), tally.collected)


def highest_validated_model_error_rate(tally: Tally) -> Rate:
    """Return the vMER that there would be if votes that are missing verified all."""
    return Rate(tally.verified_fooled + votes_missing(tally), tally.collected)


def alone(rate: Rate, *, highest: Rate) -> RateWithInterval:
    """Return one person's rate with its Wilson interval, which holds what it may become."""
    return RateWithInterval(rate=rate, interval=_spanned(wilson(rate), wilson(highest)))


def _over_people(
    tallies: Sequence[Tally],
    rate_of: Callable[[Tally], Rate],
    highest_of: Callable[[Tally], Rate],
    *,
    people_are_known: bool,
) -> RateWithInterval:
    rates = [rate_of(tally) for tally in tallies]
    total = sum(rates, start=Rate(0, 0))
    if not people_are_known:
        # How people differ decides how sure the rate is: of people unknown nothing can be said.
        return RateWithInterval(rate=total, interval=None)
    highest = clustered_interval([highest_of(tally) for tally in tallies])
    return RateWithInterval(rate=total, interval=_spanned(clustered_interval(rates), highest))


def _spanned(low: Interval | None, high: Interval | None) -> Interval | None:
    """Return the interval that begins as the one and ends as the other."""
    if low is None or high is None:
        return None
    return Interval(low.low, max(low.high, high.high), low.method)


def is_one_person(tallies: Sequence[Tally]) -> bool:
    """Tell whether all that was collected is one person's, which no interval is known of."""
    return 0 < sum(tally.collected > 0 for tally in tallies) < FEWEST


def error_rates(tallies: Sequence[Tally], *, people_are_known: bool = True) -> ErrorRates:
    """Return a round's error rates from its annotators' counts.

    While votes are missing a rate is known within bounds alone. Its value is the lower one, and
    its interval begins at the low end for that and ends at the high end for the upper one.

    Args:
        tallies: One per annotator.
        people_are_known: False where authors are pseudonyms made for a replay; then no
            statistic over people is given, and no interval.
    """
    return ErrorRates(
        model_error_rate=_over_people(
            tallies,
            model_error_rate,
            highest_model_error_rate,
            people_are_known=people_are_known,
        ),
        validated_model_error_rate=_over_people(
            tallies,
            validated_model_error_rate,
            highest_validated_model_error_rate,
            people_are_known=people_are_known,
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
