"""The demo's tables on a terminal of 80 columns."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from dynabench.app.demo.play import PlayedRound
from dynabench.app.demo.report import print_rounds
from dynabench.loop.validations.schemas import AgreementRead, ErrorRateRead, RateRead


def rate(part: int) -> RateRead:
    return RateRead(
        value=part / 156, part=part, whole=156, low=0.4591, high=0.7081, method="wilson"
    )


def played() -> PlayedRound:
    round_id = uuid4()
    counts = dict.fromkeys(("undecided", "pending", "disputed", "retracted", "flagged"), 0)
    return PlayedRound(
        task="hate-speech",
        number=2,
        round_id=round_id,
        target="retrained v1",
        refused=0,
        error_rate=ErrorRateRead(
            round_id=round_id,
            collected=156,
            fooled=133,
            verified_fooled=30,
            annotators=6,
            model_error_rate=rate(133),
            validated_model_error_rate=rate(30),
            macro_model_error_rate=None,
            macro_validated_model_error_rate=None,
            reason=None,
            as_of=datetime(2026, 1, 1, tzinfo=UTC),
            **counts,
        ),
        agreement=AgreementRead(
            examples=156,
            votes=468,
            fleiss_kappa=None,
            krippendorff_alpha=-0.25,
            unanimous=rate(20),
            reason=None,
        ),
    )


def test_nothing_in_a_row_is_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    print_rounds([played()])

    out = capsys.readouterr().out
    for word in ("hate-speech", "retrained v1", "85.3 % (133 of 156)", "45.9 to 70.8", "-0.25"):
        assert word in out
    assert "…" not in out
    assert max(len(line.rstrip()) for line in out.splitlines()) <= 80
