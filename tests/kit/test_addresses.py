import pytest

from dynabench.kit.addresses import AddressSet, address_group


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("2001:db8:1:2:3::4", "2001:db8:1:2:ffff::", True),
        ("2001:db8:1:2::", "2001:db8:1:3::", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("not an address", "another", False),
    ],
)
def test_what_one_sender_has_counts_as_one(one: str, other: str, *, are_one: bool) -> None:
    assert (address_group(one) == address_group(other)) is are_one


def test_addresses_and_networks_are_found_in_a_set() -> None:
    known = AddressSet(("127.0.0.0/8", "::1", "192.0.2.7"))

    assert "127.0.0.9" in known
    assert "::1" in known
    assert "::ffff:127.0.0.1" in known
    assert "192.0.2.8" not in known
    assert "::2" not in known
    assert "localhost" not in known


def test_a_name_is_no_address() -> None:
    with pytest.raises(ValueError, match="localhost"):
        AddressSet(("localhost",))
