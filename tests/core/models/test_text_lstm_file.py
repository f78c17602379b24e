"""The archive of a recurrent classifier: written and read again, and refused wherever it lies."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load, save

from core.base.errors import ModelError
from core.base.files import FileStore
from core.models import LstmArchive, TorchMLP
from core.models.formats.lstm.network import LstmNetwork, write_archive
from tests.builders_text import make_archive, make_network, make_text_dataset, make_tokeniser, put_archive

Files = dict[str, bytes]


@pytest.fixture(name="store")
def a_store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path)


def unpacked(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def opened(content: bytes, store: FileStore) -> LstmNetwork:
    return LstmArchive(file=store.put(content, "model.zip")).load_network(store)


@pytest.mark.parametrize(
    "shape",
    [{}, {"pooling": "mean", "directions": 2, "layers": 2}, {"pooling": "max", "embedding": 3, "hidden": 9}],
    ids=str,
)
def test_what_is_read_answers_as_what_was_written(shape: dict[str, Any], store: FileStore) -> None:
    network = make_network(**shape)
    read = opened(write_archive(network, "Trained on nothing."), store)
    assert read.card.model_dump() == network.card.model_dump() | {"about": "Trained on nothing."}
    for name, value in network.module.state_dict().items():
        assert torch.equal(value, read.module.state_dict()[name])
    assert read.vocabulary == network.vocabulary
    assert read.classes == ("doctor", "nurse", "teacher")


def test_the_same_network_gives_the_same_bytes(store: FileStore) -> None:
    content = make_archive()
    assert content == make_archive()
    assert write_archive(opened(content, store)) == content
    assert content != make_archive(seed=1)


def test_an_archive_zipped_by_others_is_read(store: FileStore) -> None:
    files = unpacked(make_archive())
    in_folder = {f"my model/{name}": content for name, content in files.items()}
    from_mac = in_folder | {"__MACOSX/my model/._lstm.json": b"x", "my model/.DS_Store": b"x"}
    for others in (files, in_folder, from_mac):
        assert opened(packed(others), store).classes == ("doctor", "nurse", "teacher")


def test_half_precision_is_read_as_numbers(store: FileStore) -> None:
    files = unpacked(make_archive())
    weights = {name: value.half() for name, value in load(files["model.safetensors"]).items()}
    read = opened(packed(files | {"model.safetensors": save(weights)}), store)
    assert all(value.dtype == torch.float32 for value in read.module.state_dict().values())


def with_card(**changes: Any) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        card = json.loads(files["lstm.json"]) | changes
        return files | {"lstm.json": json.dumps({k: v for k, v in card.items() if v is not None}).encode()}

    return change


def with_weights(change_weights: Callable[[dict[str, torch.Tensor]], None]) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        weights = load(files["model.safetensors"])
        change_weights(weights)
        return files | {"model.safetensors": save(weights)}

    return change


def put(name: str, value: Any) -> Callable[[Files], Files]:
    return lambda files: files | {name: value}


def without(name: str) -> Callable[[Files], Files]:
    return lambda files: {key: value for key, value in files.items() if key != name}


def poison(number: float) -> Callable[[dict[str, torch.Tensor]], None]:
    def change(weights: dict[str, torch.Tensor]) -> None:
        weights["lstm.weight_hh_l0"][0, 0] = number

    return change


REFUSED: dict[str, tuple[Callable[[Files], Files], str]] = {
    "no weights": (without("model.safetensors"), r"lacks model\.safetensors"),
    "no tokeniser": (without("tokenizer.json"), r"lacks tokenizer\.json"),
    "a file more": (put("train.py", b"import os"), r"does not belong to this format: 'train\.py'"),
    "a pickle beside it": (put("optimizer.pkl", b"\x80\x04."), "holds a pickle"),
    "card that is no JSON": (put("lstm.json", b"{"), "description of the network cannot be read"),
    "card of another version": (with_card(version=2), r"must be 1.*version"),
    "card with code": (with_card(module="os"), r"no such setting.*module"),
    "card without width": (with_card(hidden=None), r"it is missing.*hidden"),
    "card of an absurd size": (with_card(vocabulary=1_000_000, embedding=4096), "weights; at most 100,000,000"),
    "card that is too long": (put("lstm.json", b" " * 70_000), "at most 65,536"),
    "card with another width": (with_card(hidden=6), r"shape .*, where the description says .*weight_ih_l0"),
    "card with more layers": (with_card(layers=2), "lack a tensor.*weight_ih_l1"),
    "card with fewer classes": (with_card(classes=["a", "b"]), r"\(3, 5\), where the description says \(2, 5\)"),
    "missing tensor": (with_weights(lambda w: w.__delitem__("head.bias")), "lack a tensor.*head.bias"),
    "surplus tensor": (
        with_weights(lambda w: w.update(extra=torch.zeros(1))),
        "tensor that the description does not know.*extra",
    ),
    "weight that is NaN": (with_weights(poison(float("nan"))), "not a finite number.*weight_hh_l0"),
    "weight that is infinite": (with_weights(poison(float("inf"))), "not a finite number"),
    "weights that are whole numbers": (
        with_weights(lambda w: w.update({"head.bias": torch.zeros(3, dtype=torch.int64)})),
        "'I64'; weights are floating-point",
    ),
    "weights cut off": (lambda files: files | {"model.safetensors": files["model.safetensors"][:-4]}, "holds"),
    "weights that are a pickle": (put("model.safetensors", b"\x80\x04\x95" + b"\0" * 20), "no safetensors file"),
    "tokeniser that is none": (put("tokenizer.json", b"{}"), "does not describe a tokeniser"),
    "tokeniser with more tokens": (
        lambda files: (
            files | {"tokenizer.json": make_tokeniser(words=("[UNK]", "[CLS]", "[SEP]", *map(str, range(80)))).content}
        ),
        "network has embeddings for",
    ),
}


@pytest.mark.parametrize(("change", "says"), REFUSED.values(), ids=REFUSED)
def test_an_archive_that_lies_is_refused(change: Callable[[Files], Files], says: str, store: FileStore) -> None:
    with pytest.raises(ModelError, match=says) as caught:
        opened(packed(change(unpacked(make_archive()))), store)
    assert caught.value.advice
    assert caught.value.where.startswith("model.zip")


def test_a_bomb_is_refused(store: FileStore) -> None:
    files = unpacked(make_archive()) | {"model.safetensors": bytes(50_000_000)}
    with pytest.raises(ModelError, match="unpacks to more than 200 times its size"):
        opened(packed(files), store)


def test_another_format_is_refused_by_name(store: FileStore) -> None:
    weights = store.put(save({"0.weight": torch.zeros(2, 2)}), "a.zip")
    with pytest.raises(ModelError, match="This is a safetensors file, whatever its name says"):
        LstmArchive(file=weights).load_network(store)
    with pytest.raises(ModelError, match="This is a zip of a recurrent text classifier"):
        TorchMLP(file=put_archive(store).file).load(store, make_text_dataset())


def test_it_becomes_a_model_of_the_table(store: FileStore) -> None:
    dataset = make_text_dataset()
    model = put_archive(store).load(store, dataset)
    data = model.encode(dataset)
    np.testing.assert_allclose(model.predict_proba(data).sum(axis=1), 1)
    assert model.kind == "Recurrent text classifier"
    assert model.classes == ("doctor", "nurse", "teacher")
