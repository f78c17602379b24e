"""A process that goes through rows in small blocks and parts, as its starter does."""

import sys

from core.base.apart import answer_pieces
from core.sources.folder import sampling

if __name__ == "__main__":
    sampling.PASSED_AT_ONCE, sampling.WORTH_A_PIECE = 300, 1_000
    answer_pieces(sys.argv[1], int(sys.argv[2]))
