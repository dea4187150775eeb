"""A signed document is genuine, or refused with what is wrong with it."""

import base64
import copy
import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from dynabench.engines.signing.documents import verify
from dynabench.engines.signing.errors import DocumentRefusedError
from dynabench.engines.signing.key import SigningKey, SigningKeyUnreadableError

_CONTENT: dict[str, JsonValue] = {
    "model": {"name": "mine", "version": 2},
    "datasets": [{"digest": "ab" * 32, "scores": [{"value": 66.5, "low": None}]}],
}


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return SigningKey(tmp_path / "home" / "key.pem")


def paths(value: object, before: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the way to every leaf of a JSON value."""
    if isinstance(value, dict):
        return [way for name, one in value.items() for way in paths(one, (*before, name))]
    if isinstance(value, list):
        return [way for place, one in enumerate(value) for way in paths(one, (*before, place))]
    return [before]


def test_what_was_signed_is_genuine_after_a_trip_through_a_file(key: SigningKey) -> None:
    document = json.loads(json.dumps(key.sign(_CONTENT), indent=4, sort_keys=True))

    found = verify(document, public_key=key.public_text)

    assert found.content == _CONTENT
    assert found.public_key == key.public_text


@pytest.mark.parametrize("way", paths(_CONTENT), ids=str)
def test_no_value_can_be_changed_unnoticed(key: SigningKey, way: tuple[object, ...]) -> None:
    document = copy.deepcopy(key.sign(_CONTENT))
    # A way through a JSON value has names and places.
    inner: object = document["content"]
    for step in way[:-1]:
        inner = inner[step]  # type: ignore[index]
    inner[way[-1]] = "changed"  # type: ignore[index]

    with pytest.raises(DocumentRefusedError, match="changed after it was signed"):
        verify(document)


def test_another_key_is_told_from_the_expected_one(key: SigningKey, tmp_path: Path) -> None:
    other = SigningKey(tmp_path / "other.pem")

    with pytest.raises(DocumentRefusedError, match="another key"):
        verify(other.sign(_CONTENT), public_key=key.public_text)


def test_a_foreign_signature_is_refused(key: SigningKey, tmp_path: Path) -> None:
    other = SigningKey(tmp_path / "other.pem")
    forged = key.sign(_CONTENT) | {"signature": other.sign(_CONTENT)["signature"]}

    with pytest.raises(DocumentRefusedError):
        verify(forged)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["format", "content", "public_key", "signature", "x"]), inner
            )
        ),
        max_leaves=8,
    )
)
def test_garbage_is_refused_with_a_sentence(value: object) -> None:
    document = {"format": "dynabench-signed-1", **value} if isinstance(value, dict) else value

    with pytest.raises(DocumentRefusedError, match=r"^The document is not genuine: .*\.$"):
        verify(document)


def test_the_key_is_made_once_and_readable_by_its_account_alone(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    first = SigningKey(path).public_text

    assert SigningKey(path).public_text == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["key.pem"]


def test_a_file_that_is_no_key_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_text("mine", encoding="utf-8")

    with pytest.raises(SigningKeyUnreadableError, match=r"key\.pem"):
        SigningKey(path).sign(_CONTENT)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_signature_is_plain_ed25519_over_canonical_json(key: SigningKey) -> None:
    # Anybody can check it with another program: these are its bytes.
    document = key.sign({"b": 1, "a": [True, None]})
    raw = base64.b64decode(str(document["public_key"]))
    signature = base64.b64decode(str(document["signature"]))

    Ed25519PublicKey.from_public_bytes(raw).verify(signature, b'{"a":[true,null],"b":1}')
