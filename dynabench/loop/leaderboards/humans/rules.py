"""How people do on a test set: each validator's answer against the gold of the others."""

from collections.abc import Callable, Iterable, Sequence

from dynabench.kit.sentences import Phrase
from dynabench.loop.leaderboards.humans.values import HumanFigure, JudgedAnswer, VotedItem
from dynabench.loop.rounds.values import GoldFrom
from dynabench.science.metrics.answers import as_answer, as_gold
from dynabench.science.metrics.registry import VALUE_OF
from dynabench.science.metrics.values import Metric
from dynabench.science.statistics.means import mean_with_interval

_REVIEWED = Phrase(
    "humans.reviewed",
    "The validators of this round saw the authors' answers; how often they agreed is no accuracy.",
)
_NO_ANSWERS = Phrase("humans.no_answers", "No validator answered an item of this test set.")
_NOT_COMPUTED = Phrase("humans.not_computed", "This metric of people's answers is not computed.")
WHY_UNKNOWN = (_REVIEWED, _NO_ANSWERS, _NOT_COMPUTED)
"""Every reason why it is not known how people do; rows hold its text alone."""
REVIEWED, NO_ANSWERS, NOT_COMPUTED = (one.say() for one in WHY_UNKNOWN)

_SHARED_BY = 2


def judge_answers(
    items: Iterable[VotedItem], *, gold_from: GoldFrom, is_same: Callable[[object, object], bool]
) -> list[JudgedAnswer]:
    """Return every answer beside a gold that its validator had no part in.

    Where the author's answer is the gold, that is it. Where validators make the gold, it is
    the answer that most of the other validators share, at least two and more than any other;
    an answer without such a gold is left out.
    """
    found = []
    for item in items:
        for place, answer in enumerate(item.answers):
            gold: object | None = item.gold
            if gold_from is GoldFrom.VALIDATORS:
                others = [*item.answers[:place], *item.answers[place + 1 :]]
                gold = _shared(others, is_same)
            if gold is not None:
                found.append(
                    JudgedAnswer(item.uid, item.validators[place], item.context, gold, answer)
                )
    return found


def measure_people(
    judged: Sequence[JudgedAnswer], metric: Metric, *, name: str, kind: str
) -> HumanFigure:
    """Return the task's metric of people's answers, its interval over validators and contexts.

    Answers of one validator are alike, and so are those on one context: the interval holds
    that over the ones and that over the others. One validator, or one context, gives none.
    """
    if not judged:
        return HumanFigure(None, None, None, 0, 0, NO_ANSWERS)
    result = metric(
        [as_gold(kind, one.gold) for one in judged], [as_answer(kind, one.answer) for one in judged]
    )
    low = high = None
    if name not in VALUE_OF:
        found = [
            mean_with_interval(result.per_item, clusters)
            for clusters in ([one.context for one in judged], [one.validator for one in judged])
        ]
        ends = [one.interval for one in found if one is not None and one.interval is not None]
        if len(ends) == len(found):
            low = max(min(one.low for one in ends), 0.0)
            high = min(max(one.high for one in ends), 1.0)
    items = len({one.uid for one in judged})
    return HumanFigure(result.value, low, high, items, len(judged), None)


def _shared(answers: Sequence[object], is_same: Callable[[object, object], bool]) -> object | None:
    """Return the answer that most share; None without one that stands alone in front."""
    groups: list[list[object]] = []
    for answer in answers:
        for group in groups:
            if is_same(group[0], answer):
                group.append(answer)
                break
        else:
            groups.append([answer])
    groups.sort(key=len, reverse=True)
    if not groups or len(groups[0]) < _SHARED_BY:
        return None
    if len(groups) > 1 and len(groups[1]) == len(groups[0]):
        return None
    return groups[0][0]
