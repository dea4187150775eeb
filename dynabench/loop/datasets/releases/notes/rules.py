"""The sentences of a plan and of a card about what a release lacks."""

from collections.abc import Iterator, Sequence

from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.releases.values import (
    CONTEXTS_FOR_TEST,
    SHARE,
    Candidate,
    Missing,
    MissingPart,
    Plan,
)
from dynabench.loop.datasets.values import Split

NO_SPLITS = Phrase(
    "releases.no_splits",
    "There are {count} verified fooling examples; dev and test need at least {least} and are "
    "empty.",
)
ONE_CONTEXT = Phrase(
    "releases.one_context",
    "All verified fooling examples are about one context, so dev and test are empty.",
)
NO_WRITERS = Phrase("releases.no_writers", "Test has no annotators of its own: {reason}.")
UNKNOWN_WRITERS = Phrase("releases.unknown_writers", "who wrote what is not known")
ONE_WRITER = Phrase("releases.one_writer", "one person wrote everything")
NO_SET_OF_WRITERS = Phrase(
    "releases.no_set_of_writers",
    "no set of people wrote enough of it without leaving train too small",
)
NO_DEV = Phrase(
    "releases.no_dev",
    "Dev is empty: too few contexts with verified fooling examples are left beside test.",
)
ALL_FOOLED = Phrase(
    "releases.all_fooled",
    "Every item of test fooled the round's targets. Who can ask a target knows that its answer is "
    "wrong; with two labels that gives the withheld answer away. Have a share of the other "
    "examples validated too.",
)
FEW_OTHERS = Phrase(
    "releases.few_others",
    "Test holds {count} verified examples that did not fool, of {wanted} asked for.",
    one="Test holds {count} verified example that did not fool, of {wanted} asked for.",
)
ONE_LABEL = Phrase("releases.one_label", "Every verified fooling example has the same gold label.")

LACKS_VERIFIED = Phrase(
    "releases.lacks_verified",
    "There are {count} verified fooling examples; dev and test need at least {least}.",
    one="There are {count} verified fooling example; dev and test need at least {least}.",
)
LACKS_CONTEXTS = Phrase(
    "releases.lacks_contexts",
    "All verified fooling examples are about one context; dev and test need contexts of their own.",
)
LACKS_SPLIT = Phrase(
    "releases.lacks_split",
    "No context is left for {split}; verified fooling examples on more contexts are needed.",
)
LACKS_ANNOTATORS = Phrase(
    "releases.lacks_annotators",
    "One person wrote everything; test has no annotators of its own then.",
)
LACKS_LABELS = Phrase(
    "releases.lacks_labels",
    "Every verified fooling example has the same gold label; a model that always says so would be "
    "right.",
)
LACKS_LABELS_AT_ALL = Phrase(
    "releases.lacks_labels_at_all",
    "Every example has the same gold label; a model that always says so would be right.",
)

NOTES = (
    NO_SPLITS,
    ONE_CONTEXT,
    NO_WRITERS,
    UNKNOWN_WRITERS,
    ONE_WRITER,
    NO_SET_OF_WRITERS,
    NO_DEV,
    ALL_FOOLED,
    FEW_OTHERS,
    ONE_LABEL,
    LACKS_VERIFIED,
    LACKS_CONTEXTS,
    LACKS_SPLIT,
    LACKS_ANNOTATORS,
    LACKS_LABELS,
    LACKS_LABELS_AT_ALL,
)
"""Every sentence of a card about what could not be had; cards hold the text alone."""


def what_is_missing(
    candidates: Sequence[Candidate],
    plan: Plan,
    *,
    least: int = SHARE,
    people_are_known: bool = True,
) -> list[Missing]:
    """Return what would make a release of these candidates less than it should be.

    Without dev and test nothing can be measured with it, with one author or one label a model
    may do well for the wrong reason. `least` is how many verified fooling examples dev and test
    need.
    """
    return [
        *_missing_splits([one for one in candidates if one.is_eligible], plan, least=least),
        *_missing_variety(candidates, people_are_known=people_are_known),
    ]


def _missing_splits(eligible: Sequence[Candidate], plan: Plan, *, least: int) -> Iterator[Missing]:
    if len(eligible) < least:
        said = LACKS_VERIFIED.say(count=len(eligible), least=least)
        yield Missing(MissingPart.VERIFIED, said)
        return
    if len({one.context for one in eligible}) < CONTEXTS_FOR_TEST:
        yield Missing(MissingPart.CONTEXTS, LACKS_CONTEXTS.say())
        return
    there = set(plan.splits.values())
    for split, code in ((Split.TEST, MissingPart.TEST), (Split.DEV, MissingPart.DEV)):
        if split not in there:
            yield Missing(code, LACKS_SPLIT.say(split=split.value))


def _missing_variety(
    candidates: Sequence[Candidate], *, people_are_known: bool
) -> Iterator[Missing]:
    if people_are_known and len({one.annotator for one in candidates}) == 1:
        yield Missing(MissingPart.ANNOTATORS, LACKS_ANNOTATORS.say())
    measured = [one for one in candidates if one.is_eligible] or candidates
    labels = {one.label for one in measured}
    if len(labels) == 1 and None not in labels:
        lack = LACKS_LABELS if measured[0].is_eligible else LACKS_LABELS_AT_ALL
        yield Missing(MissingPart.LABELS, lack.say())
