"""Which characters a text may hold, and how a refused one is named."""

import re

_REFUSED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_NAMES = {"\x00": "a NUL character", "\r": "a carriage return"}


def find_refused_character(text: str) -> str | None:
    r"""Say which character of a text cannot be kept, or None where all can.

    Refused are the control characters C0 (but for line feed and tab), DEL and C1, and lone
    surrogates: databases, files and screens disagree about them.

    Example:
        >>> find_refused_character("one\ttwo") is None
        True
        >>> find_refused_character("a\x00b")
        'It holds a NUL character (U+0000) at position 2; remove it.'
    """
    match = _REFUSED.search(text)
    if match is None:
        return None
    character = match.group()
    is_surrogate = "\ud800" <= character <= "\udfff"
    kind = "half of a character" if is_surrogate else "a control character"
    named = _NAMES.get(character, kind)
    position = match.start() + 1
    return f"It holds {named} (U+{ord(character):04X}) at position {position}; remove it."


def without_refused(text: str) -> str:
    r"""Return a text that can be kept, with a mark in the place of each refused character.

    For what somebody else's program says, of which nobody can ask for a better version.

    Example:
        >>> without_refused("\x1b[31mred\x00")
        '\ufffd[31mred\ufffd'
    """
    return _REFUSED.sub("\ufffd", text)
