"""The built page: its files with long caching, and `index.html` for every route of its own."""

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

_MISSING = """<!doctype html><html lang="en"><title>Dynabench</title>
<body><h1>The page is not built</h1>
<p>The API works under <a href="/api/v1/tasks">/api/v1</a>. Build the page with
<code>make page</code>, then reload.</p></body></html>"""
_FOREVER = "public, max-age=31536000, immutable"


def page_folder() -> Path:
    """Return the folder of the built page; it may not exist in a checkout."""
    return Path(str(files("dynabench"))) / "ui" / "dist"


def _file_in(folder: Path, path: str) -> Path | None:
    """Return a file of the built page, and nothing outside it."""
    try:
        found = (folder / path).resolve()
        is_inside = found.is_relative_to(folder.resolve()) and found.is_file()
    except (OSError, ValueError):
        # No file has a name with a NUL character, or one of thousands.
        return None
    return found if is_inside else None


def install_page(application: FastAPI, folder: Path | None = None) -> None:
    """Serve the built page under every path that is not the API's."""
    root = folder or page_folder()

    async def page(request: Request) -> Response:
        path = request.path_params.get("path", "")
        if path.startswith("api/") or path == "api":
            raise HTTPException(404, "there is no such route")
        found = _file_in(root, path) if path else None
        if found is not None:
            caching = _FOREVER if path.startswith("assets/") else "no-cache"
            return FileResponse(found, headers={"Cache-Control": caching})
        if path.startswith("assets/"):
            raise HTTPException(404, "there is no such file")
        index = root / "index.html"
        if not index.is_file():
            return HTMLResponse(_MISSING, status_code=503)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    application.add_api_route(
        "/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False
    )
