"""The system calls that a sandbox refuses, as a program for the kernel's seccomp filter.

What is refused serves to leave a sandbox, to attack the kernel or to watch other processes;
none of it is needed to run a model. Everything else is allowed: a list of what is allowed
would break with the next version of a library.
"""

import errno
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass

# Name -> number on x86_64 and on aarch64; None where there is no such call.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    # Memory that no counter of a process shows; the sampled fallback would not see it.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
    "vmsplice": (278, 75),
}
# Told to be missing, so that libraries take their older way.
_MISSING = {
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
_CLONE, _SOCKET, _SOCKETPAIR, _IOCTL = (56, 220), (41, 198), (53, 199), (16, 29)

# Every kind of new namespace (CLONE_NEWNS … CLONE_NEWNET).
_NEW_NAMESPACES = 0x7E020000
_FAMILIES = (1, 2, 10)  # Unix, IPv4 and IPv6, which lead nowhere in a network of its own.
_TERMINAL_WRITES = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type into somebody's terminal.

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
_X32 = 0x40000000


@dataclass(frozen=True, slots=True)
class _Machine:
    column: int
    audit: int
    has_x32: bool


_MACHINES = {
    "x86_64": _Machine(0, 0xC000003E, has_x32=True),
    "aarch64": _Machine(1, 0xC00000B7, has_x32=False),
}


def seccomp_program(machine: str | None = None) -> bytes | None:
    """Return the filter for a kind of machine, this one by default; None where none is known."""
    found = _MACHINES.get(machine or platform.machine())
    if found is None:
        return None
    column = found.column
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, found.audit, yes=1),
        # Another way into the kernel, with other numbers.
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
    ]
    if found.has_x32:
        lines += [_line(_AT_LEAST, _X32, no=1), _line(_RETURN, _ERROR | errno.ENOSYS)]
    for numbers in _REFUSED.values():
        if numbers[column] is not None:
            lines += _whole_call(numbers[column], errno.EPERM)
    for missing in _MISSING.values():
        lines += _whole_call(missing[column], errno.ENOSYS)
    lines += _by_argument(
        _CLONE[column],
        _FIRST,
        [_line(_ANY_BIT, _NEW_NAMESPACES, no=1), _line(_RETURN, _ERROR | errno.EPERM)],
    )
    for call in (_SOCKET[column], _SOCKETPAIR[column]):
        lines += _by_argument(call, _FIRST, list(_only(_FAMILIES, errno.EAFNOSUPPORT)))
    for request in _TERMINAL_WRITES:
        refuse = [_line(_EQUAL, request, no=1), _line(_RETURN, _ERROR | errno.EPERM)]
        lines += _by_argument(_IOCTL[column], _SECOND, refuse)
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _line(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction; `yes` and `no` are how many lines to skip."""
    return struct.pack("<HBBI", code, yes, no, value)


def _whole_call(number: int | None, error: int) -> list[bytes]:
    assert number is not None
    return [_line(_EQUAL, number, no=1), _line(_RETURN, _ERROR | error)]


def _by_argument(number: int, argument: int, check: list[bytes]) -> list[bytes]:
    """Return a check of one call's argument (its lower half), after which the number is back."""
    inner = [_line(_LOAD, argument), *check, _line(_LOAD, _NUMBER)]
    return [_line(_EQUAL, number, no=len(inner)), *inner]


def _only(values: tuple[int, ...], error: int) -> Iterable[bytes]:
    for index, value in enumerate(values):
        yield _line(_EQUAL, value, yes=len(values) - index)
    yield _line(_RETURN, _ERROR | error)
