"""Files made to do harm: nothing in them runs, nothing grows without bound, and the refusal says what to do."""

import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.models import OnnxFile, SklearnFile, TorchMLP
from core.models.sniff import recognise
from core.wall.inside import RefusedError

LOADERS = (TorchMLP, OnnxFile, SklearnFile)


class Evil:
    def __init__(self, sentinel: Path) -> None:
        self.sentinel = sentinel

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.sentinel}",)


@pytest.fixture
def sentinel(tmp_path: Path) -> Path:
    return tmp_path / "executed"


def refused_by_all(content: bytes, files: FileStore, dataset: Dataset, name: str = "model.bin") -> str:
    reference = files.put(content, name)
    said = set()
    for loader in LOADERS:
        with pytest.raises(ModelError) as caught:
            loader(file=reference).load(files, dataset)
        assert caught.value.advice
        said.add(caught.value.what)
    assert len(said) == 1
    return said.pop()


def test_the_hostile_pickle_really_is_hostile(sentinel: Path) -> None:
    pickle.loads(pickle.dumps(Evil(sentinel)))
    assert sentinel.exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["model.pkl", "model.safetensors", "model.onnx", "model.skops"])
def test_pickles_are_refused_whatever_their_name(
    protocol: int, name: str, files: FileStore, dataset: Dataset, sentinel: Path
) -> None:
    content = pickle.dumps({"weights": [1.0, 2.0], "net": Evil(sentinel)}, protocol=protocol)
    assert "pickle" in refused_by_all(content, files, dataset, name)
    assert not sentinel.exists()


@pytest.mark.parametrize("compress", [0, 3, ("gzip", 3), ("bz2", 3), ("lzma", 3), ("xz", 3)])
def test_joblib_files_are_refused(
    compress: Any, files: FileStore, dataset: Dataset, sentinel: Path, tmp_path: Path
) -> None:
    import joblib

    joblib.dump(Evil(sentinel), tmp_path / "j", compress=compress)
    assert "pickle" in refused_by_all((tmp_path / "j").read_bytes(), files, dataset)
    assert not sentinel.exists()


@pytest.mark.parametrize("new_format", [True, False])
def test_torch_checkpoints_are_refused_with_a_conversion(
    new_format: bool, files: FileStore, dataset: Dataset, sentinel: Path
) -> None:
    import torch

    stream = io.BytesIO()
    torch.save({"w": torch.zeros(2), "e": Evil(sentinel)}, stream, _use_new_zipfile_serialization=new_format)
    refused_by_all(stream.getvalue(), files, dataset, "model.pt")
    with pytest.raises(ModelError, match="save_file"):
        TorchMLP(file=files.put(stream.getvalue(), "model.pt")).load(files, dataset)
    assert not sentinel.exists()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_torchscript_is_refused(files: FileStore, dataset: Dataset) -> None:
    import torch

    stream = io.BytesIO()
    torch.jit.save(torch.jit.script(torch.nn.Linear(5, 2)), stream)
    assert "TorchScript" in refused_by_all(stream.getvalue(), files, dataset, "model.safetensors")


def archive(entries: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as packed:
        for name, content in entries.items():
            packed.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"m/models/model.json": b"{}", "m/archive_format": b"pt2"}, "torch.export archive"),
        ({"serialized_exported_program.json": b"{}", "version": b"1"}, "torch.export archive"),
        ({"config.json": b"{}", "metadata.json": b"{}", "model.weights.h5": b""}, "Keras model"),
        ({"[Content_Types].xml": b"", "xl/workbook.xml": b""}, "spreadsheet"),
        ({"readme.txt": b"hello"}, "no model file"),
    ],
)
def test_other_archives_are_refused_by_what_they_hold(
    entries: dict[str, bytes], message: str, files: FileStore, dataset: Dataset
) -> None:
    assert message in refused_by_all(archive(entries), files, dataset)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89HDF\r\n\x1a\n" + b"\0" * 100, "Keras"),
        (b"\x1c\0\0\0TFL3" + b"\0" * 100, "TensorFlow Lite"),
        (b"age,job\n1,clerk\n", "no model file"),
        (b"", "empty"),
        (b"PK\x03\x04 cut off", "damaged or cut off"),
        (b'{"weights": [1, 2]}', "no model file"),
    ],
)
def test_other_formats_are_refused_by_their_bytes(
    content: bytes, message: str, files: FileStore, dataset: Dataset
) -> None:
    assert message in refused_by_all(content, files, dataset)


def test_a_good_file_under_a_wrong_name_is_recognised(
    files: FileStore, dataset: Dataset, network: Any, onnx_network: Any
) -> None:
    import skops.io
    from safetensors.torch import save

    kinds = {
        "torch_mlp": save(dict(network.state_dict())),
        "onnx": onnx_network.SerializeToString(),
        "sklearn": skops.io.dumps([1, 2]),
    }
    for kind, content in kinds.items():
        reference = files.put(content, "model.pkl.txt")
        assert recognise(files.path(reference), "model.bin") == kind
        for loader in LOADERS:
            if loader.model_fields["kind"].default != kind:
                with pytest.raises(ModelError, match="whatever its name says"):
                    loader(file=files.put(content, "model.bin")).load(files, dataset)


def node(module: str, name: str, loader: str, **more: Any) -> dict[str, Any]:
    return {"__module__": module, "__class__": name, "__loader__": loader, **more}


def skops_bytes(schema: Any, **entries: bytes) -> bytes:
    return archive({"schema.json": json.dumps({"protocol": 2, **schema}).encode(), **entries})


@pytest.mark.parametrize(
    "schema",
    [
        node("os", "system", "FunctionNode", content={"module_path": "os", "function": "system"}),
        node("builtins", "eval", "TypeNode"),
        node("builtins", "dict", "DictNode", content={"a": node("os", "system", "TypeNode")}),
        node("operator", "methodcaller", "OperatorFuncNode", attrs=node("builtins", "tuple", "TupleNode", content=[])),
        node("builtins", "list", "ListNode", content=[node("subprocess", "Popen", "ObjectNode", content=None)]),
        node("sklearn.pipeline", "Pipeline", "MethodNode", content={"func": "x", "obj": 1}),
        node("builtins", "list", "JsonNode", content=node("joblib", "load", "PartialNode")),
        node("numpy.random", "seed", "RandomStateNode", content={}),
        node("sklearn.linear_model._logistic", "LogisticRegression", "CachedNode"),
        node("sklearn.feature_extraction.text", "CountVectorizer", "ObjectNode", content={}),
    ],
)
def test_skops_types_off_the_list_are_refused(schema: dict[str, Any], files: FileStore, dataset: Dataset) -> None:
    with pytest.raises(ModelError, match=r"not on the fixed list|do not fit together|no fitted classifier"):
        SklearnFile(file=files.put(skops_bytes(schema), "m.skops")).load(files, dataset)


def test_a_skops_file_with_a_real_function_is_refused(files: FileStore, dataset: Dataset, sentinel: Path) -> None:
    import skops.io
    from sklearn.preprocessing import FunctionTransformer

    content = skops.io.dumps(FunctionTransformer(func=os.system))
    assert skops.io.get_untrusted_types(data=content)
    with pytest.raises(ModelError, match=r"posix\.system|os\.system"):
        SklearnFile(file=files.put(content, "m.skops")).load(files, dataset)
    assert not sentinel.exists()


def test_zip_bombs_are_refused_unopened(files: FileStore, dataset: Dataset) -> None:
    bomb = archive({"schema.json": b"{}", "1.npy": b"\0" * 50_000_000}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000
    with pytest.raises(ModelError, match="times its size"):
        SklearnFile(file=files.put(bomb, "m.skops")).load(files, dataset)


def test_too_many_entries_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.models.formats.skops import reading

    monkeypatch.setattr(reading, "LIMITS", replace(reading.LIMITS, entries=10))
    (tmp_path / "m.skops").write_bytes(archive({"schema.json": b"{}", **{f"{i}.npy": b"" for i in range(10)}}))
    with pytest.raises(RefusedError, match="lists 11 entries"):
        reading.read_estimator(tmp_path / "m.skops")


def test_entries_skops_does_not_write_are_refused(files: FileStore, dataset: Dataset) -> None:
    for name, said in (("../../x.npy", "points outside"), ("x/y.npy", "skops does not write"), ("x.py", "skops does")):
        with pytest.raises(ModelError, match=said):
            SklearnFile(file=files.put(archive({"schema.json": b"{}", name: b""}), "m.skops")).load(files, dataset)


def npy(shape: tuple[int, ...], descr: str = "<f8", body: bytes = b"") -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue() + body


@pytest.mark.parametrize(
    "array",
    [
        npy((10**12,)),
        npy((2**40, 2**40)),
        npy((1,), "|O", pickle.dumps([1])),
        npy((3,), body=b"\0" * 8),
        b"not an array",
    ],
)
def test_arrays_that_are_not_what_their_header_says_are_refused(
    array: bytes, files: FileStore, dataset: Dataset
) -> None:
    content = skops_bytes(node("numpy", "ndarray", "NdArrayNode", type="numpy", file="1.npy"), **{"1.npy": array})
    with pytest.raises(ModelError, match=r"do not fit together|needs more memory"):
        SklearnFile(file=files.put(content, "m.skops")).load(files, dataset)


@pytest.mark.parametrize(("field", "value"), [("left_child", 10**12), ("right_child", -(2**40)), ("feature", 2**40)])
def test_trees_that_point_outside_themselves_kill_their_child_alone(
    field: str, value: int, files: FileStore, dataset: Dataset
) -> None:
    import skops.io
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    tree.fit(dataset.frame[["age", "children"]], dataset.frame["hired"])
    state = tree.tree_.__getstate__()
    state["nodes"][field][0] = value
    tree.tree_.__setstate__(state)
    with pytest.raises(ModelError, match="makes the library that reads it crash"):
        SklearnFile(file=files.put(skops.io.dumps(tree), "m.skops")).load(files, dataset)


def test_damaged_skops_files_are_never_a_traceback(files: FileStore, dataset: Dataset) -> None:
    import skops.io
    from sklearn.linear_model import LogisticRegression

    good = skops.io.dumps(LogisticRegression().fit(dataset.frame[["age", "children"]], dataset.frame["hired"]))
    rng = np.random.default_rng(2)
    for _ in range(25):
        broken = bytearray(good)
        for position in rng.integers(0, len(good), 4):
            broken[position] = rng.integers(0, 256)
        broken = broken[: rng.integers(1, len(good) + 1)] if rng.random() < 0.3 else broken
        with suppress(ModelError):
            model = SklearnFile(file=files.put(bytes(broken), "m.skops")).load(files, dataset)
            model.predict_proba(model.encode(dataset))


@pytest.mark.parametrize("location", ["../../../../etc/passwd", "/etc/passwd", "weights.onnx.data"])
def test_onnx_weights_in_another_file_are_never_opened(
    location: str, files: FileStore, dataset: Dataset, onnx_network: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from onnx import TensorProto

    tensor = onnx_network.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    with pytest.raises(ModelError, match=r"in another file.*external_data=False"):
        OnnxFile(file=files.put(onnx_network.SerializeToString(), "m.onnx"), numbers="standardised").load(
            files, dataset
        )


@pytest.mark.parametrize("place", ["initialiser", "constant", "attribute"])
def test_onnx_weights_that_are_no_numbers_are_refused(
    place: str, files: FileStore, dataset: Dataset, make_onnx: Callable[..., Any]
) -> None:
    from onnx import TensorProto, helper

    row = [1.0, 1.0, float("nan"), 1.0, 1.0]
    value = helper.make_tensor("w", TensorProto.FLOAT, [5], row)
    first = {
        "initialiser": [helper.make_node("Mul", ["x", "w"], ["z"])],
        "constant": [helper.make_node("Constant", [], ["w"], value=value), helper.make_node("Mul", ["x", "w"], ["z"])],
        "attribute": [
            helper.make_node("Scaler", ["x"], ["z"], domain="ai.onnx.ml", offset=[0.0] * 5, scale=row),
        ],
    }[place]
    last = helper.make_node("Softmax", ["z"], ["p"])
    constants = {"w": row} if place == "initialiser" else {}
    model = make_onnx([*first, last], constants, [("p", TensorProto.FLOAT, [None, 5])])
    with pytest.raises(ModelError, match="A weight is not a number") as caught:
        OnnxFile(file=files.put(model.SerializeToString(), "m.onnx"), numbers="standardised").load(files, dataset)
    assert caught.value.advice


def test_onnx_weights_outside_the_graph_in_an_attribute_are_never_opened(
    files: FileStore, dataset: Dataset, make_onnx: Callable[..., Any]
) -> None:
    from onnx import TensorProto, helper

    outside = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[5, 2], data_location=TensorProto.EXTERNAL)
    outside.external_data.add(key="location", value="/etc/passwd")
    nodes = [helper.make_node("Constant", [], ["w"], value=outside), helper.make_node("MatMul", ["x", "w"], ["z"])]
    model = make_onnx(nodes, {}, [("z", TensorProto.FLOAT, [None, 2])])
    with pytest.raises(ModelError, match="in another file"):
        OnnxFile(file=files.put(model.SerializeToString(), "m.onnx"), numbers="standardised").load(files, dataset)


@pytest.mark.parametrize("dims", [[10**6, 10**6], [5, 3], [-5, -8]])
def test_onnx_tensors_that_declare_more_than_they_hold_are_refused(
    dims: list[int], files: FileStore, dataset: Dataset, onnx_network: Any
) -> None:
    onnx_network.graph.initializer[0].ClearField("dims")
    onnx_network.graph.initializer[0].dims.extend(dims)
    with pytest.raises(ModelError, match=r"declares -?[0-9]+ numbers and the file holds 40"):
        OnnxFile(file=files.put(onnx_network.SerializeToString(), "m.onnx"), numbers="standardised").load(
            files, dataset
        )


def onnx_refusal(model: Any, files: FileStore, dataset: Dataset) -> str:
    with pytest.raises(ModelError) as caught:
        OnnxFile(file=files.put(model.SerializeToString(), "m.onnx"), numbers="standardised").load(files, dataset)
    return str(caught.value)


def test_onnx_operators_that_make_huge_data_loop_or_are_foreign_are_refused(
    files: FileStore, dataset: Dataset, make_onnx: Callable[..., Any]
) -> None:
    from onnx import TensorProto, helper

    out = [("z", TensorProto.FLOAT, [None, 2])]
    gemm = helper.make_node("MatMul", ["x", "w"], ["z"])
    weights = {"w": np.ones((5, 2))}
    huge = helper.make_node("ConstantOfShape", ["shape"], ["big"])
    model = make_onnx([huge, gemm], {**weights, "shape": np.array([10**6, 10**6])}, out)
    assert "too large" in onnx_refusal(model, files, dataset)
    computed = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("ConstantOfShape", ["s"], ["big"]), gemm]
    assert "not fixed" in onnx_refusal(make_onnx(computed, weights, out), files, dataset)
    random = [helper.make_node("RandomNormalLike", ["x"], ["r"]), gemm]
    assert "draws random numbers" in onnx_refusal(make_onnx(random, weights, out), files, dataset)
    foreign = [helper.make_node("Evil", ["x"], ["e"], domain="com.evil"), gemm]
    assert "not standard ONNX" in onnx_refusal(make_onnx(foreign, weights, out), files, dataset)
    body = helper.make_graph([gemm], "b", [], [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)])
    branch = [helper.make_node("If", ["c"], ["z"], then_branch=body, else_branch=body)]
    model = make_onnx(branch, {**weights, "c": np.array(True)}, out)
    assert "loops, branches" in onnx_refusal(model, files, dataset)
    model = make_onnx([gemm], weights, out)
    model.functions.add(name="f", domain="")
    assert "functions of its own" in onnx_refusal(model, files, dataset)


def test_damaged_onnx_files_are_never_a_traceback(files: FileStore, dataset: Dataset, onnx_network: Any) -> None:
    good = onnx_network.SerializeToString()
    rng = np.random.default_rng(4)
    for _ in range(150):
        broken = bytearray(good)
        for position in rng.integers(0, len(good), 3):
            broken[position] = rng.integers(0, 256)
        broken = broken[: rng.integers(1, len(good) + 1)] if rng.random() < 0.3 else broken
        with suppress(ModelError):
            model = OnnxFile(file=files.put(bytes(broken), "m.onnx"), numbers="standardised").load(files, dataset)
            model.predict_proba(model.encode(dataset))
