"""Comparing a round's contexts with what is released for training: bands, then similarity."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dynabench.loop.examples.rules import NEAR_DUPLICATE_SIMILARITY, text_of
from dynabench.science.texts.near_duplicates import bands_of, jaccard, shingles

MOST_SAMPLED = 500
"""So many contexts are compared."""

MOST_RELEASED = 4_000
"""With so many released texts."""

_SCOPE = b"next-round"
_SHOWN = 200


class ReleasedTexts:
    """Texts of released train items, indexed by what near-duplicates share."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(dict.fromkeys(texts))[:MOST_RELEASED]
        self._index: dict[int, list[int]] = defaultdict(list)
        for place, text in enumerate(self._texts):
            for band in bands_of(text, _SCOPE):
                self._index[band].append(place)

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(self._texts)

    def find_near(self, text: str) -> str | None:
        """Return a text that is nearly the same; None where there is none."""
        found = {place for band in bands_of(text, _SCOPE) for place in self._index.get(band, ())}
        mine = shingles(text)
        for place in sorted(found):
            if jaccard(mine, shingles(self._texts[place])) >= NEAR_DUPLICATE_SIMILARITY:
                return self._texts[place]
        return None


def near_repeats(
    contents: Sequence[Mapping[str, object]], released: ReleasedTexts
) -> list[tuple[str, str]]:
    """Return the beginnings of contexts that nearly repeat a released text, beside that text."""
    texts = [text_of(dict(content)) for content in contents]
    pairs = [(text, released.find_near(text)) for text in texts if text.strip()]
    return [(text[:_SHOWN], near[:_SHOWN]) for text, near in pairs if near is not None]
