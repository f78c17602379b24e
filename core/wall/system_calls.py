"""What a child may not ask the kernel for (seccomp): the network, other processes, and whatever no task needs.

A refused call fails with "operation not permitted", as it does for any user without the right to it.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Sequence

_DENIED: dict[str, tuple[tuple[int | None, int | None], ...]] = {
    "other processes": (  # verbatim
        *((101, 117), (310, 270), (311, 271), (440, 440), (448, 448), (312, 272), (434, 434), (438, 438), (424, 424)),
        *((129, 138), (297, 240), (200, 130), (112, 157), (109, 154), (141, 140), (144, 119), (142, 118), (314, 274)),
        *((251, 30), (279, 239), (256, 238)),
    ),
    "sockets": ((41, 198), (53, 199), (42, 203), (49, 200), (50, 201), (43, 202), (288, 242)),
    "memory and messages shared with others": (  # verbatim
        *((29, 194), (30, 196), (31, 195), (68, 186), (69, 189), (70, 188), (71, 187), (64, 190), (65, 193)),
        *((66, 191), (220, 192), (240, 180), (241, 181)),
    ),
    "rights, owners, marks and times of files, which Landlock does not guard": (  # verbatim
        *((90, None), (91, 52), (268, 53), (452, 452), (92, None), (93, 55), (94, None), (260, 54), (188, 5)),
        *((189, 6), (190, 7), (197, 14), (198, 15), (199, 16), (132, None), (235, None), (280, 88), (261, None)),
        *((303, 264), (304, 265), (253, None), (294, 26), (254, 27), (300, 262), (301, 263)),
    ),
    "keys, tracing and rings": (  # verbatim
        *((248, 217), (249, 218), (250, 219), (321, 280), (298, 241), (323, 282), (425, 425), (426, 426), (427, 427)),
    ),
    "mounts and namespaces": (  # verbatim
        *((165, 40), (166, 39), (155, 41), (161, 51), (429, 429), (428, 428), (430, 430), (431, 431), (432, 432)),
        *((433, 433), (442, 442), (308, 268), (272, 97)),
    ),
    "the machine": (  # verbatim
        *((246, 104), (320, 294), (176, 106), (175, 105), (313, 273), (169, 142), (167, 224), (168, 225), (163, 89)),
        *((103, 116), (179, 60), (443, 443), (135, 92), (164, 170), (227, 112), (305, 266), (159, 171), (170, 161)),
        *((171, 162), (153, 58), (172, None), (173, None), (154, None), (212, 18), (180, 42)),
    ),
}
"""Numbers of the calls on x86-64 and on 64-bit ARM, from the kernel's headers."""
_PAIRS = (53, 199)
"""Of these a process may keep the one that makes a pair of sockets, which leads nowhere but to its own children."""
_FIRST_UNKNOWN = 463
"""Calls from this number on, the same on both machines, are newer than the list: they are answered as if the kernel
had none. The first of them write attributes of files, which Landlock does not guard."""
_ALONE = (
    *((191, 8), (192, 9), (193, 10), (194, 11), (195, 12), (196, 13), (203, 122), (222, 107), (206, 0), (73, 32)),
    *((275, 76), (276, 77), (278, 75)),
    *((57, None), (58, None), (56, 220), (59, 221), (322, 281), (62, 129), (234, 131), (319, 279), (447, 447)),
    (323, 282),
)
"""Read attributes of files, which others may write; pin processes to a core; make timers, rings, locks and full pipes,
which no limit counts; start processes, threads and programs, signal, and make files in memory only."""
_ALONE_WITH = (
    ((157, 167), 0, 1),
    *(((72, 25), 1, command) for command in (5, 6, 7, 8, 10, 15, 36, 37, 38, 1024, 1026, 1031)),
)
"""Outlive the process that started it, lock files, and have signals sent to others by what happens to a file: calls,
which of their arguments says so, and what it is."""
_CONTROL, _CONTROL_ALONE = (16, 29), (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Control a device or file; alone a process may only ask whether one is a terminal, of which size and with how much to
read, and set whether it blocks and goes to programs: no flags of a file, which Landlock does not guard."""
_CLONE, _CLONE3, _PRLIMIT = (56, 220), (435, 435), (302, 261)
_NAMESPACES = 0x7E020000

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Which of the numbers, and the kernel's name for the machine."""
_X32 = 0x40000000
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_SET_SECCOMP, _GET_SECCOMP, _FILTER = 22, 21, 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.c_char_p))


def can_filter() -> bool:
    """Whether this system lets a process give up system calls, and this machine's are known here."""
    if sys.platform != "linux" or os.uname().machine not in _MACHINES:
        return False
    return int(ctypes.CDLL(None).prctl(_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def refuse_calls(*, alone: bool = False, pairs: bool = False) -> bool:
    """Give up every call of the list. Irrevocable; for the calling thread and all that it starts from now on.

    The process must have given up gaining rights before (``no_new_privs``).

    Args:
        alone: Whether it also gives up starting processes, threads and programs, and signals.
        pairs: Whether it may still make pairs of sockets.

    Returns:
        Whether the kernel enforces it.
    """
    if not can_filter():
        return False
    refused = [pair for group in _DENIED.values() for pair in group if not (pairs and pair == _PAIRS)]
    steps = _steps(*_MACHINES[os.uname().machine], [*refused, *(_ALONE if alone else ())], alone=alone)
    program = _Program(len(steps), b"".join(steps))
    return int(ctypes.CDLL(None).prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0)) == 0


def _steps(
    column: int,
    machine: int,
    refused: Sequence[tuple[int | None, int | None]],
    *,
    alone: bool,
) -> list[bytes]:
    """The filter, in the kernel's small language: a test goes on if it holds, and over the next step or two if not."""
    refuse = _step(_RETURN, _REFUSE | errno.EPERM)
    steps = [
        _step(_LOAD, _MACHINE),
        _step(_EQUAL, machine, otherwise_skip=0, skip=1),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if machine == _MACHINES["x86_64"][1]:
        steps += [_step(_AT_LEAST, _X32, otherwise_skip=1), refuse]
    steps += [_step(_AT_LEAST, _FIRST_UNKNOWN, otherwise_skip=1), _step(_RETURN, _REFUSE | errno.ENOSYS)]
    for numbers in refused:
        if (known := numbers[column]) is not None:
            steps += [_step(_EQUAL, known, otherwise_skip=1), refuse]
    steps += [_step(_EQUAL, _CLONE3[column], otherwise_skip=1), _step(_RETURN, _REFUSE | errno.ENOSYS)]
    number = _step(_LOAD, _NUMBER)
    for numbers, place, value in _ALONE_WITH if alone else ():
        steps += [number, _step(_EQUAL, numbers[column], otherwise_skip=3)]
        steps += [_step(_LOAD, _FIRST_ARGUMENT + 8 * place), _step(_EQUAL, value, otherwise_skip=1), refuse]
    steps.append(number)
    if alone:
        kept = len(_CONTROL_ALONE)
        steps += [_step(_EQUAL, _CONTROL[column], otherwise_skip=kept + 2), _step(_LOAD, _FIRST_ARGUMENT + 8)]
        steps += [_step(_EQUAL, value, skip=kept - place) for place, value in enumerate(_CONTROL_ALONE)]
        steps += [refuse, number]
    allow = _step(_RETURN, _ALLOW)
    first = _step(_LOAD, _FIRST_ARGUMENT)
    steps += [_step(_EQUAL, _CLONE[column], otherwise_skip=4), first]
    steps += [_step(_ANY_BIT, _NAMESPACES, otherwise_skip=1), refuse, allow]
    steps += [_step(_EQUAL, _PRLIMIT[column], otherwise_skip=3), first, _step(_EQUAL, 0, skip=1), refuse]
    return [*steps, allow]


def _step(code: int, value: int, *, skip: int = 0, otherwise_skip: int = 0) -> bytes:
    return struct.pack("HBBI", code, skip, otherwise_skip, value)
