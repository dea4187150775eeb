"""Names and secrets of people: how they are compared, made and kept."""

import hashlib
import math
import secrets
from collections.abc import Sequence
from datetime import datetime

from dynabench.people.values import SIGN_IN_FAILURES_ALLOWED, SIGN_IN_WINDOW

_SECRET_BYTES = 32


def username_key(username: str) -> str:
    """Return what two spellings of one name have in common.

    A character that PostgreSQL cannot store becomes one that no name holds, so that a
    name with it is simply nobody's.

    Example:
        >>> username_key("Ada.L") == username_key("ada.l")
        True
    """
    storable = username.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return storable.casefold()


def new_secret(prefix: str = "") -> str:
    """Return a fresh secret of 256 random bits, fit for a URL, a header or a cookie."""
    return prefix + secrets.token_urlsafe(_SECRET_BYTES)


def digest_of(secret: str) -> bytes:
    """Return the SHA-256 by which a secret is stored and found again.

    A plain hash is enough: our secrets are random, so that there is nothing to guess.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def minutes_to_wait(failures: Sequence[datetime], *, now: datetime) -> int | None:
    """Return for how many minutes a name may not be tried from an address.

    At most `SIGN_IN_FAILURES_ALLOWED` failures fall into any window of `SIGN_IN_WINDOW`:
    the next attempt is allowed once the oldest of the last ten has left it.

    Args:
        failures: Times of failed attempts, in any order; older ones than the window
            do not matter.
        now: The time of the new attempt.

    Returns:
        Whole minutes, rounded up and at least 1, or None if the attempt is allowed.
    """
    recent = sorted(time for time in failures if time > now - SIGN_IN_WINDOW)
    if len(recent) < SIGN_IN_FAILURES_ALLOWED:
        return None
    free_at = recent[-SIGN_IN_FAILURES_ALLOWED] + SIGN_IN_WINDOW
    return max(1, math.ceil((free_at - now).total_seconds() / 60))
