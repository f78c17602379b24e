"""A zip of our own: an LSTM classifier as safetensors, its tokeniser and a small JSON description."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.base.errors import ModelError
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.data.dataset import Dataset
from core.language.phrases import listed
from core.language.told import say
from core.models.card import read_description
from core.models.formats.lstm.network import CARD_NAME, TOKENISER_NAME, WEIGHTS_NAME, LstmCard, LstmNetwork
from core.models.formats.safetensors.header import MAXIMUM_BYTES, read_header
from core.models.formats.safetensors.weights import read_weights
from core.models.sniff import require_format
from core.models.text import TextModel, TextModelSource, fit_to_table
from core.models.zipped import open_folder
from core.text import tokeniser_file
from core.text.tokeniser import Tokeniser

if TYPE_CHECKING:
    import torch

_CARD_BYTES = 64 * 1024
_NAMES = (CARD_NAME, TOKENISER_NAME, WEIGHTS_NAME)
_AGAIN = say("Write the file again with core.models.formats.lstm.network.write_archive.")


class LstmArchive(TextModelSource):
    """A recurrent text classifier (papers/prediction-sensitivity.md, 6.2)."""

    kind: Literal["text_lstm"] = "text_lstm"
    file: FileRef = setting(
        label=say("Model file"), help=say("A .zip with lstm.json, tokenizer.json and model.safetensors.")
    )

    def load(self, files: FileStore, dataset: Dataset) -> TextModel:
        """Check the archive, build the network, and fit it to the table.

        Raises:
            ModelError: The file is refused or damaged, or does not fit the table's texts and outcomes.
        """
        return fit_to_table(
            self, self.load_network(files), dataset, self.file.name, kind=say("Recurrent text classifier")
        )

    def load_network(self, files: FileStore) -> LstmNetwork:
        """Check the archive and build the network.

        Raises:
            ModelError: The file is refused or damaged.
        """
        path = files.path(self.file)
        require_format("text_lstm", path, self.file.name)
        return read_archive(path, self.file.name)


def read_archive(path: Path, name: str) -> LstmNetwork:
    """Read a network; every file of its archive is checked before anything is built.

    Args:
        path: The zip.
        name: How errors name it.

    Raises:
        ModelError: The archive, its description, its tokeniser or its weights are refused or damaged.
    """
    archive = open_folder(path, name)
    if missing := [one for one in _NAMES if one not in archive.names]:
        raise ModelError(say("The archive lacks {missing}.", missing=listed(missing)), where=name, advice=_AGAIN)
    if surplus := [one for one in archive.names if one not in _NAMES]:
        raise ModelError(
            say(
                "The archive holds a file that does not belong to this format: {surplus}.",
                surplus=repr(surplus[0][:80]),
            ),
            where=name,
            advice=say("Leave only {names} in it.", names=", ".join(_NAMES)),
        )
    card = read_description(LstmCard, archive.read(CARD_NAME, _CARD_BYTES), f"{name}, {CARD_NAME}", _AGAIN)
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder) / WEIGHTS_NAME
        archive.unpack(WEIGHTS_NAME, unpacked, MAXIMUM_BYTES)
        weights = _read_weights(unpacked, card, f"{name}, {WEIGHTS_NAME}")
    content = archive.read(TOKENISER_NAME, tokeniser_file.MAXIMUM_BYTES)
    return LstmNetwork(card, Tokeniser(content, f"{name}, {TOKENISER_NAME}"), weights)


def _read_weights(path: Path, card: LstmCard, where: str) -> dict[str, torch.Tensor]:
    found = {key: tensor.shape for key, tensor in read_header(path, where).tensors.items()}
    for key in (*card.shapes, *found):
        if wrong := _mismatch(key, found.get(key), card.shapes.get(key)):
            raise ModelError(
                wrong, where=say("{name}, tensor {tensor}", name=where, tensor=repr(key[:80])), advice=_AGAIN
            )
    return read_weights(path, card.shapes, where, advice=_AGAIN)


def _mismatch(key: str, found: tuple[int, ...] | None, expected: tuple[int, ...] | None) -> str:
    """What is wrong with a tensor's shape; empty if it is as the description says."""
    if found is None:
        return say("The weights lack a tensor that the description asks for.")
    if expected is None:
        return say("The weights hold a tensor that the description does not know.")
    return (
        ""
        if found == expected
        else say("A tensor has shape {found}, where the description says {expected}.", found=found, expected=expected)
    )
