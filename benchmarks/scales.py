"""Figures of the scale: how long many models and items take to be placed on one."""

import resource
import time
from pathlib import Path

import numpy as np
from scipy.special import expit

from benchmarks.report import Report, machine, write
from dynabench.science.statistics.item_response import fit_scale
from dynabench.science.statistics.response_likelihood import Numbers, Responses

_SETS = 5
_SEED = 17
# Models, items in all, and the most seconds that a worker's job may take.
_SIZES = ((20, 5_000, 10.0), (100, 20_000, 30.0), (200, 100_000, 300.0))


def measure(out: Path) -> int:
    """Measure the fit of three sizes; returns how many figures are missed."""
    about = machine()
    report = Report(
        0, "scales", "Models and rounds on one scale", setting="The fit alone, in one process."
    )
    for models, items, most in _SIZES:
        abilities, sets = _drawn(models, items)
        started, worked = time.monotonic(), time.process_time()
        scale = fit_scale(sets, models=models)
        seconds, worked = time.monotonic() - started, time.process_time() - worked
        found = float(np.corrcoef(scale.abilities, abilities)[0, 1])
        covered = np.abs(scale.abilities - abilities) <= scale.reach(scale.ability_errors)
        report.samples[f"{models} models, {items} items"] = [round(seconds, 3), round(worked, 3)]
        report.figure(
            f"{models} models on {items:,} items of {_SETS} sets",
            value=f"{seconds:.1f} s, {worked:.1f} s of processor (correlation with the true "
            f"abilities {found:.4f}, {int(covered.sum())} of {models} within their intervals)",
            wanted=f"< {most:.0f} s",
            holds=seconds < most and scale.is_converged,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    report.figure(
        "memory at most",
        value=f"{peak / 2**20:.0f} MiB",
        wanted="< 1,024 MiB",
        holds=peak < 2**30,
    )
    return write(report, out, about=about)


def _drawn(models: int, items: int) -> tuple[Numbers, list[Responses]]:
    random = np.random.default_rng(_SEED)
    abilities = random.standard_normal(models)
    abilities -= abilities.mean()
    sets = []
    for mean in np.linspace(-0.5, 1.0, _SETS):
        count = items // _SETS
        hard = mean + random.standard_normal(count)
        slope = np.exp(0.5 * random.standard_normal(count))
        chance = expit(slope * (abilities[:, None] - hard))
        right = random.random(chance.shape) < chance
        sets.append(Responses(np.arange(models), right, np.arange(count) // 2))
    return abilities, sets
