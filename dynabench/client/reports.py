"""Calls about signed results."""

from dynabench.client.calls import Id, get, path
from dynabench.client.methods import Endpoint
from dynabench.client.steps import Steps
from dynabench.loop.evaluations.signed_reports.schemas import SignedReport, SigningKeyRead


class ReportCalls:
    """Results with a signature."""

    @Endpoint
    def read_report(self, model_id: Id) -> Steps[SignedReport]:
        """Return a model's results as a signed report; `dynabench report verify` checks one."""
        return get(path("models", model_id, "report"), SignedReport)

    @Endpoint
    def read_signing_key(self) -> Steps[SigningKeyRead]:
        """Return the key that the server signs reports with."""
        return get(path("signing-key"), SigningKeyRead)
