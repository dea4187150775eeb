"""Use case of asking a model: put the bytes of named files into its input."""

import base64
from collections.abc import Mapping

from dynabench.loop.media.rules import is_digest
from dynabench.loop.media.service import MediaService


class MediaInliner:
    """Fills in what a model cannot fetch itself; models have no way to the blob store."""

    def __init__(self, *, media: MediaService) -> None:
        self._media = media

    async def inline(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return values in which each file carries its type and its bytes in base64.

        Only a picture or a sound has the form `{"media": digest, …}`: values come here
        checked against their fields.
        """
        return {name: await self._filled(value) for name, value in values.items()}

    async def _filled(self, value: object) -> object:
        digest = value.get("media") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(digest, str) or "data" in value:
            return value
        if not is_digest(digest):
            return value
        file = await self._media.get(digest)
        data = base64.b64encode(await self._media.content(digest)).decode("ascii")
        return {**value, "media_type": file.media_type, "data": data}
