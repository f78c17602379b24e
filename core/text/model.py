"""A text classifier as a model that can be audited: its texts become the embedding its last layer reads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.dataset import Dataset, EncodedDataset
from core.encoder import Encoder, NumericColumn
from core.errors import Notice
from core.files import FileStore
from core.model import AbstractModelSource
from core.models.checked import CheckedModel
from core.text.data import EncodedTexts
from core.text.network import AbstractTextNetwork

if TYPE_CHECKING:
    import torch


class TextModel(CheckedModel):
    """A network that reads one text column.

    To audits that work on rows of numbers it is its last layer, which reads the pooled embedding (``encoder`` names
    its coordinates); audits that look into texts take :attr:`network`.

    Args:
        network: The network.
        text: Name of the column it reads.
        classes: The outcome each output stands for, length K >= 2.
        name: What people call the model.
        kind: Plain-language format.
        fingerprint: SHA-256 of what defines its answers.
        notices: What a reader of the result has to know.
    """

    def __init__(
        self,
        network: AbstractTextNetwork,
        text: str,
        classes: tuple[str, ...],
        name: str,
        *,
        kind: str,
        fingerprint: str,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        self.network = network
        self.text = text
        self.classes = classes
        self.name = name
        self.kind = kind
        self.fingerprint = fingerprint
        self.notices = notices
        self.gives = "logits"
        self.encoder = Encoder(
            columns=tuple(NumericColumn(name=f"embedding {i + 1}") for i in range(network.pooled_width))
        )

    @property
    def reads(self) -> tuple[str, ...]:
        """The text column."""
        return (self.text,)

    def encode(self, dataset: Dataset) -> EncodedTexts:
        """The pooled embedding of every text.

        Raises:
            DataError: An outcome is none of the classes.
            ModelError: The tokeniser or the network fails on a text.
        """
        raise NotImplementedError

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The pooled embedding of m texts, shape (m, H), float64; texts of like length are computed together."""
        raise NotImplementedError

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """Softmax of the last layer's logits, shape (n, K), float64."""
        raise NotImplementedError

    def module(self) -> torch.nn.Module:
        """The last layer, frozen: (n, H) -> logits (n, K)."""
        return self.network.head()


class TextModelSource(AbstractModelSource):
    """Settings of a text model: a table with a text column is what it reads."""

    @abstractmethod
    def load(self, files: FileStore, dataset: Dataset) -> TextModel:
        """Read the model and fit it to the table; see the base class."""

    @abstractmethod
    def load_network(self, files: FileStore) -> AbstractTextNetwork:
        """Read the network alone, for a protected status model.

        Raises:
            ModelError: The file is refused or damaged.
        """
