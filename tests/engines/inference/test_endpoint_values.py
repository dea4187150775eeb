"""What a server of tensors may answer beside one label: lists, and probabilities of any field."""

import json
from dataclasses import replace

import pytest

from dynabench.engines.inference.endpoint import EndpointTarget
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.protocol import Prediction, TargetSpec
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from tests.engines.inference.servers import Reply, serve

pytestmark = pytest.mark.anyio

CONFIG = load_task_config("""
input:
  - {name: mail, type: string}
  - {name: tone, type: multiclass, labels: [kind, rude]}
  - {name: teams, type: multilabel, labels: [sales, repairs, billing]}
  - {name: clues, type: spans, reference_name: mail}
output:
  - name: tone
  - name: teams
  - name: clues
  - {name: prob, type: prob, reference_name: teams}
model_wrong_metric: {type: exact_match, reference_names: [teams]}
perf_metric: {type: exact_match, reference_name: teams}
""")
SPEC = spec_for(CONFIG, kind=ModelKind.ENDPOINT, name="sorter", options={"model": "m"})
CLUES = [{"text": "saddle", "start": 4, "end": 10}]


async def answer(**columns: tuple[str, list[object]]) -> Prediction:
    """Ask a server that gives these tensors, each a datatype and what it holds for one input."""
    tensors = [
        {"name": name, "datatype": kind, "shape": [1, len(data)], "data": data}
        for name, (kind, data) in columns.items()
    ]
    async with serve(lambda _request: Reply(body={"outputs": tensors})) as server:
        spec = replace(SPEC, options={**SPEC.options, "url": server.url})
        settings = HttpSettings(allowed_hosts=frozenset({"127.0.0.1"}))
        target = EndpointTarget(TargetSpec.from_json(spec.to_json()), settings=settings)
        (prediction,) = await target.predict([{"mail": "The saddle squeaks."}])
        await target.close()
    return prediction


async def test_lists_are_json_texts_and_probabilities_follow_their_field() -> None:
    prediction = await answer(
        tone=("BYTES", ["kind"]),
        teams=("BYTES", [json.dumps(["repairs"])]),
        clues=("BYTES", [json.dumps(CLUES)]),
        prob=("FP32", [0.1, 0.9, 0.6]),
    )
    assert prediction.error is None
    assert prediction.outputs["teams"] == ["repairs"]
    assert prediction.outputs["clues"] == CLUES
    assert prediction.probabilities == {"sales": 0.1, "repairs": 0.9, "billing": 0.6}


async def test_a_text_that_is_no_list_is_told_with_its_field() -> None:
    prediction = await answer(
        tone=("BYTES", ["kind"]), teams=("BYTES", ["repairs"]), clues=("BYTES", ["[]"])
    )
    assert prediction.error == "The output field 'teams' must be a list of labels."
