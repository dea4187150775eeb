"""From a `TargetSpec` to the adapter that runs it."""

from collections.abc import Callable

from dynabench.engines.inference.endpoint import EndpointTarget
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.openai import OpenAITarget
from dynabench.engines.inference.protocol import TargetModel, TargetSpec
from dynabench.engines.inference.recorded import RecordedTarget
from dynabench.engines.inference.worker import Launcher, plain_launcher

TargetFactory = Callable[[TargetSpec], TargetModel]


def build_target(
    spec: TargetSpec,
    *,
    http: HttpSettings | None = None,
    launcher: Launcher = plain_launcher,
) -> TargetModel:
    """Return the adapter for a spec; a missing or wrong option is a `TargetSpecError`.

    `launcher` says how handler folders are run: the sandbox's for uploaded code.
    """
    if spec.kind == "endpoint":
        return EndpointTarget(spec, settings=http)
    if spec.kind == "openai":
        return OpenAITarget(spec, settings=http)
    if spec.kind == "recorded":
        return RecordedTarget(spec)
    return HandlerTarget(spec, launcher=launcher)
