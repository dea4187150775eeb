"""From a `TargetSpec` to the adapter that runs it."""

from collections.abc import Callable

from dynabench.engines.inference.container import ContainerTarget
from dynabench.engines.inference.container_tool import ContainerLimits
from dynabench.engines.inference.endpoint import EndpointTarget
from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.launching import Launcher, plain_launcher
from dynabench.engines.inference.openai import OpenAITarget
from dynabench.engines.inference.protocol import TargetModel, TargetSpec
from dynabench.engines.inference.recorded import RecordedTarget

TargetFactory = Callable[[TargetSpec], TargetModel]


ISOLATION = "isolation"
"""The option of a spec that says what stands between the model's code and this machine."""

SANDBOX = "sandbox"

# What the installation brings, and what its operator trusts; nothing else runs without a guard.
_UNGUARDED = (None, "built_in", "trusted")
# Large weights and libraries of somebody else's; what is trained here is small.
_SANDBOX_LOAD_SECONDS = 120.0


def build_target(
    spec: TargetSpec,
    *,
    http: HttpSettings | None = None,
    launcher: Launcher = plain_launcher,
    sandbox: Launcher | None = None,
    container: ContainerLimits | None = None,
) -> TargetModel:
    """Return the adapter for a spec; a missing or wrong option is a `TargetSpecError`.

    `launcher` runs the handler folders of the installation and of trusted people, `sandbox`
    those whose option `isolation` asks for it; without one these are refused. `container` is
    what an image may use.
    """
    if spec.kind == "endpoint":
        return EndpointTarget(spec, settings=http)
    if spec.kind == "openai":
        return OpenAITarget(spec, settings=http)
    if spec.kind == "recorded":
        return RecordedTarget(spec)
    if spec.kind == "container":
        return ContainerTarget(spec, limits=container)
    isolation = spec.options.get(ISOLATION)
    if isolation in _UNGUARDED:
        return HandlerTarget(spec, launcher=launcher)
    if isolation != SANDBOX or sandbox is None:
        sentence = f"This model is not run without '{isolation}'."
        if isolation == SANDBOX:
            sentence = "This model needs a sandbox, and there is none here."
        raise TargetSpecError(sentence, fields={ISOLATION: sentence})
    return HandlerTarget(spec, launcher=sandbox, load_timeout_seconds=_SANDBOX_LOAD_SECONDS)
