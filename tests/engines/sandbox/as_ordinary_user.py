"""Run as an ordinary account: prints what became of each attack, as JSON."""

import asyncio
import json
import os
import sys
from pathlib import Path

from dynabench.engines.sandbox.sandbox import Sandbox
from tests.engines.sandbox import attacks
from tests.engines.sandbox.running import LIMITS, attack


async def main(folder: Path, port: int) -> None:
    """Run every attack that an account without rights could gain from."""
    sandbox = Sandbox(LIMITS)
    report = sandbox.report()
    found: dict[str, object] = {
        "uid": os.getuid(),
        "reason": report.reason,
        "has_own_user": report.has_own_user,
    }
    (folder / "gold").write_text("secret", encoding="utf-8")
    everywhere = ["/", "/dev", "/dev/shm", "/tmp", "/run", "/model"]  # noqa: S108
    tries: dict[str, tuple[str, dict[str, object]]] = {
        "call": (attacks.CALL_HOME, {"port": port}),
        "read": (attacks.READ_A_FILE, {"path": str(folder / "gold")}),
        "write": (attacks.WRITE_A_FILE, {"path": str(folder / "mark")}),
        "change": (attacks.OVERWRITE_ITSELF, {}),
        "disk": (attacks.FILL_THE_DISK, {"places": everywhere, "mebibytes": 40}),
        "fork": (attacks.FORK, {"most": 10**9, "endless": True}),
        "memory": (attacks.TAKE_MEMORY, {"mebibytes": 10**9}),
        "namespaces": (attacks.MAKE_NAMESPACES, {"flags": 0x10020000}),
    }
    for name, (source, given) in tries.items():
        if report.is_available:
            outcome = await attack(sandbox.launcher(), folder / name, source, given)
            found[name] = outcome.told
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
