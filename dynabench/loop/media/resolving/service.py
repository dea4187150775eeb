"""Use case of every value that names a file: have it here, and see that it fits."""

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from dynabench.engines.media.errors import (
    MediaFetchError,
    MediaInspectionError,
    MediaRefusedError,
)
from dynabench.kit.actor import Actor
from dynabench.kit.wire import Values
from dynabench.loop.media.resolving.rules import MAX_URLS, Misfit, Outstanding
from dynabench.loop.media.service import MediaService
from dynabench.loop.media.values import MediaFile
from dynabench.science.task_config.elements import Field, MetadataField
from dynabench.science.task_config.problems import FieldValueError

_AT_ONCE = 8
# Shorter than clients wait for an answer.
_SECONDS_FOR_MANY = 45.0
_SECONDS_FOR_ONE = 25.0


class MediaResolver:
    """Turns `{"url": …}` into `{"media": …}`, and refuses files that do not fit their field."""

    def __init__(self, *, media: MediaService, seconds_for_many: float = _SECONDS_FOR_MANY) -> None:
        self._media = media
        self._seconds_for_many = seconds_for_many

    async def resolve(
        self, fields: Sequence[Field], values: Values, *, prefix: str, actor: Actor
    ) -> Values:
        """Return one person's values with every file stored.

        What names no file rightly passes, for the check of the values to refuse.

        Args:
            fields: The fields that the values fill.
            values: As they came.
            prefix: The part of the request that is named before a field, as in `inputs`.
            actor: Who brings them; a visitor's addresses are not fetched.

        Raises:
            FieldValueError: If a file cannot be had or does not fit; each field is named.
            MediaQuotaError: If the actor has brought too much today.
        """
        outstanding = Outstanding(fields)
        waiting = outstanding.stand_in(values)
        if outstanding.urls:
            if actor.user_id is None:
                sentence = "Sign in to have a file fetched from an address."
                raise FieldValueError(
                    {
                        f"{prefix}.{name}": sentence
                        for name in values
                        if values[name] != waiting[name]
                    }
                )
            await self._media.require_room(actor.user_id)
        settled, misfits = await self.settle(
            outstanding, [waiting], created_by=actor.user_id, seconds=_SECONDS_FOR_ONE
        )
        if misfits:
            raise FieldValueError({f"{prefix}.{one.name}": one.sentence for one in misfits})
        return settled[0]

    async def resolve_metadata(
        self, fields: Sequence[MetadataField], values: Values, *, actor: Actor
    ) -> Values:
        """Return explanations with every file stored; see `resolve`."""
        plain = [one.field for one in fields]
        return await self.resolve(plain, values, prefix="metadata", actor=actor)

    async def settle(
        self,
        outstanding: Outstanding,
        checked: Sequence[Values],
        *,
        created_by: UUID | None,
        seconds: float | None = None,
    ) -> tuple[list[Values], list[Misfit]]:
        """Fetch what many values wait for, a few files at a time and never for long.

        Returns:
            The values, and what is wrong with which of them.
        """
        fetched = await self._fetch_all(
            outstanding.urls.values(),
            created_by=created_by,
            seconds=self._seconds_for_many if seconds is None else seconds,
        )
        stored = await self._media.get_many(outstanding.digests(checked))
        return outstanding.settle(checked, stored=stored, fetched=fetched)

    async def _fetch_all(
        self, urls: Iterable[str], *, created_by: UUID | None, seconds: float
    ) -> dict[str, MediaFile | str]:
        wanted = list(dict.fromkeys(urls))
        if len(wanted) > MAX_URLS:
            return dict.fromkeys(wanted, f"At most {MAX_URLS:,} addresses are fetched at once.")
        found: dict[str, MediaFile | str] = {**await self._media.recently_fetched(wanted)}
        places = asyncio.Semaphore(_AT_ONCE)

        async def fetch(url: str) -> None:
            async with places:
                try:
                    found[url] = await self._media.fetch_file(url, created_by=created_by)
                except (MediaFetchError, MediaRefusedError) as error:
                    found[url] = error.reason
                except MediaInspectionError as error:
                    found[url] = error.message

        tasks = [asyncio.create_task(fetch(url)) for url in wanted if url not in found]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=bool(late))
        late_sentence = (
            "It was not fetched in time. Send it again: what was fetched is not fetched anew."
        )
        return {url: found.get(url, late_sentence) for url in wanted}
