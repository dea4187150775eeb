"""Ids and constants of contexts."""

from datetime import timedelta
from typing import NewType
from uuid import UUID

ContextId = NewType("ContextId", UUID)

LEASE_DURATION = timedelta(minutes=30)
