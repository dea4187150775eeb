"""The built page's files, and paths that name none."""

from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from dynabench.app.server.page import install_page


@pytest.mark.parametrize("path", ["/%00", "/" + "a" * 5_000, "/..%2F..%2Fsecret", "/tasks/nli"])
async def test_a_path_that_is_no_file_gets_the_page(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("outside")
    built = tmp_path / "ui" / "dist"
    built.mkdir(parents=True)
    (built / "index.html").write_text("the page")
    application = FastAPI()
    install_page(application, built)
    transport = httpx2.ASGITransport(app=application)

    async with httpx2.AsyncClient(transport=transport, base_url="http://page") as client:
        answer = await client.get(path)

    assert (answer.status_code, answer.text) == (200, "the page")
