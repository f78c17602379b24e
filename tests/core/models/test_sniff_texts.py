"""Zips of text models are known by their files; pickles beside them, Keras and skops stay what they are."""

import io
import zipfile
from pathlib import Path

import pytest

from core.base.errors import ModelError
from core.models import MODEL_FORMATS
from core.models.sniff import recognise, require_format

HUGGING_FACE = ("config.json", "tokenizer.json", "model.safetensors")
LSTM = ("lstm.json", "tokenizer.json", "model.safetensors")


def zipped(folder: Path, *names: str) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, b"{}")
    path = folder / "upload.zip"
    path.write_bytes(stream.getvalue())
    return path


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (HUGGING_FACE, "hugging_face"),
        (tuple(f"bert/{name}" for name in HUGGING_FACE), "hugging_face"),
        (("bert/", *(f"bert/{name}" for name in HUGGING_FACE), "__MACOSX/bert/._config.json"), "hugging_face"),
        (("config.json", "pytorch_model.bin"), "hugging_face"),
        (("config.json", "model.safetensors.index.json"), "hugging_face"),
        (("config.json", "vocab.txt"), "hugging_face"),
        (("config.json", "metadata.json", "tokenizer.json", "model.safetensors"), "hugging_face"),
        (("tokenizer.json", "model.safetensors"), "hugging_face"),
        (LSTM, "text_lstm"),
        (tuple(f"small/{name}" for name in LSTM), "text_lstm"),
        (("schema.json", "0.npy"), "sklearn"),
    ],
)
def test_a_zip_is_known_by_its_files(names: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    found = recognise(zipped(tmp_path, *names), "upload.zip")
    assert found == expected
    assert found in MODEL_FORMATS


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ((*HUGGING_FACE, "optimizer.pkl"), "holds a pickle"),
        ((*LSTM, "archive/data.pkl"), "holds a pickle"),
        ((*HUGGING_FACE, "archive/code/modeling.py"), "TorchScript"),
        (("config.json", "metadata.json", "model.weights.h5"), "Keras"),
        (("config.json",), "no model file that can be read"),
        (("tokenizer.json",), "no model file that can be read"),
        (("a/b/config.json", "a/b/tokenizer.json"), "no model file that can be read"),
    ],
)
def test_what_is_refused_stays_refused(names: tuple[str, ...], says: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=says) as caught:
        recognise(zipped(tmp_path, *names), "upload.zip")
    assert caught.value.advice


def test_each_text_format_asks_for_its_own(tmp_path: Path) -> None:
    path = zipped(tmp_path, *LSTM)
    require_format("text_lstm", path, "upload.zip")
    with pytest.raises(ModelError, match="zip of a recurrent text classifier, whatever its name says; a zip of a Hug"):
        require_format("hugging_face", path, "upload.zip")
