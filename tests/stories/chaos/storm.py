"""Kills one process after the other under load, and reports what became of the promises."""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.load import people
from benchmarks.product import Product
from dynabench.app.verify import verify
from tests.stories.chaos.audit import read_back, sign_in_admin
from tests.stories.chaos.installation import (
    Scene,
    Victim,
    connect,
    installed,
    kill,
    said,
    set_scene,
)
from tests.stories.chaos.players import Ledger, Player

_COME_BACK_SECONDS = 60.0
_ENOUGH_PROMISES = 20
_LONGEST_CALM_SECONDS = 0.8


@dataclass
class Report:
    """What a storm did and found."""

    clients: int
    kills: Counter[str] = field(default_factory=Counter)
    recovery_seconds: dict[str, list[float]] = field(default_factory=dict)
    examples: int = 0
    votes: int = 0
    read_back: int = 0
    lost: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    load_seconds: float = 0.0
    findings: list[str] = field(default_factory=list)
    log: str = ""

    @property
    def requests(self) -> int:
        """How many requests were sent, answered or not."""
        return sum(self.seen.values())

    @property
    def accepted(self) -> int:
        """How many requests were answered with 2xx."""
        return sum(times for name, times in self.seen.items() if name.startswith("2"))

    @property
    def promised(self) -> int:
        """How many ids were given out: a key that was said twice has one."""
        return self.examples + self.votes


async def _storm(
    product: Product,
    ledger: Ledger,
    report: Report,
    *,
    kills: int,
    tell: Callable[[str], None],
) -> None:
    # When to strike is drawn; nothing secret hangs on it.
    chance = random.Random(kills)
    for number, victim in enumerate(itertools.islice(itertools.cycle(Victim), kills), start=1):
        await asyncio.sleep(chance.random() * _LONGEST_CALM_SECONDS)
        struck = time.monotonic()
        pid = kill(product, victim)
        while pid is None:
            # A target's worker comes with the next request, the others with the supervisor.
            if time.monotonic() - struck > _COME_BACK_SECONDS:
                report.findings.append(f"no {victim} came back within a minute")
                return
            await asyncio.sleep(0.02)
            pid = kill(product, victim)
        report.kills[victim] += 1
        struck, before = time.monotonic(), ledger.promises
        while ledger.promises < before + _ENOUGH_PROMISES:
            if time.monotonic() - struck > _COME_BACK_SECONDS:
                report.findings.append(f"nobody was served for a minute after a {victim}'s end")
                return
            await asyncio.sleep(0.02)
        silence = time.monotonic() - struck
        report.recovery_seconds.setdefault(victim, []).append(silence)
        tell(f"{number:>3} of {kills}: {victim} {pid}, served again after {silence:.1f} s")


async def _load(
    product: Product, scene: Scene, report: Report, *, kills: int, tell: Callable[[str], None]
) -> None:
    ledger, over = Ledger(), asyncio.Event()
    connections = await people(product.port, report.clients, prefix="player")
    players = [
        Player(connection, number, scene=scene, ledger=ledger)
        for number, connection in enumerate(connections)
    ]
    started = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(over))
        try:
            await _storm(product, ledger, report, kills=kills, tell=tell)
        finally:
            over.set()
    report.load_seconds = time.monotonic() - started
    report.examples, report.votes = len(ledger.examples), len(ledger.votes)
    report.seen = ledger.seen
    tell(f"reading {ledger.promises} ids back")
    admin = await sign_in_admin(product.port)
    report.findings += ledger.faults
    audit = await read_back(ledger, scene=scene, people=connections, admin=admin)
    report.read_back, report.lost = audit.read_back, len(audit.broken)
    report.findings += audit.broken + audit.unasked
    for connection in (*connections, admin):
        await connection.close()


def _ignore(line: str) -> None:
    del line


async def run_storm(
    home: Path, *, kills: int, clients: int = 32, tell: Callable[[str], None] = _ignore
) -> Report:
    """Run the product, 32 people and a killer; then look whether every promise was kept."""
    report = Report(clients)
    with installed(home) as product:
        tell(f"started in {product.seconds_to_first_page:.1f} s; training a target")
        scene = await set_scene(product)
        await _load(product, scene, report, kills=kills, tell=tell)
        tell("computing everything derived again")
        wiring = connect(product)
        try:
            report.findings += await verify(wiring)
        finally:
            await wiring.close()
        report.log = said(home)
    return report
