from dynabench.kit.machine import describe_machine, reference_seconds


def test_a_machine_has_one_name_and_some_speed() -> None:
    found = describe_machine()

    assert found == describe_machine()
    assert len(str(found["fingerprint"])) == 16
    assert int(str(found["cores"])) >= 1
    assert 0 < reference_seconds() < 60
