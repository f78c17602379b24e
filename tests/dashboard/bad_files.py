"""Files that something is wrong with, and one good table beside them."""

import io
import json
import os
import pickle
import zipfile
from typing import Any

import numpy as np

ROWS = 120


def people(rows: int = ROWS, **columns: Any) -> bytes:
    """A CSV of ``rows`` people with columns age, sex, income and hired; ``columns`` maps a name to (row -> cell)."""
    cells: dict[str, Any] = {
        "age": lambda i: 20 + i % 40,
        "sex": lambda i: "fm"[i % 2],
        "income": lambda i: 20_000 + 137 * i,
        "hired": lambda i: ("yes", "no", "no")[i % 3],
    } | columns
    lines = [",".join(cells), *(",".join(str(cell(i)) for cell in cells.values()) for i in range(rows))]
    return ("\n".join(lines) + "\n").encode()


GOOD = people()


def archive(entries: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip archive of these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as packed:
        for name, content in entries.items():
            packed.writestr(name, content)
    return stream.getvalue()


class Evil:
    """Would make a folder if it were unpickled."""

    def __init__(self, sentinel: str) -> None:
        self.sentinel = sentinel

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.sentinel,)


def evil_pickle(sentinel: str) -> bytes:
    """A pickle that makes a folder when it is loaded."""
    return pickle.dumps(Evil(sentinel))


def compressed_joblib(sentinel: str) -> bytes:
    """The same as joblib writes it."""
    import joblib  # type: ignore[import-untyped]

    stream = io.BytesIO()
    joblib.dump(Evil(sentinel), stream, compress=3)
    return stream.getvalue()


def torch_checkpoint(sentinel: str) -> bytes:
    """The same inside ``torch.save``."""
    import torch

    stream = io.BytesIO()
    torch.save({"e": Evil(sentinel)}, stream)
    return stream.getvalue()


def torchscript() -> bytes:
    """A scripted module, as its archive looks."""
    return archive({"m/code/__torch__.py": b"import os", "m/constants.pkl": b"", "m/data.pkl": b"", "m/version": b"3"})


def pt2() -> bytes:
    """An exported program, as its archive looks."""
    return archive({"m/models/model.json": b"{}", "m/archive_format": b"pt2"})


def lying_safetensors() -> bytes:
    """A header that promises more numbers than the file has."""
    header = json.dumps({"0.weight": {"dtype": "F32", "shape": [10**6, 10**6], "data_offsets": [0, 4 * 10**12]}})
    return len(header).to_bytes(8, "little") + header.encode() + bytes(64)


def long_safetensors_header() -> bytes:
    """A header that says it is a gigabyte long."""
    return (2**30).to_bytes(8, "little") + b"{" + bytes(200)


def skops_bomb() -> bytes:
    """An archive that unpacks to 500 times its size."""
    return archive({"schema.json": b"{}", "1.npy": bytes(20_000_000)}, zipfile.ZIP_DEFLATED)


def untrusted_skops() -> bytes:
    """A skops file that wants ``os.system``."""
    node = {"__module__": "os", "__class__": "system", "__loader__": "FunctionNode", "content": {}}
    return archive({"schema.json": json.dumps({"protocol": 2, **node}).encode()})


def external_onnx() -> bytes:
    """A network whose weights are to be read from ``/etc/passwd``."""
    from onnx import TensorProto, helper

    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 2], data_location=TensorProto.EXTERNAL)
    weights.external_data.add(key="location", value="/etc/passwd")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["z"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2])],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [None, 2])],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def network(inputs: int, outputs: int = 2, fill: float | None = None) -> bytes:
    """Weights of a perceptron with one hidden layer of three; all equal to ``fill`` where it is given."""
    from safetensors.numpy import save

    rng = np.random.default_rng(0)
    shapes = {"0.weight": (3, inputs), "0.bias": (3,), "2.weight": (outputs, 3), "2.bias": (outputs,)}
    arrays = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    if fill is not None:
        arrays = {name: np.full_like(array, fill) for name, array in arrays.items()}
    return save(arrays)


def foreign_labels() -> bytes:
    """A logistic regression whose classes are ``reject`` and ``accept``."""
    return logistic(np.array(["accept", "reject"]))


def logistic(classes: np.ndarray) -> bytes:
    """A logistic regression on age and income with these two classes."""
    import pandas as pd
    import skops.io
    from sklearn.linear_model import LogisticRegression

    table = pd.read_csv(io.BytesIO(GOOD))[["age", "income"]]
    return bytes(skops.io.dumps(LogisticRegression(max_iter=5).fit(table, np.resize(classes, len(table)))))
