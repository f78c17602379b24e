"""A text as a model reads it: tokens, and where in the text each of them stands."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tokens:
    """The tokens of one text; N tokens, special ones among them.

    Attributes:
        ids: Token numbers, shape (N,), int64.
        start: Where each token begins in the text, in characters; shape (N,), int64; 0 for special tokens.
        end: Where it ends; shape (N,), int64; 0 for special tokens.
        special: Tokens that stand for no part of the text ([CLS], [SEP]); shape (N,), bool.
        read: Characters of the text that the model reads, from its beginning; less than its length if it was cut.
    """

    ids: np.ndarray
    start: np.ndarray
    end: np.ndarray
    special: np.ndarray
    read: int

    def __len__(self) -> int:
        return len(self.ids)
