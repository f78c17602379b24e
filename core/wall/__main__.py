"""``python -m core.wall``: the process that forks children (:mod:`core.wall.forks`)."""

import sys

from core.wall.forks import main

if __name__ == "__main__":
    main(sys.argv[1:])
