"""What the operator's settings reach."""

from pathlib import Path
from uuid import uuid4

import pytest

from dynabench.app.wiring import job_handlers, wire
from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.protocol import TargetSpec
from dynabench.kit.settings import Settings

TITLES = Path(__file__).parents[2] / "frontend" / "src" / "lib" / "job-titles.ts"


async def test_pages_have_a_name_for_every_job() -> None:
    wiring = wire(Settings(database_url="postgresql://127.0.0.1:9/none"))
    try:
        names = job_handlers(wiring).keys()
    finally:
        await wiring.close()
    told = TITLES.read_text(encoding="utf-8")

    assert names
    assert [name for name in sorted(names) if f'["{name}", ' not in told] == []


@pytest.mark.parametrize(
    ("base_url", "refused"),
    [("https://chat.example/v1", None), ("https://elsewhere.example/v1", "elsewhere.example")],
)
async def test_a_key_may_be_sent_where_the_settings_say_and_nowhere_else(
    base_url: str, refused: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAT_KEY", "s3cret")
    settings = Settings.from_environment(
        {
            "DYNABENCH_DATABASE_URL": "postgresql://127.0.0.1:9/none",
            "DYNABENCH_TARGET_API_KEYS": "CHAT_KEY=chat.example",
        }
    )
    spec = TargetSpec(
        kind="openai",
        name="Chat",
        input_names=("statement",),
        output_names=("label",),
        labels={"label": ("positive", "negative")},
        options={
            "base_url": base_url,
            "model": "m",
            "prompt": "{statement}",
            "api_key_env": "CHAT_KEY",
        },
    )
    wiring = wire(settings)
    try:
        if refused is None:
            wiring.host.register(str(uuid4()), spec)
        else:
            with pytest.raises(TargetSpecError, match=refused):
                wiring.host.register(str(uuid4()), spec)
    finally:
        await wiring.close()
