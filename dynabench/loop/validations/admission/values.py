"""What an installation asks of people who made their accounts themselves."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionRule:
    """How long an account waits before it may judge, and who may not judge whom.

    Accounts that were made from one network address, at most `same_address_within` apart, do
    not judge each other's examples. Zero switches a part off.
    """

    wait: timedelta = timedelta()
    same_address_within: timedelta = timedelta()

    @property
    def asks_nothing(self) -> bool:
        """Whether everybody may judge everybody's examples at once."""
        return not self.wait and not self.same_address_within
