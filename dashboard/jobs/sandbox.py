"""Where a child process may write: only below the folders it is given, by the kernel (Landlock) where it has that."""

import ctypes
import os
import sys
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH, _NO_NEW_PRIVILEGES, _ASK_VERSION = 1, 38, 1
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_ALTER_FOLDERS = sum(1 << bit for bit in range(4, 13))
"""Remove folders and files; make devices, folders, files, sockets, pipes, block devices and links."""
_MOVE = 1 << 13
_SINCE = {_MOVE: 2, _TRUNCATE: 3}
"""The version of Landlock that first knew the right."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)), 0)


def write_only_below(*folders: Path) -> bool:
    """Give up writing anywhere but below these folders and /dev. Irrevocable.

    It holds for the calling thread and every thread and process it starts from now on, so it is called before
    libraries start theirs. Folders that are missing are made.

    Returns:
        Whether the kernel enforces it.

    Raises:
        OSError: The kernel knows Landlock but refused the rules.
    """
    version = landlock_version()
    if version == 0:
        return False
    rights = _WRITE_FILE | _ALTER_FOLDERS | sum(right for right, since in _SINCE.items() if version >= since)
    ruleset = _checked(_libc().syscall(_CREATE_RULESET, ctypes.byref(_Ruleset(rights)), ctypes.c_size_t(8), 0))
    for folder in (*folders, Path("/dev")):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        rule = _Beneath(rights, descriptor)
        _checked(_libc().syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0))
        os.close(descriptor)
    _checked(_libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(_libc().syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)
    return True


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(answer: int) -> int:
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer
