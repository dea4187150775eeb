"""Control groups of version 2, whose files are played by a folder: few machines have both."""

from pathlib import Path

import pytest

from dynabench.engines.sandbox.control_groups import (
    ControlGroup,
    GroupParents,
    _candidates,
    _mounts,
    _own_groups,
    find_group_parents,
)
from dynabench.engines.sandbox.values import MemoryKeeper
from tests.engines.sandbox.running import LIMITS


def test_a_group_of_version_2_is_limited_and_read(tmp_path: Path) -> None:
    folders = {"memory": tmp_path, "pids": tmp_path}
    parents = GroupParents(keeper=MemoryKeeper.CGROUP_V2, folders=folders)
    group = ControlGroup.create(parents, LIMITS)
    (folder,) = group.folders
    read = {path.name: path.read_text(encoding="ascii") for path in folder.iterdir()}
    assert read == {
        "pids.max": "40",
        "memory.max": str(256 * 2**20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
    }
    assert (group.is_out_of_memory(), group.is_out_of_processes()) == (False, False)
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 3\n", encoding="ascii")
    (folder / "pids.events").write_text("max 2\n", encoding="ascii")
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 9\n", encoding="ascii")
    assert (group.is_out_of_memory(), group.is_out_of_processes()) == (True, True)
    assert group.cpu_seconds() == 1.5
    group.kill()
    assert (folder / "cgroup.kill").read_text(encoding="ascii") == "1"


def test_a_delegated_group_is_found_beside_the_own_one(tmp_path: Path) -> None:
    (tmp_path / "service" / "server").mkdir(parents=True)
    control = tmp_path / "service" / "cgroup.subtree_control"
    control.write_text("cpu memory pids\n", encoding="ascii")
    mounts = _mounts(f"30 23 0:26 / {tmp_path} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n")
    own = _own_groups("0::/service/server\n")
    (found,) = _candidates(mounts, own)
    assert found.folders == dict.fromkeys(("memory", "pids"), tmp_path / "service")
    control.write_text("cpu\n", encoding="ascii")
    assert _candidates(mounts, own) == []


def test_version_1_is_found_below_the_own_groups_also_in_a_container(tmp_path: Path) -> None:
    text = "".join(
        f"3{number} 23 0:2{number} /docker/abc {tmp_path}/{names} ro - cgroup cgroup rw,{names}\n"
        for number, names in enumerate(("memory", "pids", "cpu,cpuacct"))
    )
    own = _own_groups("4:memory:/docker/abc/x\n5:pids:/docker/abc\n6:cpu,cpuacct:/elsewhere\n")
    (found,) = _candidates(_mounts(text), own)
    assert found.keeper is MemoryKeeper.CGROUP_V1
    assert found.folders == {
        "memory": tmp_path / "memory" / "x",
        "pids": tmp_path / "pids",
        "cpuacct": tmp_path / "cpu,cpuacct",
    }


def test_what_an_earlier_process_left_is_removed_on_the_way() -> None:
    parents = find_group_parents()
    if parents is None:
        pytest.skip("this account may make no control groups")
    used = ControlGroup.create(parents, LIMITS)
    gone = 2**22 + 1
    left = [folder.with_name(f"dynabench-{gone}-x") for folder in used.folders]
    for folder in left:
        folder.mkdir()
    assert find_group_parents() == parents
    assert not any(folder.exists() for folder in left)
    assert all(folder.is_dir() for folder in used.folders)
    assert used.remove()
