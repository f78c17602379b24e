"""A zip of a Hugging Face folder: configuration, tokeniser and safetensors; nothing of it is run."""

from typing import Literal

from core.dataset import Dataset
from core.files import FileRef, FileStore
from core.settings import setting
from core.models.text_model import TextModel, TextModelSource
from core.text.network import AbstractTextNetwork


class HuggingFaceFolder(TextModelSource):
    """A text classifier of the transformers library."""

    kind: Literal["hugging_face"] = "hugging_face"
    file: FileRef = setting(label="Model file", help="A .zip with config.json, tokenizer.json and model.safetensors.")
    label: str = setting(
        "",
        label="Label to audit",
        help="For models that answer several questions with yes or no at once: which of them.",
        empty="the model has one answer a text",
    )

    def load(self, files: FileStore, dataset: Dataset) -> TextModel:
        """Check the archive, build the network, and fit it to the table."""
        raise NotImplementedError

    def load_network(self, files: FileStore) -> AbstractTextNetwork:
        """Check the archive and build the network."""
        raise NotImplementedError
