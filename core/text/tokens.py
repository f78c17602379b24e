"""A text as a model reads it: tokens, where in the text each of them stands, and texts computed together in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch


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


def batches(tokens: Sequence[Tokens], at_once: int) -> Iterator[np.ndarray]:
    """Positions of texts to compute together, longest first; none is shorter than the longest by an eighth and by five.

    So little of a batch is padding, which takes as long as tokens do.

    Args:
        tokens: The texts' tokens.
        at_once: Tokens that a batch may hold, padding among them; a batch has one text at least.
    """
    lengths = np.array([len(one) for one in tokens], dtype=np.int64)
    longest_first = np.argsort(-lengths, kind="stable")
    shorter, done = -lengths[longest_first], 0
    while done < len(longest_first):
        longest = int(-shorter[done])
        alike = int(np.searchsorted(shorter, -min(7 * longest // 8, longest - 4), side="right")) - done
        size = max(1, min(alike, at_once // max(1, longest)))
        yield longest_first[done : done + size]
        done += size


def padded(tokens: Sequence[Tokens], device: torch.device | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """Token numbers of at least one text, (B, N) int64 with 0 at the end of shorter ones, and what is a token, bool.

    Args:
        tokens: The texts' tokens.
        device: Where both are to lie; the processor's memory if None.
    """
    import torch

    lengths = np.array([len(one) for one in tokens])
    mask = np.arange(lengths.max()) < lengths[:, None]
    ids = np.zeros(mask.shape, dtype=np.int64)
    ids[mask] = np.concatenate([one.ids for one in tokens])
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)
