"""How submitted code is kept apart on this machine, from what the operator set."""

from collections.abc import Callable
from dataclasses import replace

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.container_tool import ContainerLimits
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import SandboxLimits
from dynabench.kit.settings import Settings
from dynabench.loop.models.addresses.service import target_factory
from dynabench.loop.models.submissions.errors import CodeRefusedError
from dynabench.loop.models.values import ModelIsolation

_MEBIBYTE = 2**20


def make_sandbox(settings: Settings) -> Sandbox:
    """Return this process's sandbox; what the machine isolates is found out at its first use."""
    limits = SandboxLimits(
        memory_bytes=settings.submission_memory_mb * _MEBIBYTE,
        disk_bytes=settings.submission_disk_mb * _MEBIBYTE,
        processes=settings.submission_processes,
        cpu_seconds=settings.submission_cpu_seconds,
        wall_seconds=settings.submission_wall_seconds,
    )
    return Sandbox(limits, hidden=(settings.home,))


def factories(settings: Settings, *, sandbox: Sandbox) -> tuple[TargetFactory, TargetFactory]:
    """Return how models are built that stay in the loop, and how they are for one job.

    A job has an end, by the clock and in CPU time; a model that annotators talk to has none.
    """
    http = HttpSettings(
        allowed_hosts=frozenset(settings.allowed_target_hosts),
        api_keys=settings.target_api_keys,
        timeout_seconds=settings.target_timeout_seconds,
    )
    container = ContainerLimits(
        memory_bytes=settings.submission_memory_mb * _MEBIBYTE,
        processes=settings.submission_processes,
        scratch_bytes=settings.submission_disk_mb * _MEBIBYTE,
    )
    endless = replace(sandbox.limits, cpu_seconds=None, wall_seconds=None)
    in_loop = target_factory(http, sandbox=sandbox.launcher(endless), container=container)
    return in_loop, target_factory(http, sandbox=sandbox.launcher(), container=container)


def choose_isolation(sandbox: Sandbox, *, trust_submitters: bool) -> Callable[[], ModelIsolation]:
    """Return what decides how submitted code is run here, or refuses it.

    The sandbox is used wherever there is one; the operator's trust only stands in for it.
    """

    def choose() -> ModelIsolation:
        reason = sandbox.report().reason
        if reason is None:
            return ModelIsolation.SANDBOX
        if trust_submitters:
            return ModelIsolation.TRUSTED
        raise CodeRefusedError(reason=reason)

    return choose
