"""From a `TargetSpec` to the adapter that runs it."""

from collections.abc import Callable

from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.protocol import TargetModel, TargetSpec
from dynabench.engines.inference.worker import Launcher, plain_launcher

TargetFactory = Callable[[TargetSpec], TargetModel]


def build_target(spec: TargetSpec, *, launcher: Launcher = plain_launcher) -> TargetModel:
    """Return the adapter for a spec; a missing or wrong option is a `TargetSpecError`."""
    return HandlerTarget(spec, launcher=launcher)
