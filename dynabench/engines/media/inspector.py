"""The parent's side of looking at a file: one short-lived process each, a few at a time."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from dynabench.engines.media.errors import MediaInspectionError, MediaRefusedError

_AT_ONCE = 2
_PATIENCE_SECONDS = 30.0
_MAX_ANSWER_BYTES = 65_536
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
_SET_VARIABLES = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_MODULE = "dynabench.engines.media.inspect_main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """What a file is by its content.

    Attributes:
        media_type: Such as `image/png`.
        size_bytes: Of the cleaned file.
        clean: Where the cleaned file lies.
        thumbnail: Where the smaller picture lies; None for a sound.
        width: In pixels; None for a sound.
        height: In pixels; None for a sound.
        duration_seconds: None for a picture.
    """

    media_type: str
    size_bytes: int
    clean: Path
    thumbnail: Path | None
    width: int | None
    height: int | None
    duration_seconds: float | None


class MediaInspector:
    """Has files from outside decoded in processes that can be lost."""

    def __init__(self, *, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._patience_seconds = patience_seconds

    async def inspect(self, file: Path, folder: Path) -> Inspected:
        """Look at a file; what is kept of it is written into a folder of the caller's.

        Raises:
            MediaRefusedError: If it is not taken, with the reason.
            MediaInspectionError: If nobody could look at it.
        """
        async with self._places:
            answer = await self._ask(file, folder)
        refused = answer.get("refused")
        if isinstance(refused, str):
            raise MediaRefusedError(refused)
        thumbnail = folder / "thumbnail"
        return Inspected(
            media_type=str(answer["media_type"]),
            size_bytes=int(str(answer["size_bytes"])),
            clean=folder / "clean",
            thumbnail=thumbnail if "width" in answer else None,
            width=_number(answer.get("width")),
            height=_number(answer.get("height")),
            duration_seconds=_seconds(answer.get("duration_seconds")),
        )

    async def _ask(self, file: Path, folder: Path) -> dict[str, object]:
        environment = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-m", _MODULE, str(file), str(folder)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=environment | _SET_VARIABLES,
                limit=_MAX_ANSWER_BYTES,
                start_new_session=True,
            )
        except OSError as error:
            raise MediaInspectionError from error
        try:
            async with asyncio.timeout(self._patience_seconds):
                told, _ = await process.communicate()
        except TimeoutError:
            raise MediaRefusedError(
                "The file takes too long to decode; send a simpler one."
            ) from None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if process.returncode in {
            -signal.SIGXCPU,
            -signal.SIGKILL,
            -signal.SIGSEGV,
            -signal.SIGABRT,
        }:
            raise MediaRefusedError("The file cannot be decoded; save it anew.")
        return _answer(told)


def _answer(told: bytes) -> dict[str, object]:
    try:
        answer = json.loads(told)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise MediaInspectionError
    return answer


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
