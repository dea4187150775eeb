"""The check of a handed-in model, the same on the server and on its builder's machine."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from dynabench.engines.inference.adapters import ISOLATION, TargetFactory
from dynabench.engines.inference.errors import (
    AddressRefusedError,
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetNotStartedError,
    TargetSpecError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.metering import Usage
from dynabench.engines.inference.protocol import (
    ModelInput,
    Prediction,
    TargetModel,
    TargetSpec,
)
from dynabench.engines.runners.errors import UnusableModelError
from dynabench.engines.runners.preparing import prepare_folder
from dynabench.loop.models.addresses.rules import wire_names
from dynabench.loop.models.checks.rules import distinct, problems_of, same_answer, trial_items
from dynabench.loop.models.checks.values import CheckProblem, CheckReport, TrialItem
from dynabench.science.task_config.schema import TaskConfig

_BATCH_ITEMS = 32
_ANSWER_SECONDS = 120.0
_LOG_CHARACTERS = 64_000
# What a model itself can be blamed for; everything else (a full disk, a machine that cannot
# isolate) is not its fault, and leaves the check as it is.
_MODEL_FAILURES = (
    AddressRefusedError,
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetTimeoutError,
    TargetUnavailableError,
    TimeoutError,
)


@runtime_checkable
class _Worker(Protocol):
    """A target that runs a process, keeps what it printed and measures it."""

    @property
    def log(self) -> str: ...

    def usage(self) -> Usage: ...


async def check_folder(
    folder: Path,
    spec: TargetSpec,
    config: TaskConfig,
    *,
    factory: TargetFactory,
    samples: Sequence[ModelInput] = (),
) -> CheckReport:
    """Make a handed-in folder runnable, in place, and check the model in it.

    What the folder is missing is a problem as much as a wrong answer.
    """
    started = time.perf_counter()
    try:
        await asyncio.to_thread(prepare_folder, folder, spec, config)
    except UnusableModelError as error:
        return _refused(error.fields, started)
    except TargetSpecError as error:
        return _refused(wire_names(error.fields), started)
    ready = replace(spec, options={**spec.options, "folder": str(folder)})
    return await check_target(ready, config, factory=factory, samples=samples)


async def check_target(
    spec: TargetSpec,
    config: TaskConfig,
    *,
    factory: TargetFactory,
    samples: Sequence[ModelInput] = (),
) -> CheckReport:
    """Ask a model trial inputs, one at a time and together, and check every answer.

    A bad model is a report with problems, never an error; an error says that this machine
    could not check it.

    Args:
        spec: How the model is reached.
        config: The task whose inputs it is asked and whose checks its answers must pass.
        factory: Builds the target, in the sandbox where there is one.
        samples: Further inputs, such as items of a dataset, with all their fields.

    Raises:
        TargetNotStartedError: If its process cannot be started here, or there is no sandbox.
    """
    started = time.perf_counter()
    try:
        target = factory(spec)
    except TargetSpecError as error:
        if ISOLATION in error.fields:
            raise TargetNotStartedError(name=spec.name, reason=error.message) from error
        return _refused(wire_names(error.fields), started)
    trial = trial_items(config)
    further = [
        TrialItem(name=f"sample {number}", inputs=inputs)
        for number, inputs in enumerate(samples, start=1)
    ]
    check = _Check(target, spec, config)
    try:
        await check.run(trial, (*trial, *further))
        return check.report(time.perf_counter() - started)
    finally:
        await target.close()


class _Check:
    """One check under way: what was asked so far, and what was found."""

    def __init__(self, target: TargetModel, spec: TargetSpec, config: TaskConfig) -> None:
        self._target = target
        self._spec = spec
        self._config = config
        self._problems: list[CheckProblem] = []
        self._warnings: list[str] = []
        self._lines: list[str] = []
        self._asked = 0
        self._digest: str | None = None

    async def run(self, alone: Sequence[TrialItem], together: Sequence[TrialItem]) -> None:
        """Load the model; ask some inputs alone, one of them twice, then all in batches."""
        if not await self._load():
            return
        answers: dict[str, Prediction] = {}
        for item in (*alone, alone[0]):
            answered = await self._ask([item])
            if not answered:
                return
            self._compare(item, answers.get(item.name), answered[0], how="when it was asked again")
            answers.setdefault(item.name, answered[0])
        for start in range(0, len(together), _BATCH_ITEMS):
            batch = together[start : start + _BATCH_ITEMS]
            answered = await self._ask(batch)
            if not answered:
                return
            for item, answer in zip(batch, answered, strict=True):
                how = f"alone and among {len(batch)}"
                self._compare(item, answers.get(item.name), answer, how=how)

    def report(self, seconds: float) -> CheckReport:
        """Return what was found."""
        worker = self._target if isinstance(self._target, _Worker) else None
        printed = "" if worker is None else worker.log
        lines = [*self._lines, *(f"Note: {warning}" for warning in self._warnings)]
        if printed:
            lines += ["The model printed:", printed]
        return CheckReport(
            problems=distinct(self._problems),
            log="\n".join(lines)[-_LOG_CHARACTERS:],
            asked=self._asked,
            seconds=seconds,
            memory_peak_bytes=None if worker is None else worker.usage().memory_peak_bytes,
            warnings=tuple(self._warnings),
            digest=self._digest,
        )

    async def _load(self) -> bool:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                self._digest = (await self._target.describe()).digest
        except TargetNotStartedError:
            raise
        except _MODEL_FAILURES as error:
            self._note(CheckProblem(item=None, field=None, problem=_reason(error)))
            return False
        self._lines.append(f"Loaded in {time.perf_counter() - began:.2f} s.")
        return True

    async def _ask(self, batch: Sequence[TrialItem]) -> list[Prediction]:
        """Return the answers to a batch, or nothing if the model failed on all of it."""
        self._asked += len(batch)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answers = await self._target.predict(
                    [self._spec.visible(item.inputs) for item in batch]
                )
        except TargetNotStartedError:
            raise
        except _MODEL_FAILURES as error:
            only = batch[0].name if len(batch) == 1 else None
            reason = _reason(error)
            told = reason if only else f"Asked {len(batch)} inputs at once, it failed. {reason}"
            self._note(CheckProblem(item=only, field=None, problem=told))
            return []
        asked = f"input “{batch[0].name}”" if len(batch) == 1 else f"{len(batch)} inputs at once"
        self._lines.append(f"Asked {asked}: {(time.perf_counter() - began) * 1000:.1f} ms.")
        for item, answer in zip(batch, answers, strict=True):
            for problem in problems_of(item, answer, self._config):
                self._note(problem)
        return answers

    def _note(self, problem: CheckProblem) -> None:
        if problem not in self._problems:
            self._problems.append(problem)
            self._lines.append(f"Problem: {problem}")

    def _compare(
        self, item: TrialItem, before: Prediction | None, now: Prediction, *, how: str
    ) -> None:
        """Warn once of a model that answers the same input differently."""
        if self._warnings or before is None or before.error or now.error:
            return
        if not same_answer(before, now):
            self._warnings.append(
                f"It answered the input “{item.name}” differently {how}, so its scores can "
                "differ from run to run. Fix its seeds, and let no item change another's answer."
            )


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"It did not answer within {_ANSWER_SECONDS:g} seconds."
    if isinstance(error, TargetUnavailableError | TargetAnswerInvalidError):
        return error.reason[:1].upper() + error.reason[1:]
    return str(error)


def _refused(fields: dict[str, str], started: float) -> CheckReport:
    """Return the report of a model that cannot even be started."""
    problems = tuple(
        CheckProblem(item=None, field=name or None, problem=sentence)
        for name, sentence in fields.items()
    )
    return CheckReport(
        problems=problems,
        log="\n".join(f"Problem: {problem}" for problem in problems),
        asked=0,
        seconds=time.perf_counter() - started,
    )
