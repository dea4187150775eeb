"""Writing the numbers, the plots and the report; reading the numbers of earlier studies."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from dynabench.app.study.errors import StudyDataUnusableError
from dynabench.app.study.report import REPORT_FILE, write_report
from dynabench.app.study.results import StudyNumbers

DATA_FOLDER = "data"
PLOTS_FOLDER = "plots"
# The order in which the report tells the loops.
_ORDER = ("sentiment", "hate", "nli-baseline", "nli-lots", "nli-litl")


def publish(folder: Path, studies: Sequence[StudyNumbers]) -> list[Path]:
    """Write what was found, and the report over everything of the same settings found so far."""
    data = folder / DATA_FOLDER
    data.mkdir(parents=True, exist_ok=True)
    written = [_write(data / f"{one.study}.json", _json(one)) for one in studies]
    settings, seeds = studies[0].settings, len(studies[0].seeds)
    told = [
        one for one in read_numbers(folder) if one.settings == settings and len(one.seeds) == seeds
    ]
    plots = _draw(folder, told)
    report = write_report(told, plots={name: f"{PLOTS_FOLDER}/{name}.svg" for name in plots})
    return [*written, *plots.values(), _write(folder / REPORT_FILE, report.encode())]


def read_numbers(folder: Path) -> list[StudyNumbers]:
    """Return the numbers that are kept, in the order in which they are told.

    Raises:
        StudyDataUnusableError: If a file was damaged.
    """
    found: list[StudyNumbers] = []
    for path in (folder / DATA_FOLDER).glob("*.json"):
        try:
            found.append(StudyNumbers.model_validate_json(path.read_bytes()))
        except ValidationError as error:
            reason = "it holds no numbers of a study; delete it"
            raise StudyDataUnusableError(file=str(path), line=None, reason=reason) from error
    return sorted(found, key=lambda one: _ORDER.index(one.study))


def is_plotting_installed() -> bool:
    """Tell whether the extra that draws is there."""
    return find_spec("matplotlib") is not None


def _draw(folder: Path, studies: Sequence[StudyNumbers]) -> dict[str, Path]:
    """Draw each loop's plot; none without matplotlib, which the server does not need."""
    if not is_plotting_installed():
        return {}
    (folder / PLOTS_FOLDER).mkdir(exist_ok=True)
    drawing = import_module("dynabench.app.study.plots")
    return {
        one.study: _write(folder / PLOTS_FOLDER / f"{one.study}.svg", drawing.draw_plot(one))
        for one in studies
    }


def _json(study: StudyNumbers) -> bytes:
    return (study.model_dump_json(indent=1) + "\n").encode()


def _write(path: Path, content: bytes) -> Path:
    """Write a file whole or not at all."""
    beside = path.with_suffix(f"{path.suffix}.tmp")
    beside.write_bytes(content)
    beside.replace(path)
    return path
