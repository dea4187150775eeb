"""Picks a text in the reader's language."""

from dynabench.science.task_config.mapping_reader import Text


def pick_text(value: Text | None, language: str | None, *, default: str) -> str:
    """Return a text in a language.

    The order is: the very tag (`pt-BR`), its language (`pt`), the default's, the first one
    there is. No text at all is the empty text.

    Example:
        >>> pick_text({"en": "Label", "de": "Etikett"}, "de-AT", default="en")
        'Etikett'
    """
    if value is None or isinstance(value, str):
        return value or ""
    texts = {tag.replace("_", "-").casefold(): text for tag, text in value.items()}
    for wanted in (language, default):
        if wanted is None:
            continue
        tag = wanted.replace("_", "-").casefold()
        for one in (tag, tag.split("-", 1)[0]):
            if one in texts:
                return texts[one]
    return next(iter(texts.values()), "")
