"""Models that try to do harm. Each answers "done" where it could, and else why it could not.

Every one is first run without a sandbox, where it must succeed: an attack that fails by itself
shows nothing.
"""

from pathlib import Path

_FRAME = """
import ctypes, glob, os, pickle, signal, socket, subprocess, sys, threading, time

def attack(given):
{body}

def predict(batch):
    answers = []
    for item in batch:
        try:
            outcome = attack(item)
        except OSError as error:
            outcome = f"{{type(error).__name__}}: {{error}}"
        answers.append({{"outcome": "done" if outcome is None else str(outcome)}})
    return answers
"""


def _model(body: str) -> str:
    lines = ("    " + line for line in body.strip("\n").splitlines())
    return _FRAME.format(body="\n".join(lines))


CALL_HOME = _model("""
with socket.create_connection(("127.0.0.1", given["port"]), timeout=2) as line:
    line.sendall(b"the gold")
""")

ASK_A_NAME_SERVER = _model("""
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
    line.settimeout(given["patience"])
    line.sendto(b"gold.example.org?", ("127.0.0.1", given["port"]))
    line.recv(100)
""")

CALL_A_UNIX_SOCKET = _model("""
with socket.socket(socket.AF_UNIX) as line:
    line.settimeout(2)
    line.connect(given["address"].replace("@", chr(0)))
    line.sendall(b"the gold")
""")

READ_A_FILE = _model("""
with open(given["path"]) as file:
    return None if "secret" in file.read() else "nothing there"
""")

READ_A_LINK_OF_ITS_OWN = _model("""
with open(os.path.join(os.path.dirname(__file__), "weights.txt")) as file:
    return None if "secret" in file.read() else "nothing there"
""")

READ_EVERY_ENVIRONMENT = _model("""
found = b""
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        with open(path, "rb") as file:
            found += file.read()
    except OSError:
        continue
return None if given["secret"].encode() in found + repr(os.environ).encode() else "not found"
""")

WRITE_A_FILE = _model("""
with open(given["path"], "w") as file:
    file.write("was here")
""")

OVERWRITE_ITSELF = _model("""
with open(__file__, "a") as file:
    file.write("# changed")
""")

OUTLIVE = _model("""
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        # Let go of the pipes, as a daemon does.
        os.closerange(0, 100)
        os.execv("/bin/sleep", ["sleep", given["seconds"]])
    os._exit(0)
os.wait()
""")

SIGNAL_A_STRANGER = _model("""
os.kill(given["pid"], signal.SIGKILL)
""")

FORK = _model("""
count = 0
children = []
try:
    while count < given["most"]:
        child = os.fork()
        if child == 0:
            if given["endless"]:
                while True:
                    try:
                        os.fork()
                    except OSError:
                        pass
            signal.pause()
            os._exit(0)
        children.append(child)
        count += 1
finally:
    if not given["endless"]:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
""")

START_THREADS = _model("""
stop = threading.Event()
threads = [threading.Thread(target=stop.wait, daemon=True) for _ in range(given["most"])]
try:
    for thread in threads:
        thread.start()
except RuntimeError as error:
    time.sleep(0.3)
    return str(error)
finally:
    stop.set()
""")

TAKE_MEMORY = _model("""
held = []
while len(held) < given["mebibytes"]:
    block = bytearray(2**20)
    block[::4096] = b"x" * 256
    held.append(block)
""")

TAKE_MEMORY_IN_CHILDREN = _model("""
children = []
for _ in range(given["children"]):
    child = os.fork()
    if child == 0:
        block = bytearray(given["mebibytes"] * 2**20)
        block[::4096] = b"x" * (given["mebibytes"] * 256)
        time.sleep(1.0)
        os._exit(0)
    children.append(child)
statuses = [os.waitpid(child, 0)[1] for child in children]
return None if not any(statuses) else f"children ended with {statuses}"
""")

FILL_THE_DISK = _model("""
written, told = 0, ""
for place in given["places"]:
    name = os.path.join(place, "filler")
    try:
        with open(name, "wb") as file:
            for _ in range(given["mebibytes"]):
                file.write(b"x" * 2**20)
                file.flush()
                written += 1
    except OSError as error:
        told += f"{place}: {error.strerror}; "
return None if not told else f"{written} MiB; {told}"
""")

SPIN = _model("""
end = time.process_time() + given["seconds"]
while time.process_time() < end:
    pass
""")

SLEEP = _model("""
time.sleep(given["seconds"])
""")

PRINT = _model("""
for _ in range(given["mebibytes"]):
    print("x" * 2**20)
""")

FLOOD_EVERY_DESCRIPTOR = _model("""
for number in os.listdir("/proc/self/fd"):
    try:
        for _ in range(given["mebibytes"]):
            os.write(int(number), b"x" * 2**20)
    except OSError:
        continue
""")

MAKE_NAMESPACES = _model("""
child = os.fork()
if child == 0:
    libc = ctypes.CDLL(None, use_errno=True)
    os._exit(0 if libc.unshare(given["flags"]) == 0 else ctypes.get_errno())
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
return None if status == 0 else os.strerror(status)
""")

UNPICKLE = """
import os, pickle
def load(path):
    with open(os.path.join(path, "weights.pkl"), "rb") as file:
        pickle.load(file)
def predict(batch):
    return [{"outcome": "done"} for _ in batch]
"""

LOOP_WHILE_LOADING = "while True: pass\n"

WHO_AM_I = _model("""
with open("/tmp/mine", "x") as file:
    file.write("mine")
time.sleep(given["seconds"])
status = open("/proc/self/status").read()
kept = {line.split(":")[0]: line.split()[-1] for line in status.splitlines() if ":" in line}
return "{} {} {} {}".format(os.getuid(), kept["CapEff"], kept["NoNewPrivs"], kept["Seccomp"])
""")


class Weights:
    """What makes a pickle run a command when it is read."""

    def __init__(self, command: str) -> None:
        self._command = command

    def __reduce__(self) -> tuple[object, tuple[str]]:
        import os  # noqa: PLC0415

        return (os.system, (self._command,))


def write_model(folder: Path, source: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.py").write_text(source, encoding="utf-8")
    return folder
