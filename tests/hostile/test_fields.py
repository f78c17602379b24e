"""Genuine model files of which one field is of another kind or size: a model or a sentence, nothing else."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.data.encoder import Encoder
from core.models import HuggingFaceFolder, LstmArchive, TorchMLP
from core.models.formats.safetensors.source import mlp_bytes
from tests.builders_hugging_face import folder, network, zipped
from tests.builders_text import make_archive
from tests.hostile.test_fuzz import mlp, model, people, texts

LONG_NUMBER = "9" * 5_000
LARGE_NUMBER = "9" * 4_299
RAW = "a number that Python does not read"
ODD: tuple[Any, ...] = (
    *([], {}, [[]], [None], {"a": 1}, [1, "a"], ["a"] * 3, None, True, False),
    *(-1, 0, 1, 1.5, 1e308, -1e308, 2**31, 2**63, 2**64, int(LARGE_NUMBER), -int(LARGE_NUMBER), RAW),
    *("", "a", "0", "NaN", "x" * 5_000, "\ud800", "\x00", "I64", "F32", "../x"),
)
SAFETENSORS_NAMES = (f"{LONG_NUMBER}.weight", "x" * 100_000, "", "\x00", "²".join("ab"), f"{'9' * 30}.bias", "W٣")


def changed(tree: Any, rng: np.random.Generator) -> Any:
    """The tree with an odd value in place of one of its parts, or under one more or another name."""
    places = list(parts(tree))
    way = places[int(rng.integers(len(places)))]
    odd = ODD[int(rng.integers(len(ODD)))]
    copy = json.loads(json.dumps(tree))
    if not way:
        return odd
    inner = copy
    for step in way[:-1]:
        inner = inner[step]
    if isinstance(inner, dict) and rng.random() < 0.15:
        inner[SAFETENSORS_NAMES[int(rng.integers(len(SAFETENSORS_NAMES)))]] = inner.pop(way[-1])
    else:
        inner[way[-1]] = odd
    return copy


def parts(tree: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for step, part in list(inner)[:40]:
        yield from parts(part, (*way, step))


def written(tree: Any) -> bytes:
    return json.dumps(tree).replace(json.dumps(RAW), LONG_NUMBER).encode()


def safetensors(content: bytes, rng: np.random.Generator) -> bytes:
    """With an odd field in its header, or in what its metadata say of the network."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    metadata = header.get("__metadata__", {})
    if "evenhand" in metadata and rng.random() < 0.7:
        metadata["evenhand"] = written(changed(json.loads(metadata["evenhand"]), rng)).decode()
    else:
        header = changed(header, rng)
    new = written(header)
    return len(new).to_bytes(8, "little") + new + content[8 + length :]


def in_zip(content: bytes, rng: np.random.Generator) -> bytes:
    """With an odd field in one of the JSON files of the archive, or in the header of its weights."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as sound, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        names = [name for name in sound.namelist() if name.endswith((".json", ".safetensors"))]
        chosen = names[int(rng.integers(len(names)))]
        for name in sound.namelist():
            part = sound.read(name)
            if name == chosen:
                odd = safetensors(part, rng) if name.endswith(".safetensors") else None
                part = written(changed(json.loads(part), rng)) if odd is None else odd
            new.writestr(name, part)
    return stream.getvalue()


def described() -> bytes:
    """A perceptron with a card of its own."""
    import torch

    encoder = Encoder.fit(people().frame, ("age", "pay"))
    layers = torch.nn.Sequential(torch.nn.Linear(len(encoder.names), 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))
    return mlp_bytes(layers, encoder=encoder, classes=people().labels)


KINDS = {
    "safetensors": (mlp, safetensors, model(TorchMLP, "m.safetensors")),
    "safetensors with a card": (described, safetensors, model(TorchMLP, "m.safetensors")),
    "LSTM": (make_archive, in_zip, texts(LstmArchive)),
    "Hugging Face": (lambda: zipped(folder(network())), in_zip, texts(HuggingFaceFolder)),
}


def odd_fields(kind: str, trials: int, files: FileStore) -> None:
    make, change, read = KINDS[kind]
    sound = make()
    read(sound, files)
    for trial in range(trials):
        content = change(sound, np.random.default_rng([7, trial]))
        said = ""
        try:
            read(content, files)
        except EvenhandError as error:
            said = str(error)
        except Exception as error:
            error.add_note(f"{kind}, trial {trial}")
            raise
        assert len(said) < 3_000, f"{kind}, trial {trial}"


@pytest.mark.parametrize("kind", KINDS)
def test_some_odd_fields(kind: str, tmp_path: Path) -> None:
    odd_fields(kind, 10 if kind == "Hugging Face" else 80, FileStore(tmp_path))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_odd_fields(kind: str, tmp_path: Path) -> None:
    odd_fields(kind, 300 if kind == "Hugging Face" else 4_000, FileStore(tmp_path))
