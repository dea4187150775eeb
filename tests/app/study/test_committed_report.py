import re
from pathlib import Path

from dynabench.app.study.publishing import read_numbers
from dynabench.app.study.report import REPORT_FILE, write_report

STUDIES = Path(__file__).parents[3] / "docs" / "studies"


def test_the_report_in_the_documents_is_made_from_the_numbers_beside_it() -> None:
    studies = read_numbers(STUDIES)
    plots = {one.study: f"plots/{one.study}.svg" for one in studies}

    report = (STUDIES / REPORT_FILE).read_text(encoding="utf-8")

    assert write_report(studies, plots=plots) == report
    assert all((STUDIES / plot).is_file() for plot in plots.values())
    assert all(len(one.seeds) >= 5 for one in studies)
    linked = re.findall(r"\]\((plots/[^)]*)\)", report)
    assert linked == list(plots.values())
