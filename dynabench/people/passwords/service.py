"""Hashes and checks passwords with Argon2id."""

import os

from anyio import CapacityLimiter, to_thread
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

# OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane.
_MEMORY_KIB = 19 * 1024
_PASSES = 2
_LANES = 1


class Passwords:
    """Turns passwords into Argon2id hashes, in threads, few at a time.

    A hash takes some 30 ms of one core and 19 MiB; the bound keeps a flood of sign-ins
    from taking the cores and the memory of everything else.
    """

    def __init__(self, *, at_once: int | None = None) -> None:
        self._hash = PasswordHash(
            (Argon2Hasher(time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES),)
        )
        self._limiter = CapacityLimiter(at_once or max(1, (os.cpu_count() or 2) // 2))
        # Nobody's password: checked against where a name has none, so that both take
        # equally long and the time does not tell which names exist.
        self._nobodys = self._hash.hash(os.urandom(32))

    async def hash(self, password: str) -> str:
        """Return the hash under which a password is stored."""
        return await to_thread.run_sync(self._hash.hash, password, limiter=self._limiter)

    async def matches(self, password: str, stored: str | None) -> bool:
        """Tell whether a password is the stored one; as slow where nothing is stored."""
        found = await to_thread.run_sync(
            self._hash.verify, password, stored or self._nobodys, limiter=self._limiter
        )
        return found and stored is not None
