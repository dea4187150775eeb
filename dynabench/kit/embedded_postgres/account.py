"""The account that the server runs as: ours, or an unprivileged one when we are root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dynabench.kit.embedded_postgres.errors import NoAccountError

_ROOT = 0
_CANDIDATES = ("postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """A user of the machine.

    Attributes:
        uid: The user's number.
        gid: The number of the user's first group.
        is_other: Whether it is another user than the one this process runs as.
    """

    uid: int
    gid: int
    is_other: bool

    @classmethod
    def for_server(cls) -> Self:
        """Choose the account: our own, or `postgres`, else `nobody`, when we are root.

        Raises:
            NoAccountError: If we are root and neither of these exists.
        """
        if os.geteuid() != _ROOT:
            return cls(uid=os.geteuid(), gid=os.getegid(), is_other=False)
        for name in _CANDIDATES:
            try:
                entry = pwd.getpwnam(name)
            except KeyError:
                continue
            return cls(uid=entry.pw_uid, gid=entry.pw_gid, is_other=True)
        raise NoAccountError

    def can_enter(self, path: Path) -> bool:
        """Tell whether the account can go into `path`, through every folder above it."""
        if not self.is_other:
            return os.access(path, os.X_OK)
        # Only the kernel knows (links, ACLs, mounts), so it is asked as that account.
        # The command is fixed; only the path varies, and no shell reads it.
        asked = subprocess.run(  # noqa: S603
            ["/usr/bin/env", "test", "-x", str(path)],
            user=self.uid,
            group=self.gid,
            extra_groups=[],
            cwd="/",
            env={"PATH": os.defpath},
            check=False,
        )
        return asked.returncode == 0

    def make_private_folder(self, path: Path) -> None:
        """Make a folder that only this account (and root) can enter; keep one that is there."""
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            return
        path.chmod(0o700)
        if self.is_other:
            os.chown(path, self.uid, self.gid)
