"""A text classifier with its parts laid open: tokens -> word embeddings -> pooled embedding -> logits."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.base.device import device_for
from core.text.tokens import Tokens

if TYPE_CHECKING:
    import torch
SMALL_WIDTH = 256
"""Up to this width of the pooled embedding an accelerator is slower than the processor."""


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

    def parts(self) -> tuple[torch.nn.Module, ...]:
        """Everything that holds weights, the head among it; nothing of a network that is to stay on the processor."""
        return ()

    @property
    def device(self) -> torch.device:
        """Where its weights lie, and with them what it computes."""
        import torch

        return next((one.device for part in self.parts() for one in part.parameters()), torch.device("cpu"))

    @property
    def accelerated(self) -> bool:
        """Whether that is an accelerator."""
        return self.device.type != "cpu"


@contextmanager
def computing_with(network: AbstractTextNetwork) -> Iterator[None]:
    """A network that is about to compute lies where it is fastest: large ones on an accelerator, if there is one.

    The processor computes on one thread: with more, last digits of a layer depend on how many there are (of 5 to 11
    rows here, such as what BERT-base pools of so many texts), and with them on the machine. Small networks are faster
    so: 40 texts of the sample recurrent one took 6.7 s on two threads and 2.0 s on one. The number of threads is as
    before afterwards; the network stays where it lies, and tensors that it is given have to lie there too.
    """
    import torch

    before = torch.get_num_threads()
    device = device_for(0.0 if network.pooled_width <= SMALL_WIDTH else math.inf)
    if network.device != device:
        for part in network.parts():
            part.to(device)
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
