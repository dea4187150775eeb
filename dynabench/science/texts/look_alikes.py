"""Letters of other scripts that look like Latin ones, for finding copied texts.

From the Unicode Consortium's confusables.txt (Unicode Technical Standard 39, Unicode licence):
letters whose normal form is confused with one letter from a to z. A text in which they stand for
Latin letters reads the same and was taken for another one. The table is the same for ever, for
what is made with it is stored.
"""

_LOOK_ALIKES = {
    "a": "\u0251\u03b1\u0430\u13aa\u15c5\ua4ee",
    "b": "\u0185\u03b2\u0432\u044c\u13cf\u13f4\u1472\u15af\u15f7\ua4d0\ua7b5",
    "c": "\u0441\u13df\u1d04\u2ca5\ua4da",
    "d": "\u0501\u13a0\u13e7\u146f\u15de\u15ea\ua4d2\ua4d3",
    "e": "\u03b5\u0435\u04bd\u13ac\u2d39\ua4f0\uab32",
    "f": "\u03dd\u0584\u15b4\u1e9d\ua4dd\ua799\uab35",
    "g": "\u018d\u0261\u050d\u0581\u13c0\u13f3\u1d83\ua4d6",
    "h": "\u03b7\u043d\u04bb\u0570\u13bb\u13c2\u157c\u2c8f\ua4e7",
    "i": "\u0131\u0269\u026a\u03b9\u0456\u04cf\u13a5\ua647",
    "j": "\u029d\u03f3\u0458\u13ab\u148d\ua4d9",
    "k": "\u03ba\u043a\u13e6\u16d5\u2c95\ua4d7",
    "l": "\u01c0\u13de\u14aa\u16c1\u18f3\u2c93\u2cd1\u2d4f\ua4e1\ua4f2",
    "m": "\u03bc\u03fb\u043c\u13b7\u15f0\u16d6\u2c99\ua4df",
    "n": "\u0578\u057c\u2c9b\ua4e0",
    "o": (
        "\u03bf\u03c3\u043e\u0585\u0b20\u0d20\u101d\u10ff\u12d0\u1d0f\u1d11\u2c9f\u2d54\ua4f3\uab3d"
    ),
    "p": "\u03c1\u0440\u13e2\u146d\u18d6\u2ca3\ua4d1",
    "q": "\u051b\u0563\u0566\u2d55",
    "r": "\u0280\u0433\u13a1\u13b1\u13d2\u1587\u18f4\u1d26\u2c85\ua4e3\uab47\uab48",
    "s": "\u01bd\u0455\u057f\u13d5\u13da\u18f5\ua4e2\ua731",
    "t": "\u03c4\u0442\u13a2\u2ca7\ua4d4",
    "u": "\u028b\u03c5\u057d\u1200\u144c\u1d1c\ua4f4\ua79f\uab4e\uab52",
    "v": "\u03bd\u0475\u13d9\u142f\u1d20\u2d38\ua4e6\ua6df",
    "w": "\u026f\u0461\u051d\u0561\u13b3\u13d4\u1d21\ua4ea",
    "x": "\u03c7\u0445\u1541\u157d\u16b7\u2cad\u2d5d\ua4eb\uab53",
    "y": ("\u0263\u028f\u03b3\u0443\u04af\u10e7\u13a9\u13bd\u1d8c\u1eff\u2ca9\ua4ec\uab5a"),
    "z": "\u03b6\u13c3\u1646\u1d22\ua4dc",
}

LATIN_BY_LOOK = str.maketrans(
    {look_alike: latin for latin, others in _LOOK_ALIKES.items() for look_alike in others}
)
"""For `str.translate`, after NFKC and case folding."""
