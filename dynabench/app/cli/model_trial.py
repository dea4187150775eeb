"""Checking a model on this machine as the server does: packed, unpacked, and in the sandbox."""

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dynabench.app.assembly.isolation import factories, make_sandbox
from dynabench.app.cli.output import notice
from dynabench.app.cli.task_configs import named_config
from dynabench.client.model_files import kind_of, packed
from dynabench.engines.inference.adapters import ISOLATION
from dynabench.engines.inference.protocol import TargetSpec
from dynabench.engines.runners.hub import fetch_from_hub
from dynabench.engines.runners.manifest import Manifest, read_manifest
from dynabench.engines.sandbox.archives import ArchiveLimits
from dynabench.engines.sandbox.unpacking import unpack_apart
from dynabench.kit.errors import InvalidError
from dynabench.kit.settings import Settings
from dynabench.loop.models.checks.service import check_folder, check_target
from dynabench.loop.models.checks.values import CheckProblem, CheckReport
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.submissions.errors import ArtifactTooLargeError
from dynabench.loop.models.values import CODE_KINDS, ModelIsolation, ModelKind
from dynabench.science.task_config.schema import TaskConfig

_TESTED = (*sorted(CODE_KINDS), ModelKind.CONTAINER)
_HUB = "hub"
_MEGABYTE = 1_000_000
# As much as the server unpacks of what it takes.
_SWELLING = 2


def try_model(path: Path, *, task: str | None, kind: str | None) -> CheckReport:
    """Check a model; what is not said is read from the folder's `dynabench.yaml`.

    Raises:
        InvalidError: If the task or the kind cannot be told.
    """
    manifest = read_manifest(path) if path.is_dir() else Manifest()
    named = task or manifest.task
    if named is None:
        raise InvalidError("Name the task with --task, or in dynabench.yaml.")
    _, config = named_config(named)
    chosen = _kind(path, kind or manifest.kind)
    return asyncio.run(_check(path, chosen, config, manifest.options))


def _kind(path: Path, named: str | None) -> ModelKind:
    if named is None:
        return kind_of(path)
    found = next((kind for kind in _TESTED if kind == named), None)
    if found is None:
        raise InvalidError(f"The kind must be one of {', '.join(_TESTED)}, not {named}.")
    return found


async def _check(
    path: Path, kind: ModelKind, config: TaskConfig, options: Mapping[str, object]
) -> CheckReport:
    settings = Settings.from_environment()
    sandbox = make_sandbox(settings)
    _, factory = factories(settings, sandbox=sandbox)
    spec = spec_for(config, kind=kind, name=path.name, options=options)
    if kind is ModelKind.CONTAINER:
        return await check_target(spec, config, factory=factory)
    reason = sandbox.report().reason
    if reason is not None:
        notice(f"There is no sandbox here ({reason.rstrip('.')}): the model runs unprotected.")
    isolation = ModelIsolation.SANDBOX if reason is None else ModelIsolation.TRUSTED
    spec = replace(spec, options={**spec.options, ISOLATION: isolation.value})
    with tempfile.TemporaryDirectory(prefix="dynabench-test-") as place:
        folder = Path(place) / "model"
        folder.mkdir()
        try:
            _lay_out(path, folder, spec)
        except InvalidError as error:
            field = "options" if spec.options.get(_HUB) else "artifact"
            problem = CheckProblem(item=None, field=field, problem=error.message)
            return CheckReport(problems=(problem,), log="", asked=0, seconds=0.0)
        return await check_folder(folder, spec, config, factory=factory)


def _lay_out(path: Path, folder: Path, spec: TargetSpec) -> None:
    """Pack a model and unpack it again, as it would arrive; one on a hub is fetched."""
    hub, revision = spec.options.get(_HUB), spec.options.get("revision")
    most = Settings.from_environment().max_submission_mb * _MEGABYTE
    if isinstance(hub, str) and hub:
        named = revision if isinstance(revision, str) else None
        fetch_from_hub(hub, into=folder, max_bytes=most, revision=named)
        return
    with packed(path) as archive:
        if archive.stat().st_size > most:
            raise ArtifactTooLargeError(limit_bytes=most)
        unpack_apart(archive, folder, limits=ArchiveLimits(max_bytes=_SWELLING * most))
