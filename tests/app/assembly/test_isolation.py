"""Whether submitted code is taken, and how it is then run."""

import pytest

from dynabench.app.assembly.isolation import choose_isolation, make_sandbox
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import IsolationReport, SandboxLimits
from dynabench.kit.settings import Settings
from dynabench.loop.models.submissions.errors import CodeRefusedError
from dynabench.loop.models.values import ModelIsolation


def sandbox_that_reports(reason: str | None) -> Sandbox:
    sandbox = Sandbox(SandboxLimits())
    sandbox._report = IsolationReport(reason=reason)
    return sandbox


@pytest.mark.parametrize("trusts", [False, True])
def test_where_there_is_a_sandbox_it_is_used_whomever_the_operator_trusts(*, trusts: bool) -> None:
    choose = choose_isolation(sandbox_that_reports(None), trust_submitters=trusts)
    assert choose() is ModelIsolation.SANDBOX


def test_without_one_code_is_refused_with_the_reason_unless_submitters_are_trusted() -> None:
    sandbox = sandbox_that_reports("bubblewrap is not installed.")
    assert choose_isolation(sandbox, trust_submitters=True)() is ModelIsolation.TRUSTED
    with pytest.raises(CodeRefusedError, match="bubblewrap is not installed"):
        choose_isolation(sandbox, trust_submitters=False)()


def test_the_operators_limits_reach_the_sandbox() -> None:
    settings = Settings(submission_memory_mb=100, submission_disk_mb=7, submission_processes=9)
    limits = make_sandbox(settings).limits
    assert (limits.memory_bytes, limits.disk_bytes) == (100 * 2**20, 7 * 2**20)
    assert limits.processes == 9
