"""How much memory a transport problem needs, said before it is started."""

import os
import sys
from pathlib import Path
from typing import Literal

from core.base.errors import AuditError
from core.inference.transport.costs import BLOCK
from core.language.phrases import whole
from core.language.told import localized, say

STEP, KEPT_STEP = 160, 12
"""Bytes for each step of the envelopes where a test takes most, at the intervals of prices (20 while they are sorted;
measured), and while they are found."""

MOVE, KEPT_MOVE = 2000, 24
"""Bytes for each move of the linear program while it is solved (cvxpy's and HiGHS's own copies), and once found."""

_PAIR = 120
"""Bytes for each pair of cells in the block of costs in work."""

_STEPS_EACH = {"classes": 0, "points": 16, "matrix": 16}
"""Steps of a cell's envelope, a generous guess; only a build that meets more asks for more."""


def memory_needed(
    cells: int, *, cost: Literal["classes", "points", "matrix"], draws: int = 0, program: bool = False
) -> int:
    """Bytes a transport problem is expected to need at its peak, a generous guess.

    Args:
        cells: K.
        cost: Whether moves within classes are free, costs are distances between points, or somebody gave a matrix.
        draws: Bootstrap draws held at once.
        program: Whether limits ask for the linear program.
    """
    steps = cells * _STEPS_EACH[cost]
    matrix = 8 * cells**2 if cost == "matrix" else 0
    moves = MOVE * (cells + steps) if program else 0
    return _PAIR * min(cells**2, BLOCK) + matrix + STEP * steps + moves + 24 * draws * cells + 200 * cells


def require_memory(needed: float, cells: int) -> None:
    """Refuse what does not fit.

    Args:
        needed: Bytes.
        cells: K, for the message.

    Raises:
        AuditError: Less memory is free.
    """
    if needed > (free := free_memory()):
        raise AuditError(
            say(
                "Comparing {n} kinds of people needs about {needed} GB of memory, and {free} GB are free.",
                n=whole(cells),
                needed=localized(f"{needed / 1e9:.1f}"),
                free=localized(f"{max(free, 0) / 1e9:.1f}"),
            ),
            advice=say("Use fewer columns or wider bins, so that there are fewer kinds of people."),
        )


def free_memory() -> float:
    """Bytes this process may still allocate; infinite where the system does not say."""
    if sys.platform != "linux":
        return float("inf")
    import resource

    facts = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
    free = [1024.0 * int(facts["MemAvailable"].split()[0])]
    allowed, _ = resource.getrlimit(resource.RLIMIT_DATA)
    if allowed != resource.RLIM_INFINITY:
        held = int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")
        free.append(float(allowed - held))
    most, held_by_group = (Path("/sys/fs/cgroup") / name for name in ("memory.max", "memory.current"))
    if most.is_file() and (limit := most.read_text().strip()) != "max":
        free.append(float(int(limit) - int(held_by_group.read_text())))
    return min(free)
