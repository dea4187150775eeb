"""Decisions about who may judge: how old an account must be."""

import math
from datetime import datetime

from dynabench.loop.validations.admission.values import AdmissionRule
from dynabench.loop.validations.errors import AccountTooNewError


def require_old_enough(rule: AdmissionRule, *, made_at: datetime, now: datetime) -> None:
    """Refuse an account that has to wait before it may judge.

    Raises:
        AccountTooNewError: With the minutes that are left, at least 1.
    """
    left = (made_at + rule.wait - now).total_seconds()
    if left > 0:
        raise AccountTooNewError(minutes=math.ceil(left / 60))
