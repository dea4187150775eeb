"""VQA accuracy: how many of several people gave the predicted answer."""

import re
from collections.abc import Sequence

from dynabench.science.metrics.values import Answer, Gold, MetricResult, pair_up_texts

_ENOUGH = 3
_ARTICLES = frozenset({"a", "an", "the"})
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
} | {"none": "0"}
_PUNCTUATION = ';/[]"{}()=+\\_-><@`,?!'
_PERIOD = re.compile(r"\.(?!\d)")
_DIGIT_COMMA = re.compile(r"\d,\d")
# Those of the published script; a form that is a word of its own, such as "its", is none.
_CONTRACTIONS = (
    "ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've "
    "hasn't haven't he'd he'd've he's how'd how'll how's isn't it'd it'd've it'll ma'am "
    "mightn't mightn't've might've mustn't must've needn't not've o'clock oughtn't shan't "
    "she'd've should've shouldn't shouldn't've somebody'd somebody'd've somebody'll "
    "somebody's someone'd someone'd've someone'll someone's something'd something'd've "
    "something'll that's there'd there'd've there're there's they'd they'd've they'll "
    "they're they've 'twas wasn't we'd've we've weren't what'll what're what's what've when's "
    "where'd where's where've who'd who'd've who'll who's who've why'll why're why's won't "
    "would've wouldn't wouldn't've y'all y'all'll y'all'd've you'd you'd've you'll you're "
    "you've"
)


def _without_one_apostrophe(word: str) -> list[str]:
    return [word[:place] + word[place + 1 :] for place, letter in enumerate(word) if letter == "'"]


_WRITTEN_OUT = {
    short: word
    for word in _CONTRACTIONS.split()
    for short in (word.replace("'", ""), *_without_one_apostrophe(word))
}


def vqa_accuracy(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return how far predictions are among the answers that people gave.

    Formula: Σ items mean over left-out answers of min(equal among the others / 3, 1) / n. An
    item's acceptable answers are those of (usually ten) people, the same answer as often as
    it was given. With two or three answers the 3 becomes the number of others (1 or 2); with
    one, it is 1 where the answers are equal. People's answers and predictions are normalised
    alike: lower case, digits for number words to ten, without articles and punctuation,
    apostrophes of contractions put back. The published script does less with people's answers,
    which its data hold normalised already: their punctuation alone, and nothing at all where
    all people agree. Here people write what they like, so "Two dogs" must equal "2 dogs". On
    published data both give the same but for answers such as "none", which the script turns
    to "0" in predictions alone.
    Range: 0 to 1.
    Direction: higher is better.
    No data: null; an item without a prediction scores 0.
    Source: Antol et al. 2015, "VQA: Visual Question Answering"; the averaging is that of
    its public evaluation script.

    Example:
        >>> vqa_accuracy([["two"] * 3 + ["3"] * 7], ["2"]).value
        0.9
    """
    pairs = pair_up_texts(gold, predictions)
    return MetricResult.mean_of(
        [
            0.0 if said is None else _score([vqa_normalise(one) for one in people], said)
            for people, said in pairs
        ]
    )


def vqa_normalise(answer: str) -> str:
    """Return the form in which VQA compares answers.

    Example:
        >>> vqa_normalise("The two dogs, dont!"), vqa_normalise("1,000")
        ("2 dogs don't", '1000')
    """
    text = answer.replace("\n", " ").replace("\t", " ").strip()
    written = text
    for mark in _PUNCTUATION:
        is_apart = f"{mark} " in written or f" {mark}" in written
        is_dropped = is_apart or _DIGIT_COMMA.search(written) is not None
        text = text.replace(mark, "" if is_dropped else " ")
    words = _PERIOD.sub("", text).lower().split()
    as_digits = (_NUMBERS.get(word, word) for word in words)
    return " ".join(_WRITTEN_OUT.get(word, word) for word in as_digits if word not in _ARTICLES)


def _score(people: Sequence[str], said: str) -> float:
    """Return the mean over which person's answer is left out."""
    own = vqa_normalise(said)
    equal = people.count(own)
    others = len(people) - 1
    if others == 0:
        return float(equal)
    enough = min(_ENOUGH, others)
    without_equal = min((equal - 1) / enough, 1.0) if equal else 0.0
    without_other = min(equal / enough, 1.0)
    return (equal * without_equal + (len(people) - equal) * without_other) / len(people)
