"""Values of many lines whose files are not fetched yet, and what becomes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dynabench.kit.wire import Values
from dynabench.loop.media.rules import find_mentions, misfit, stand_in
from dynabench.loop.media.values import MediaFile
from dynabench.science.task_config.elements import Field

MAX_URLS = 2_000


@dataclass(frozen=True, slots=True)
class Misfit:
    """What is wrong with a file that one of many values names."""

    position: int
    name: str
    sentence: str


@dataclass(slots=True)
class Outstanding:
    """Files that have to be fetched before the values that name them are whole.

    Attributes:
        fields: The fields that the values fill.
        urls: Where each file lies, by what stands in the values for its digest.
    """

    fields: Sequence[Field]
    urls: dict[str, str] = field(default_factory=dict)

    def stand_in(self, values: Values) -> Values:
        """Return values as if every file were there; what they wait for is remembered.

        What names no file rightly is left for the check of the values to refuse.
        """
        mentions, _ = find_mentions(self.fields, values)
        waiting = {one.name: one for one in mentions if one.url is not None}
        for one in waiting.values():
            assert one.url is not None
            self.urls[stand_in(one.url)] = one.url
        return values | {name: one.stored(stand_in(str(one.url))) for name, one in waiting.items()}

    def digests(self, checked: Sequence[Values]) -> set[str]:
        """Return the digests of the files that must be stored already."""
        return {
            mention.digest
            for values in checked
            for mention in find_mentions(self.fields, values)[0]
            if mention.digest not in self.urls
        }

    def settle(
        self,
        checked: Sequence[Values],
        *,
        stored: Mapping[str, MediaFile],
        fetched: Mapping[str, MediaFile | str],
    ) -> tuple[list[Values], list[Misfit]]:
        """Return the values with their files' own digests, and what is wrong with any.

        Args:
            checked: What `stand_in` gave, after its check.
            stored: Files that were there, by digest.
            fetched: Each address's file, or the sentence that says why there is none.
        """
        settled: list[Values] = []
        misfits: list[Misfit] = []
        for position, values in enumerate(checked):
            done = dict(values)
            for mention in find_mentions(self.fields, values)[0]:
                url = self.urls.get(mention.digest)
                found = stored.get(mention.digest) if url is None else fetched[url]
                wrong = found if isinstance(found, str) else misfit(found, mention.type)
                if wrong is not None:
                    misfits.append(Misfit(position, mention.name, wrong))
                elif isinstance(found, MediaFile):
                    done[mention.name] = mention.stored(found.digest)
            settled.append(done)
        return settled, misfits
