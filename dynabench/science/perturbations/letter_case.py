"""Putting one word in another's place with its capitals."""

from functools import lru_cache


@lru_cache(maxsize=4096)
def cased_like(word: str, model: str) -> str:
    """Return a word in the capitals of the one it replaces.

    Example:
        >>> cased_like("her", "His"), cased_like("her", "HIS"), cased_like("McCarthy", "chen")
        ('Her', 'HER', 'McCarthy')
    """
    if len(model) > 1 and model.isupper():
        return word.upper()
    if model[:1].isupper():
        return word[:1].upper() + word[1:]
    return word
