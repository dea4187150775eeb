"""Writes the files that are generated from code: the OpenAPI document and the page's types.

With `--check` nothing is written; a stale file is named and the exit status is 1.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"


def openapi_text() -> str:
    """Return the OpenAPI document as it is committed."""
    # Nothing connects before its first use, so any address will do.
    settings = Settings(database_url="postgresql://nobody@localhost/none")
    application = create_application(wire(settings))
    return json.dumps(application.openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def types_text(document: Path) -> str:
    """Return the TypeScript types of an OpenAPI document."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "schema.gen.ts"
        # The page's own Node comes first: older ones on the machine may not do.
        environment = dict(os.environ)
        environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
        subprocess.run(  # noqa: S603 - the command stands here
            ["npx", "openapi-typescript", str(document), "-o", str(target)],  # noqa: S607
            cwd=FRONTEND,
            env=environment,
            check=True,
            capture_output=True,
        )
        return target.read_text(encoding="utf-8")


def main() -> int:
    """Write or check; returns the exit status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    document = FRONTEND / "openapi.json"
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "openapi.json"
        fresh.write_text(openapi_text(), encoding="utf-8")
        wanted = {
            document: fresh.read_text(encoding="utf-8"),
            FRONTEND / "src" / "api" / "schema.gen.ts": types_text(fresh),
        }
    for path, text in wanted.items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'is stale; run make generate' if check else 'written'}")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
