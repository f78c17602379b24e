"""Mutated bytes of genuine files end in what they are read as or in a sentence, soon, never in another exception."""

import io
import resource
import time
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.own_cost import read_costs
from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.guess_roles import guess_roles
from core.data.quality.health import examine
from core.data.roles import Roles
from core.metrics.files import read_matrix, read_pairs
from core.models import HuggingFaceFolder, LstmArchive, OnnxFile, TorchMLP
from core.models.inspection import inspect
from core.records.audits import AUDITS
from core.records.workflow import read_record
from core.sources.upload.uploaded import UploadedTable
from core.text.word_files import read_words
from core.workflows.table import WORKFLOWS
from tests.builders import make_plan, make_result, make_study
from tests.builders_hugging_face import folder, network, zipped
from tests.builders_text import make_archive
from tests.hostile.mutations import mutated

LONGEST_SECONDS = 20
MOST_MEMORY = 3 * 2**20
"""Kilobytes by which the process may grow."""

Reader = Callable[[bytes, FileStore], Any]


@cache
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    columns = {"age": rng.integers(18, 70, 60), "pay": rng.normal(3_000, 800, 60).round(2), "hired": ["no", "yes"] * 30}
    return pd.DataFrame(columns | {"sex": rng.choice(["f", "m"], 60), "job": rng.choice(["cook", "clérk", "NA"], 60)})


@cache
def people() -> Dataset:
    return Dataset.build(table(), Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "pay")))


def uploaded(name: str) -> Reader:
    def read(content: bytes, files: FileStore) -> None:
        frame, description = UploadedTable(file=files.put(content, name)).read(files)
        assert 0 < len(frame) == description.rows
        roles = guess_roles(frame).roles
        if roles is not None:
            examine(frame, roles)
            Dataset.build(frame, roles)

    return read


def model(kind: type[TorchMLP | OnnxFile], name: str) -> Reader:
    def read(content: bytes, files: FileStore) -> None:
        inspect(kind(file=files.put(content, name), numbers="standardised").load(files, people()), people())

    return read


def texts(kind: type[HuggingFaceFolder | LstmArchive]) -> Reader:
    return lambda content, files: kind(file=files.put(content, "model.zip")).load_network(files)


def in_bytes(write: Callable[[Any], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def onnx_bytes() -> bytes:
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(0).normal(size=(2, 2)).astype(np.float32)
    nodes = [helper.make_node("Gemm", ["x", "w"], ["z"]), helper.make_node("Softmax", ["z"], ["p"])]
    shapes = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 2]) for name in ("x", "p")]
    graph = helper.make_graph(nodes, "g", shapes[:1], shapes[1:], [numpy_helper.from_array(weights, "w")])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(made.SerializeToString())


def mlp() -> bytes:
    from safetensors.numpy import save

    rng = np.random.default_rng(0)
    shapes = {"0.weight": (3, 2), "0.bias": (3,), "2.weight": (2, 3), "2.bias": (2,)}
    return bytes(save({name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}))


def costs(content: bytes, files: FileStore) -> None:
    read_costs(files.path(files.put(content, "costs.csv")), 4)


def words(content: bytes, files: FileStore, name: str) -> None:
    read_words(files.path(files.put(content, name)), name)


MATRIX = b"age,pay,hired\n1.5,0,0.25\n0,2,0\n0.25,0,1\n"

KINDS: dict[str, tuple[Callable[[], bytes], Reader]] = {
    "csv": (lambda: table().to_csv(index=False).encode(), uploaded("people.csv")),
    "csv in UTF-16": (lambda: table().to_csv(index=False).encode("utf-16"), uploaded("people.csv")),
    "tsv": (lambda: table().to_csv(index=False, sep="\t", quoting=1).encode(), uploaded("people.tsv")),
    "parquet": (lambda: in_bytes(table().to_parquet), uploaded("people.parquet")),
    "xlsx": (lambda: in_bytes(lambda stream: table().to_excel(stream, index=False)), uploaded("people.xlsx")),
    "record": (
        lambda: AUDITS.to_json(make_study(), (make_result(),)).encode(),
        lambda content, _: read_record(content, WORKFLOWS),
    ),
    "plan": (lambda: make_plan().model_dump_json().encode(), lambda content, _: read_record(content, WORKFLOWS)),
    "matrix": (lambda: MATRIX, lambda content, _: read_matrix(content)),
    "pairs": (lambda: b"1,2\n3,4\n17,20\n", lambda content, _: read_pairs(content)),
    "costs": (lambda: b"0,1,2,inf\n1,0,1,2\n2,1,0,1\ninf,2,1,0\n", costs),
    "words": (lambda: b"he,she\nhim,her\nbaron\n", lambda content, files: words(content, files, "words.csv")),
    "words in JSON": (
        lambda: b'[["he", "she"], ["him", "her"], "baron"]',
        lambda content, files: words(content, files, "words.json"),
    ),
    "safetensors": (mlp, model(TorchMLP, "m.safetensors")),
    "onnx": (onnx_bytes, model(OnnxFile, "m.onnx")),
    "Hugging Face": (lambda: zipped(folder(network())), texts(HuggingFaceFolder)),
    "LSTM": (make_archive, texts(LstmArchive)),
}


def fuzz(kind: str, trials: int, files: FileStore) -> None:
    make, read = KINDS[kind]
    sound = make()
    read(sound, files)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for trial in range(trials):
        content = mutated(sound, np.random.default_rng([zlib.crc32(kind.encode()), trial]))
        begun = time.monotonic()
        try:
            read(content, files)
        except EvenhandError:
            pass
        except Exception as error:
            error.add_note(f"{kind}, trial {trial}")
            raise
        assert time.monotonic() - begun < LONGEST_SECONDS, f"{kind}, trial {trial}"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY


@pytest.mark.parametrize("kind", KINDS)
def test_some_mutations(kind: str, tmp_path: Path) -> None:
    fuzz(kind, 5 if kind == "Hugging Face" else 25, FileStore(tmp_path))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_mutations(kind: str, tmp_path: Path) -> None:
    fuzz(kind, 700, FileStore(tmp_path))
