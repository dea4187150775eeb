"""What `dynabench evaluate` tells an owner before a hidden set goes out."""

import pytest

from dynabench.app.cli.scores import what_leaves
from dynabench.loop.datasets.values import DatasetAccess
from dynabench.loop.models.values import ModelKind


@pytest.mark.parametrize("access", DatasetAccess)
@pytest.mark.parametrize("kind", ModelKind)
def test_an_owner_is_told_when_a_hidden_set_goes_to_a_model_that_runs_elsewhere(
    kind: ModelKind, access: DatasetAccess
) -> None:
    told = what_leaves(model="far", kind=kind, dataset="Secret", access=access)

    is_sent = access is DatasetAccess.HIDDEN and kind in {ModelKind.ENDPOINT, ModelKind.OPENAI}
    assert (told is not None) == is_sent
    if told is not None:
        assert told.startswith("“Secret” is hidden, and far runs elsewhere")
