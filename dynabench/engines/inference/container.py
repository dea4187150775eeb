"""The `container` adapter: an image that speaks the worker's protocol, in Podman or Docker."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import replace

from dynabench.engines.inference.container_tool import (
    ContainerLimits,
    ContainerTool,
    ImageProblemError,
    find_tool,
)
from dynabench.engines.inference.errors import (
    TargetNotStartedError,
    TargetStoppedError,
    TargetUnavailableError,
)
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.metering import Usage
from dynabench.engines.inference.protocol import (
    Description,
    ModelInput,
    Prediction,
    TargetSpec,
)
from dynabench.engines.inference.worker import Inputs, RawResult

_LOAD_SECONDS = 120.0
_DIGEST = "sha256:"
# What both tools end with where they themselves failed, before anything of the image ran.
_TOOL_FAILED = "status 125"


class ContainerTarget:
    """An image behind the `TargetModel` protocol.

    It is run by its id, which its content decides: a name that means another image later
    changes nothing. A spec with a digest runs that very image; one without finds the image
    by its name first, and `describe` tells its digest.
    """

    def __init__(self, spec: TargetSpec, *, limits: ContainerLimits | None = None) -> None:
        self._spec = spec
        self._image = spec.option("image")
        self._limits = limits or ContainerLimits()
        self._handler: HandlerTarget | None = None
        self._digest = ""
        self._lock = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process id of the tool that runs the container, or None while none runs."""
        return None if self._handler is None else self._handler.pid

    @property
    def restarts(self) -> int:
        """How often the container died, hung or could not be loaded."""
        return 0 if self._handler is None else self._handler.restarts

    @property
    def log(self) -> str:
        """The last lines that the model printed."""
        return "" if self._handler is None else self._handler.log

    def usage(self) -> Usage:
        """Return what the container used."""
        return Usage() if self._handler is None else self._handler.usage()

    async def warm(self) -> None:
        """Start the container and load its model, if it does not run yet."""
        await (await self._running()).warm()

    async def describe(self) -> Description:
        """Return the spec's description with the image's digest, once the model is loaded."""
        handler = await self._running()
        try:
            description = await handler.describe()
        except TargetStoppedError as error:
            if _TOOL_FAILED not in error.reason:
                raise
            reason = f"its container cannot be started ({error.log.strip()[-200:]})."
            raise TargetNotStartedError(name=self._spec.name, reason=reason) from error
        return replace(description, digest=self._digest)

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Answer a batch in one round trip to the container."""
        return await (await self._running()).predict(batch)

    async def stream(
        self,
        batches: Iterable[Sequence[Inputs]],
        *,
        in_flight: int = 4,
        batch_timeout_seconds: float | None = None,
    ) -> AsyncGenerator[list[RawResult], None]:
        """Give the raw results of each batch, in order (see `HandlerTarget.stream`)."""
        handler = await self._running()
        async for results in handler.stream(
            batches, in_flight=in_flight, batch_timeout_seconds=batch_timeout_seconds
        ):
            yield results

    async def close(self) -> None:
        """End the container; the next request starts a new one."""
        if self._handler is not None:
            await self._handler.close()

    async def _running(self) -> HandlerTarget:
        async with self._lock:
            if self._handler is None:
                tool, self._digest = await asyncio.to_thread(self._resolve)
                spec = replace(self._spec, options={**self._spec.options, "folder": "/"})
                self._handler = HandlerTarget(
                    spec,
                    launcher=tool.launcher(self._digest, limits=self._limits),
                    load_timeout_seconds=_LOAD_SECONDS,
                )
            return self._handler

    def _resolve(self) -> tuple[ContainerTool, str]:
        """Return the tool, and the digest of the image to run."""
        tool = find_tool()
        if isinstance(tool, str):
            raise TargetNotStartedError(name=self._spec.name, reason=tool)
        wanted = self._spec.digest if self._spec.digest.startswith(_DIGEST) else self._image
        try:
            return tool, tool.image_id(wanted)
        except ImageProblemError as problem:
            sentence = f"the image {self._image} {problem}"
            raise TargetUnavailableError(name=self._spec.name, reason=sentence) from problem
