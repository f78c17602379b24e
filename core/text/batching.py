"""Texts computed together: those of like length in one batch, padded at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.text.tokens import Tokens

if TYPE_CHECKING:
    import torch


def batches(tokens: Sequence[Tokens], at_once: int) -> Iterator[np.ndarray]:
    """Positions of texts to compute together: texts of like length, longest first.

    Args:
        tokens: The texts' tokens.
        at_once: Tokens that a batch may hold, padding among them; a batch has one text at least.
    """
    lengths = np.array([len(one) for one in tokens], dtype=np.int64)
    longest_first = np.argsort(-lengths, kind="stable")
    done = 0
    while done < len(longest_first):
        size = max(1, at_once // max(1, int(lengths[longest_first[done]])))
        yield longest_first[done : done + size]
        done += size


def padded(tokens: Sequence[Tokens]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token numbers of at least one text, (B, N) int64 with 0 at the end of shorter ones, and what is a token, bool."""
    import torch

    lengths = np.array([len(one) for one in tokens])
    mask = np.arange(lengths.max()) < lengths[:, None]
    ids = np.zeros(mask.shape, dtype=np.int64)
    ids[mask] = np.concatenate([one.ids for one in tokens])
    return torch.from_numpy(ids), torch.from_numpy(mask)
