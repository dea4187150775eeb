"""Names and secrets of people: how they are compared, made and kept."""

import hashlib
import hmac
import ipaddress
import re
import secrets
import unicodedata
from uuid import UUID

_SECRET_BYTES = 32

# Who has such a name seems to speak for the platform, or is taken for nobody.
_RESERVED = frozenset({
    "admin", "administrator", "anonymous", "api", "deleted", "dynabench", "expert", "everyone",
    "help", "moderator", "nobody", "none", "null", "operator", "owner", "root", "security",
    "staff", "support", "system", "undefined", "webmaster",
})  # fmt: skip
# `/users/me` is whoever asks.
_NEVER = "me"
# Letters that look like Latin ones, for comparing with the words above.
_LOOKALIKES = str.maketrans(
    "01|аеорсухіјѕԁгмнтквαορνικτημıⅼ",
    "ollaeopcyxijsdrmhtkbaopviktnuil",
)
_BETWEEN_WORDS = re.compile(r"[\W_]+")
# They take no ink, and Unicode counts some of them as letters.
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# They shape the letters of some scripts.
_JOINERS = "\u200c\u200d"
_MOST_MARKS = 4


def username_key(username: str) -> str:
    """Return what two spellings of one name have in common.

    A character that PostgreSQL cannot store becomes one that no name holds, so that a
    name with it is simply nobody's.

    Example:
        >>> username_key("Ada.L") == username_key("ada.l")
        True
    """
    storable = username.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return storable.casefold()


def new_secret(prefix: str = "") -> str:
    """Return a fresh secret of 256 random bits, fit for a URL, a header or a cookie."""
    return prefix + secrets.token_urlsafe(_SECRET_BYTES)


def digest_of(secret: str) -> bytes:
    """Return the SHA-256 by which a secret is stored and found again.

    A plain hash is enough: our secrets are random, so that there is nothing to guess.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def sign_up_mark(key: bytes, *, address: str, user_id: UUID) -> bytes:
    """Return the mark that accounts share which were made from one network address.

    A keyed hash, so that the address is stored nowhere. Of IPv6 the first 64 bits count: the
    rest is one household's to choose. This machine's own address says nothing of who is
    behind it, nor does a name that is no address: such an account has a mark of its own.

    Example:
        >>> one, other = UUID(int=1), UUID(int=2)
        >>> mark = sign_up_mark(b"key", address="2001:db8::1", user_id=one)
        >>> mark == sign_up_mark(b"key", address="2001:db8::2", user_id=other)
        True
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        found = None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found is None or found.is_loopback:
        seen = b"account" + user_id.bytes
    elif isinstance(found, ipaddress.IPv6Address):
        seen = b"6" + found.packed[:8]
    else:
        seen = b"4" + found.packed
    return hmac.digest(key, seen, "sha256")


def is_reserved(name: str, *, by_operator: bool = False) -> bool:
    """Tell whether a name could be taken for the platform's own.

    Args:
        name: A name to sign in with, or to be shown.
        by_operator: Whether the operator gives it: then only `me` is nobody's.

    Example:
        >>> is_reserved("Admin."), is_reserved("аdmin"), is_reserved("Ada")
        (True, True, False)
    """
    if name.casefold() == _NEVER:
        return True
    folded = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return not by_operator and _BETWEEN_WORDS.sub("", bare.translate(_LOOKALIKES)) in _RESERVED


def plain_name(text: str) -> str:
    """Return a name to be shown in the one spelling that looks like it, without outer blanks.

    Example:
        >>> plain_name("  Ａｄａ  ")
        'Ada'
    """
    return " ".join(unicodedata.normalize("NFKC", text).split())


def why_not_shown(name: str) -> str | None:
    """Say why a name does not show what it is, or None where it does.

    Example:
        >>> why_not_shown("Ada\u200bL")
        'It holds an invisible character (U+200B); remove it'
    """
    marks = 0
    for place, letter in enumerate(name):
        kind = unicodedata.category(letter)
        joins = letter in _JOINERS and _is_inside_word(name, place)
        if (kind in _INVISIBLE or letter in _INVISIBLE_LETTERS) and not joins:
            return f"It holds an invisible character (U+{ord(letter):04X}); remove it"
        marks = marks + 1 if kind.startswith("M") else 0
        if marks > _MOST_MARKS:
            return "It piles up marks on one letter; remove some"
    if name and not any(unicodedata.category(letter)[0] in "LNSP" for letter in name):
        return "It needs a letter that can be seen"
    return None


def _is_inside_word(name: str, place: int) -> bool:
    """Tell whether a joiner stands between letters that are joined: those of Latin are not."""
    around = name[max(0, place - 1) : place] + name[place + 1 : place + 2]
    return len(around) == 2 and all(  # noqa: PLR2004
        unicodedata.category(letter)[0] in "LMS"
        and not unicodedata.name(letter, "").startswith("LATIN")
        for letter in around
    )
