"""A process of a worker that does pieces for a page, which read what strangers uploaded: behind the walls of its jobs.

It has no network, reads the files that its pieces need and nothing else that is anybody's, and writes into a folder of
its own, which goes with it (:mod:`core.wall.sandbox`). Model files are opened behind a second wall, as ever.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from core.base.apart import answer_pieces
from core.wall.behind import PROGRAM, fork_through, own_environment
from core.wall.forks import Forks
from core.wall.forks_of_a_job import PROGRAM as FORKS_OF_A_JOB
from core.wall.network import refuse_network
from core.wall.sandbox import confine, own_code

_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def _raise_walls(told: dict[str, Any], memory: int) -> None:
    """Give up all that the pieces do not need.

    Args:
        told: ``scratch``, the folder that it may write; ``readable``, files; ``opens``, modules that open model files.
        memory: Bytes that each child of a model file may take.
    """
    os.environ |= _OFFLINE
    tempfile.tempdir = told["scratch"]
    if told["opens"]:
        forks = Forks.start(own_environment(), (FORKS_OF_A_JOB, PROGRAM))
        _, control = forks.fork(FORKS_OF_A_JOB, {"readable": told["readable"], "memory": memory}, told["opens"])
        fork_through(control)
    refuse_network()
    confine(Path(told["scratch"]), [*own_code(), *map(Path, told["readable"])])


if __name__ == "__main__":
    answer_pieces(sys.argv[1], int(sys.argv[2]), lambda: _raise_walls(json.loads(sys.argv[3]), int(sys.argv[2])))
