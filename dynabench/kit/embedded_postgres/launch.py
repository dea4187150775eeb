"""The few lines that become the server: other account, tied to the owner's life, then exec.

They run in a fresh interpreter rather than between fork and exec of ours, where a lock
held by one of our other threads could hang them. The kernel forgets the death signal when
the account changes, hence the order.
"""

LAUNCHER = """
import ctypes, os, signal, sys
owner, uid, gid, *command = sys.argv[1:]
os.umask(0o077)
if uid != "-":
    os.setgroups([])
    os.setgid(int(gid))
    os.setuid(int(uid))
if sys.platform == "linux":
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
    if os.getppid() != int(owner):
        sys.exit("The owner is gone.")
os.execv(command[0], command)
"""
