"""What forks the children of the model files of one job: confined to the job's files before it hears the job."""

import socket
from pathlib import Path
from typing import Any

from core.base.memory import end_first, limit_memory
from core.wall.forks import serve
from core.wall.sandbox import confine, own_code

PROGRAM = "core.wall.forks_of_a_job"


def run(told: dict[str, Any], pipe: socket.socket) -> None:
    """Fork and end children as the job asks over ``pipe``.

    Args:
        told: What they may read, ``readable``, and the bytes that each may take, ``memory``.
        pipe: To the job.
    """
    end_first()
    processes = Path("/proc")  # each child reads its own part of it, and no other
    confine(None, [*own_code(), processes, *map(Path, told["readable"])], pairs=True)
    limit_memory(told["memory"])
    serve(pipe)
