"""Names and secrets of people: how they are compared, made and kept."""

import hashlib
import hmac
import ipaddress
import secrets
from uuid import UUID

_SECRET_BYTES = 32


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
