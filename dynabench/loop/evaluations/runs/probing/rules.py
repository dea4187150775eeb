"""What a model elsewhere answered to the probes, in a form that can be compared."""

from collections.abc import Sequence

from dynabench.engines.inference.protocol import Prediction, digest_of

PROBES = 20
"""So many inputs are asked before each evaluation."""


def digest_of_answers(answers: Sequence[Prediction]) -> str:
    """Return a digest of what was answered; how sure the model was does not count."""
    return digest_of([[one.outputs, one.error is None] for one in answers])
