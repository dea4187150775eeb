"""How much JSON may hold, whoever sent it, before it is read at all."""

import re

MOST_VALUES = 10_000
MOST_DEPTH = 40
# A string without an end is one, too: looked for again at each quote, it would cost its square.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
_OPENING = frozenset({b"[", b"{"})


def is_intricate(body: bytes) -> bool:
    """Tell whether JSON holds too many values, or too many inside each other, to be read.

    Its size says little of what it costs: each wrong value has a sentence of its own.
    """
    openings = body.count(b"[") + body.count(b"{")
    if openings <= MOST_DEPTH and openings + body.count(b",") <= MOST_VALUES:
        # Those inside texts were counted, too: there are fewer still.
        return False
    bare = _STRINGS.sub(b"", body)
    if bare.count(b"[") + bare.count(b"{") + bare.count(b",") > MOST_VALUES:
        return True
    depth = 0
    for bracket in _BRACKETS.findall(bare):
        depth += 1 if bracket in _OPENING else -1
        if depth > MOST_DEPTH:
            return True
    return False
