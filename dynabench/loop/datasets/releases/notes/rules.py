"""The sentences of a plan and of a card about what a release lacks."""

from dynabench.kit.sentences import Phrase

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
    ONE_LABEL,
    LACKS_VERIFIED,
    LACKS_CONTEXTS,
    LACKS_SPLIT,
    LACKS_ANNOTATORS,
    LACKS_LABELS,
    LACKS_LABELS_AT_ALL,
)
"""Every sentence of a card about what could not be had; cards hold the text alone."""
