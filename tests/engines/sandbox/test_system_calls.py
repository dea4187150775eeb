"""The filter's program, run by hand on made-up calls: both kinds of machine, wherever this runs."""

import errno
import struct

import pytest

from dynabench.engines.sandbox.system_calls import seccomp_program

ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def judged(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Run the program as the kernel would; a jump leads forward only."""
    program = seccomp_program(machine)
    assert program is not None
    lines = [struct.unpack_from("<HBBI", program, place) for place in range(0, len(program), 8)]
    call = struct.pack(
        "<IIQ6Q", number, audit or AUDIT[machine], 0, *arguments, *[0] * (6 - len(arguments))
    )
    place = value = 0
    while True:
        code, yes, no, given = lines[place]
        place += 1
        if code == 0x20:
            (value,) = struct.unpack_from("<I", call, given)
        elif code == 0x06:
            return int(given)
        else:
            holds = {0x15: value == given, 0x35: value >= given, 0x45: bool(value & given)}[code]
            place += yes if holds else no


NUMBERS = {
    "x86_64": {"read": 0, "mount": 165, "clone": 56, "socket": 41, "ioctl": 16, "ptrace": 101},
    "aarch64": {"read": 63, "mount": 40, "clone": 220, "socket": 198, "ioctl": 29, "ptrace": 117},
}


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_leads_out_of_a_sandbox_is_refused_and_the_rest_allowed(machine: str) -> None:
    numbers = NUMBERS[machine]
    refused = ERROR | errno.EPERM
    assert judged(machine, numbers["read"]) == ALLOW
    assert judged(machine, numbers["mount"]) == refused
    assert judged(machine, numbers["ptrace"]) == refused
    threads, namespace = 0x3D0F00, 0x10000000
    assert judged(machine, numbers["clone"], threads) == ALLOW
    assert judged(machine, numbers["clone"], threads | namespace) == refused
    assert judged(machine, 435) == ERROR | errno.ENOSYS
    for family, answer in ((1, ALLOW), (2, ALLOW), (10, ALLOW), (16, None), (17, None)):
        expected = answer or ERROR | errno.EAFNOSUPPORT
        assert judged(machine, numbers["socket"], family) == expected
    assert judged(machine, numbers["ioctl"], 0, 0x5412) == refused
    assert judged(machine, numbers["ioctl"], 0, 0x5401) == ALLOW
    # What follows the checks of arguments still sees the call's number.
    assert judged(machine, numbers["socket"], 1) == ALLOW


def test_other_ways_into_the_kernel_are_closed() -> None:
    i386 = 0x40000003
    assert judged("x86_64", 0, audit=i386) == KILL
    assert judged("x86_64", 0x40000000) == ERROR | errno.ENOSYS
    assert seccomp_program("riscv64") is None
