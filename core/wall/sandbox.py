"""The walls around a child process, which reads what strangers wrote: a job of the dashboard, or one model file.

What stands on Linux of x86-64 or 64-bit ARM with Landlock (kernel 5.13 and newer; signals from 6.12) and seccomp:

- Files: a job reads Python, the system's libraries, Evenhand's own code, the built-in tables, and the uploads and
  kept results that it names. It writes into its own folder only, which goes when the child ends. It reads neither its
  user's files nor other uploads, drafts, or the list of jobs, and it starts no other program than Python. The child of
  a model file reads that file in place of uploads and tables, writes nothing, and starts nothing (``alone``).
- Network: it has none from before the first uploaded byte is read; what a built-in table needs is fetched before, and
  checked against its SHA-256. Sockets are refused by the kernel. A model behind an address is asked by another
  process (``dashboard.jobs.broker``), which reads no upload and asks nobody else; pieces that other machines do are
  sent by a third (``dashboard.jobs.carrying``), and stand behind the same walls there (:mod:`core.cluster.confined`).
- Processes: it can neither trace, signal nor change another process, nor gain rights, mount, or load into the kernel.
- Whoever asks: the worker hears JSON of bounded length checked against a schema, and copies out of the job's folder
  only what the task declares, after checking it; whoever opened a model file takes checked arrays (:mod:`core.wall`).
  They kill what floods, stalls or breaks the rules. Nothing is unpickled.
- Memory, computing time, core dumps and the size of what it writes are limited.
- Devices: it has the processor alone. An accelerator's driver takes commands of hundreds of kinds from whoever may open
  its device, and is the kernel's own code, so that a job of the dashboard computes on the processor; the command line
  and Python, which open no stranger's library but behind this wall, use an accelerator (:mod:`core.base.device`).

What does not stand: on macOS and on kernels without Landlock or seccomp the child can read its user's files or reach
other processes (:func:`missing_walls` says which; the page where models are uploaded shows it, and most model files are
refused there, :mod:`core.wall.trust`). Nowhere does anything hide which files exist, keep a busy child from slowing the
machine, or guard against faults of the kernel itself.
"""

import ctypes
import os
import resource
import sys
from collections.abc import Iterable
from pathlib import Path

from core.base.device import DEVICE
from core.base.files import home
from core.language.told import say
from core.wall.system_calls import can_filter, refuse_calls

REPOSITORY = Path(__file__).parents[2]

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH, _NO_NEW_PRIVILEGES, _ASK_VERSION = 1, 38, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _TRUNCATE, _CONTROL_DEVICES = 1, 2, 4, 8, 1 << 14, 1 << 15
_MOVE = 1 << 13
_ALTER_FOLDERS = sum(1 << bit for bit in range(4, 13))
"""Remove folders and files; make devices, folders, files, sockets, pipes, block devices and links."""
_MAKE_SPECIAL = sum(1 << bit for bit in (6, 9, 10, 11))
"""Make devices, sockets, pipes and block devices."""
_SINCE = {_MOVE: 2, _TRUNCATE: 3, _CONTROL_DEVICES: 5}
"""The version of Landlock that first knew the right."""
_TCP, _TCP_SINCE = 3, 4
_SCOPES, _SCOPES_SINCE = 3, 6
"""Abstract sockets of others, and signals to others."""
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_CAPABILITIES_VERSION = 0x20080522

MOST_BYTES_OF_A_FILE = 4 << 30

_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/sys/devices/system", "/sys/fs/cgroup"),
    *("/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm/overcommit_memory", "/dev/zero"),
    *("/dev/random", "/dev/urandom"),
)
_CODE = ("core", "dashboard", "assets", "sample_models")


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("path", ctypes.c_int32))


def missing_walls() -> tuple[str, ...]:
    """What this system lets the process that reads an upload do, a sentence each; empty if all walls stand."""
    files = say("On this system, the process that reads a file you bring could read and change your other files.")
    others = say("On this system, the process that reads a file you bring could reach the network and other programs.")
    return (() if landlock_version() else (files,)) + (() if can_filter() else (others,))


def landlock_version() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)), 0)


def confine(folder: Path | None, readable: Iterable[Path], *, alone: bool = False, pairs: bool = False) -> None:
    """Raise every wall that this system has around the calling process. Irrevocable.

    They hold for the calling thread and every thread and process it starts from now on, so this is called before
    libraries start theirs.

    Args:
        folder: The only one it may write to; None for none.
        readable: What it may read beside the system's libraries (:func:`own_code` among it).
        alone: Whether it may start neither processes nor threads nor programs, and signal nobody, itself included.
        pairs: Whether it may make pairs of sockets, to talk to processes that it starts.

    Raises:
        OSError: The kernel knows a wall but refused to raise it.
    """
    os.environ[DEVICE] = "processor"
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES_OF_A_FILE, MOST_BYTES_OF_A_FILE))
    if sys.platform != "linux":
        return
    libc = _libc()
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()
    _checked(libc.capset(header, none))
    _checked(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _guard_files(folder, (*readable, *map(Path, _SYSTEM), Path(f"/proc/{os.getpid()}")), () if alone else _programs())
    refuse_calls(alone=alone, pairs=pairs)


def own_code() -> list[Path]:
    """Where Python and Evenhand lie, without any folder that holds the user's files too."""
    named = [Path(entry).absolute() for entry in (sys.prefix, sys.base_prefix, *sys.path) if entry]
    private = (home().absolute(), Path.home(), REPOSITORY)
    python = [path for path in named if not any(other.is_relative_to(path) for other in private)]
    return [*python, *(REPOSITORY / name for name in _CODE)]


def _guard_files(folder: Path | None, readable: Iterable[Path], programs: Iterable[Path]) -> None:
    version = landlock_version()
    if version == 0:
        return
    read = _READ_FILE | _READ_FOLDER
    later = sum(right for right, since in _SINCE.items() if version >= since)
    handled = read | _EXECUTE | _WRITE_FILE | _ALTER_FOLDERS | later
    ruleset = _Ruleset(handled, _TCP if version >= _TCP_SINCE else 0, _SCOPES if version >= _SCOPES_SINCE else 0)
    size = ctypes.c_size_t(24 if version >= _SCOPES_SINCE else 16 if version >= _TCP_SINCE else 8)
    rules = _checked(_libc().syscall(_CREATE_RULESET, ctypes.byref(ruleset), size, 0))
    if folder is not None:
        _allow(rules, folder, handled & ~(_EXECUTE | _MAKE_SPECIAL | _CONTROL_DEVICES))
    _allow(rules, Path("/dev/null"), handled & (_READ_FILE | _WRITE_FILE | _TRUNCATE))
    for path in readable:
        _allow(rules, path, read)
    for path in programs:
        _allow(rules, path, _EXECUTE | _READ_FILE)
    _checked(_libc().syscall(_RESTRICT_SELF, rules, 0))
    os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    """Allow rights to a path and all below it; one that is not there is left out."""
    try:
        descriptor = os.open(path, os.O_PATH)
    except OSError:
        return
    rule = _Beneath(rights if path.is_dir() else rights & _OF_FILES, descriptor)
    try:
        _checked(_libc().syscall(_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(rule), 0))
    finally:
        os.close(descriptor)


def _programs() -> list[Path]:
    """Python itself, and what loads it."""
    mapped = {line.split(maxsplit=5)[-1].strip() for line in Path("/proc/self/maps").read_text().splitlines()}
    loaders = [Path(name) for name in mapped if Path(name).name.startswith("ld-")]
    return [Path(sys.executable).resolve(), *loaders]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(answer: int) -> int:
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer
