"""A small classifier of texts, quick to learn, to see what they give away by themselves."""

from collections.abc import Sequence

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

# threadpoolctl, which scikit-learn brings along, ships no types.
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

_MOST_FEATURES = 50_000
_MAX_ITERATIONS = 100


def answer_from_texts(
    texts: Sequence[str], labels: Sequence[str], *, asked: Sequence[str]
) -> list[str]:
    """Learn labels from texts and answer others: logistic regression on TF-IDF of words.

    The same texts in the same order give the same answers.

    Args:
        texts: What is learned from.
        labels: Their labels, two or more different ones.
        asked: The texts to be answered.
    """
    # One-letter words and signs tell as much as others.
    reader = TfidfVectorizer(
        token_pattern=r"\w+|[^\w\s]",  # noqa: S106 - a pattern of words, no password
        ngram_range=(1, 2),
        sublinear_tf=True,
        max_features=_MOST_FEATURES,
    )
    learner = LogisticRegression(max_iter=_MAX_ITERATIONS, tol=1e-3)
    with threadpool_limits(limits=1):
        learner.fit(reader.fit_transform(texts), list(labels))
        return [str(label) for label in learner.predict(reader.transform(asked))]
