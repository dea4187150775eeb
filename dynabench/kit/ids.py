"""Ids: random, but ordered by time so that new rows stay close together in an index."""

import os
import time
from uuid import UUID

_RANDOM_BITS = 74
_MASK_62 = (1 << 62) - 1


def new_id() -> UUID:
    """Return a fresh UUID version 7 (RFC 9562): 48 bits of milliseconds, 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    random_bits = int.from_bytes(os.urandom(10), "big") & ((1 << _RANDOM_BITS) - 1)
    value = (milliseconds & ((1 << 48) - 1)) << 80
    value |= 0x7 << 76
    value |= (random_bits >> 62) << 64
    value |= 0b10 << 62
    value |= random_bits & _MASK_62
    return UUID(int=value)
