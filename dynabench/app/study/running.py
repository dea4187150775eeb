"""Playing all seeds, several at a time, and taking up what is done."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dynabench.app.study.collating import collate
from dynabench.app.study.errors import StudyProcessError
from dynabench.app.study.loops import play_adversarial, play_control, summary_of
from dynabench.app.study.parts import Parts
from dynabench.app.study.results import ArmPlayed, StudyNumbers
from dynabench.app.study.values import CONTROLS, Arm, Material, Plan

OnSeed: TypeAlias = Callable[[str, int], None]
"""Called with the loop's name and the seed whose two arms are done."""


@dataclass(frozen=True, slots=True)
class _Task:
    material: Material
    plan: Plan
    folder: Path
    seed: int


def run_studies(
    materials: Sequence[Material], *, plan: Plan, folder: Path, processes: int, on_seed: OnSeed
) -> list[StudyNumbers]:
    """Play every seed of every loop and return the numbers, in the order asked for.

    An arm that is done is kept in the folder and not played again for the same data and
    settings. Whoever interrupts this loses the arms that are being played.

    Raises:
        RecipeUnknownError: If the recipe does not fit a task.
        PoolTooSmallError: If a round leaves nothing to learn from.
        StudyProcessError: If a process was ended from outside.
    """
    for material in materials:
        summary_of(material.task, plan.recipe)
    tasks = [
        _Task(material, plan, folder, seed) for seed in range(plan.seeds) for material in materials
    ]
    for task in _played(tasks, processes=processes):
        on_seed(task.material.name, task.seed)
    return [
        collate(
            material,
            plan=plan,
            seeds=[_arms(_Task(material, plan, folder, seed)) for seed in range(plan.seeds)],
        )
        for material in materials
    ]


def _played(tasks: Sequence[_Task], *, processes: int) -> Iterator[_Task]:
    if processes == 1:
        for task in tasks:
            _arms(task)
            yield task
        return
    # A forked child would inherit the threads' locks of its parent.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_end_at_once) as pool:
        futures: dict[Future[None], _Task] = {pool.submit(_play, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                future.result()
                yield futures[future]
        except BrokenProcessPool as error:
            raise StudyProcessError from error
        except BaseException:
            # Whatever ends this, nothing new is begun.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_at_once() -> None:
    """Let Ctrl-C, which a terminal sends to all, end this process in the midst of an arm.

    What is finished lies on disk; an exception would only make it begin the next arm.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _play(task: _Task) -> None:
    _arms(task)


def _arms(task: _Task) -> tuple[ArmPlayed, ...]:
    """Return all arms of a seed, the adversarial one first; what is done is read."""
    parts = Parts(task.folder, task.material, plan=task.plan)
    played = parts.read(task.seed, Arm.ADVERSARIAL)
    if played is None:
        played = play_adversarial(task.material, plan=task.plan, seed=task.seed)
        parts.write(played)
    found = [played]
    for arm in CONTROLS:
        control = parts.read(task.seed, arm)
        if control is None:
            control = play_control(task.material, plan=task.plan, played=played, arm=arm)
            parts.write(control)
        found.append(control)
    return tuple(found)
