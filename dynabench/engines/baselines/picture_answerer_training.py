"""Training the answerer of questions about pictures, with scikit-learn."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

# threadpoolctl, which scikit-learn brings along, ships no types.
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from dynabench.engines.baselines.doing import (
    FINDING_COLOURS_AND_FORMS,
    FITTING_THE_WEIGHTS,
    LOOKING_AT_THE_PICTURES,
    TRAINED,
)
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.picture_answerer import (
    PictureAnswerer,
    columns_of,
    picture_of,
    question_of,
)
from dynabench.engines.baselines.picture_features import Eye, features_of, read_question
from dynabench.engines.baselines.picture_regions import FORM_FIGURES, Area, areas_of, pixels_of
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
)

Floats = NDArray[np.float64]

_COLOURS, _FORMS = 12, 12
_LEAST_CLUSTERS, _LEAST_POINTS = 2, 8
_LEAST_ANSWERS = 2
_LEAST_TIMES = 2
_LEAST_NAMED = 2.5
_INVERSE_REGULARISATION = 0.5
_MAX_ITERATIONS = 80
_CLUSTER_DECIMALS = 4
# Weights are kept to this many decimals: digests must not hang on the last bit of a sum.
_DECIMALS = 4
_LOOKING = 0.6


def train_picture_answerer(
    items: Sequence[TrainingItem], *, config: ConfigSummary, seed: int, progress: Progress
) -> TrainedModel:
    """Learn colours, forms and what questions ask of them, from pixels and answers alone."""
    answers = [str(item.answer[config.answer_name]).strip() for item in items]
    known = sorted(set(answers))
    if len(known) < _LEAST_ANSWERS:
        raise TrainingDataError(reason="the items must have at least two different answers.")
    inputs = [item.model_input() for item in items]
    areas = _areas_of([picture_of(one, config) for one in inputs], progress)
    with threadpool_limits(limits=1):
        progress(_LOOKING, FINDING_COLOURS_AND_FORMS)
        eye = _named(_clusters([one for each in areas for one in each], seed=seed), areas, answers)
        progress(0.7, FITTING_THE_WEIGHTS)
        rows = [
            [*features_of(read_question(question_of(one, config), eye), eye.look(seen))]
            for one, seen in zip(inputs, areas, strict=True)
        ]
        times = Counter(feature for row in rows for feature in row)
        features = sorted(one for one, count in times.items() if count >= _LEAST_TIMES)
        places = {one: place for place, one in enumerate(features)}
        weights, bias = _fit(
            [columns_of(row, places) for row in rows],
            [known.index(one) for one in answers],
            width=len(features),
        )
    progress(1.0, TRAINED)
    return PictureAnswerer(
        config, answers=known, eye=eye, features=features, weights=weights, bias=bias
    )


def _areas_of(pictures: Sequence[object], progress: Progress) -> list[list[Area]]:
    """Look at every picture once, though several questions are about it."""
    seen: dict[str, list[Area]] = {}
    found = []
    for number, picture in enumerate(pictures):
        key = str(picture)
        if key not in seen:
            progress(_LOOKING * number / len(pictures), LOOKING_AT_THE_PICTURES)
            seen[key] = areas_of(pixels_of(picture))
        found.append(seen[key])
    return found


def _clusters(areas: Sequence[Area], *, seed: int) -> Eye:
    """Cluster the colours and the forms of all areas."""
    if not areas:
        return Eye(np.zeros((1, 3)), np.zeros((1, FORM_FIGURES)), np.ones(FORM_FIGURES))
    forms = np.array([one.form for one in areas])
    scale = np.round(forms.std(axis=0) + 0.01, _CLUSTER_DECIMALS)
    return Eye(
        colours=_centres(np.array([one.colour for one in areas]), _COLOURS, seed=seed),
        forms=_centres(forms / scale, _FORMS, seed=seed),
        form_scale=scale,
    )


def _centres(points: Floats, count: int, *, seed: int) -> Floats:
    distinct = len(np.unique(points, axis=0))
    # A cluster of a few points could not be named.
    affordable = max(_LEAST_CLUSTERS, len(points) // _LEAST_POINTS)
    found = KMeans(min(count, distinct, affordable), n_init=3, random_state=seed).fit(points)
    return np.asarray(np.round(found.cluster_centers_, _CLUSTER_DECIMALS), dtype=np.float64)


def _named(eye: Eye, areas: Sequence[Sequence[Area]], answers: Sequence[str]) -> Eye:
    """Name each cluster after the answer that comes most clearly with it."""
    colours = _names(len(eye.colours), eye.colour_of, areas, answers)
    forms = _names(len(eye.forms), eye.form_of, areas, answers)
    # What lies in a cluster without a name is called like its nearest neighbour with one.
    named_colours, named_forms = _places_of(colours), _places_of(forms)
    return replace(
        eye,
        colours=eye.colours[named_colours],
        forms=eye.forms[named_forms],
        colour_names=tuple(colours[one] for one in named_colours),
        form_names=tuple(forms[one] for one in named_forms),
    )


def _places_of(names: Sequence[str]) -> list[int]:
    """Return where the names are; all places where nothing has one."""
    return [place for place, name in enumerate(names) if name] or [*range(len(names))]


def _names(
    count: int,
    cluster_of: Callable[[Area], int],
    areas: Sequence[Sequence[Area]],
    answers: Sequence[str],
) -> tuple[str, ...]:
    """Return for each cluster the answer whose pictures hold it more often than others do.

    How much more is told in standard errors; below a few of them a cluster has no name.
    """
    holds = np.zeros((len(areas), count))
    for row, seen in enumerate(areas):
        holds[row, [cluster_of(one) for one in seen]] = 1
    everywhere = holds.mean(axis=0)
    spread = np.sqrt(everywhere * (1 - everywhere)) + 1e-9
    given = np.array(answers)
    words = sorted({one for one in answers if one.isalpha()})
    scores = np.zeros((len(words), count))
    for place, word in enumerate(words):
        own = holds[given == word]
        scores[place] = (own.mean(axis=0) - everywhere) / spread * np.sqrt(len(own))
    if not words:
        return ("",) * count
    best = scores.argmax(axis=0)
    return tuple(
        words[best[k]].lower() if scores[best[k], k] >= _LEAST_NAMED else "" for k in range(count)
    )


def _fit(
    rows: Sequence[NDArray[np.int64]], answers: Sequence[int], *, width: int
) -> tuple[NDArray[np.float32], Floats]:
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.concatenate(rows)
    matrix = csr_array((np.ones(len(columns)), columns, starts), shape=(len(rows), width))
    learner = LogisticRegression(C=_INVERSE_REGULARISATION, max_iter=_MAX_ITERATIONS, tol=1e-2)
    learner.fit(matrix, np.array(answers))
    coefficients, intercept = learner.coef_, learner.intercept_
    if len(coefficients) == 1:
        coefficients = np.vstack([-coefficients / 2, coefficients / 2])
        intercept = np.array([-intercept[0] / 2, intercept[0] / 2])
    weights = np.round(coefficients.T, _DECIMALS).astype(np.float32)
    return weights, np.round(intercept, _DECIMALS)
