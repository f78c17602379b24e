"""A text classifier with its parts laid open: tokens -> word embeddings -> pooled embedding -> logits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.text.tokens import Tokens

if TYPE_CHECKING:
    import torch
SMALL_WIDTH = 256
"""Up to this width of the pooled embedding two threads are slower than one: 40 texts of the sample recurrent network
took 6.7 s instead of 2.0 s, of the sample BERT 1.7 s instead of 1.1 s."""


class AbstractTextNetwork(ABC):
    """A frozen classifier in eval mode; B texts of N tokens, D numbers a word embedding, H pooled, K classes.

    Logits are ``head()(pooled(word_embeddings(ids), mask))``. One logit z of a binary classifier counts as [0, z].

    Attributes:
        vocabulary: SHA-256 of the tokeniser; two networks with equal ones read the same tokens.
        width: D.
        pooled_width: H.
        classes: What the file calls its K outputs; empty where it does not say.
        unknown: Number of the token that stands for words the tokeniser does not know; -1 if it has none.
    """

    vocabulary: str
    width: int
    pooled_width: int
    classes: tuple[str, ...]
    unknown: int = -1

    @abstractmethod
    def read(self, texts: Sequence[str]) -> tuple[Tokens, ...]:
        """The tokens of each text, cut to what the network can read.

        Raises:
            ModelError: The tokeniser fails on a text, or gives a token that the network has no embedding for.
        """

    @abstractmethod
    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        """Rows of the embedding table, before position and normalisation: (B, N) int64 -> (B, N, D)."""

    @abstractmethod
    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the last linear layer reads: (B, N, D) and (B, N) bool, False on padding at the end -> (B, H)."""

    @abstractmethod
    def head(self) -> torch.nn.Module:
        """The last linear layer: (B, H) -> logits (B, K)."""


@contextmanager
def threads_for(network: AbstractTextNetwork) -> Iterator[None]:
    """One thread for small networks, torch's own number for others; what was set before is set again."""
    import torch

    before = torch.get_num_threads()
    if network.pooled_width <= SMALL_WIDTH:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
