"""A zip of our own: an LSTM classifier as safetensors, its tokeniser and a small JSON description."""

from typing import Literal

from core.dataset import Dataset
from core.files import FileRef, FileStore
from core.settings import setting
from core.text.model import TextModel, TextModelSource
from core.text.network import AbstractTextNetwork


class LstmArchive(TextModelSource):
    """A recurrent text classifier (papers/prediction-sensitivity.md, 6.2)."""

    kind: Literal["text_lstm"] = "text_lstm"
    file: FileRef = setting(label="Model file", help="A .zip with lstm.json, tokenizer.json and model.safetensors.")

    def load(self, files: FileStore, dataset: Dataset) -> TextModel:
        """Check the archive, build the network, and fit it to the table."""
        raise NotImplementedError

    def load_network(self, files: FileStore) -> AbstractTextNetwork:
        """Check the archive and build the network."""
        raise NotImplementedError
