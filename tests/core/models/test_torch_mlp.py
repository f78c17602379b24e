"""Perceptrons from safetensors files."""

import json
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import DataError, ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.models import TorchMLP
from core.models.formats.safetensors.source import write_mlp
from tests.core.models.conftest import FEATURES


@pytest.fixture
def encoder(dataset: Dataset) -> Encoder:
    return Encoder.fit(dataset.frame, FEATURES)


def save(
    files: FileStore, tensors: dict[str, Any], metadata: dict[str, str] | None = None, **settings: Any
) -> TorchMLP:
    from safetensors.torch import save as to_bytes

    given = {"numbers": "standardised", **settings}
    return TorchMLP(file=files.put(to_bytes(tensors, metadata), "net.safetensors"), **given)


def torch_answers(network: Any, encoder: Encoder, dataset: Dataset) -> np.ndarray:
    import torch

    x = torch.from_numpy(encoder.transform(dataset.frame))
    return network.double()(x).softmax(dim=1).detach().numpy()


def test_a_written_network_answers_as_it_did_in_torch(
    files: FileStore, dataset: Dataset, network: Any, encoder: Encoder, tmp_path: Path
) -> None:
    write_mlp(tmp_path / "w", network, encoder=encoder, classes=("no", "yes"))
    model = TorchMLP(file=files.put((tmp_path / "w").read_bytes(), "w.safetensors")).load(files, dataset)
    assert model.encoder == encoder
    assert model.caveats == ()
    answers = model.predict_proba(model.encode(dataset))
    np.testing.assert_allclose(answers, torch_answers(network, encoder, dataset), atol=1e-14)


def test_writing_twice_gives_the_same_bytes(network: Any, encoder: Encoder, tmp_path: Path) -> None:
    for name in "ab":
        write_mlp(tmp_path / name, network, encoder=encoder, classes=("no", "yes"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("activation", ["ReLU", "LeakyReLU", "ELU", "GELU", "SiLU", "Softplus", "Tanh", "Sigmoid"])
def test_every_activation_survives_the_round_trip(
    activation: str, files: FileStore, dataset: Dataset, encoder: Encoder, tmp_path: Path
) -> None:
    from torch import nn

    network = nn.Sequential(nn.Linear(5, 6), getattr(nn, activation)(), nn.Dropout(), nn.Linear(6, 2)).eval()
    write_mlp(tmp_path / "w", nn.Sequential(network, nn.Softmax(dim=1)), encoder=encoder, classes=("no", "yes"))
    model = TorchMLP(file=files.put((tmp_path / "w").read_bytes(), "w.safetensors")).load(files, dataset)
    answers = model.predict_proba(model.encode(dataset))
    np.testing.assert_allclose(answers, torch_answers(network, encoder, dataset), atol=1e-14)


@pytest.mark.parametrize(
    "rename",
    [
        lambda n: {0: "0", 1: "2", 2: "4"}[n] + ".{}",
        lambda n: f"layers.{n}" + ".{}",
        lambda n: f"net.model.{3 * n}" + ".{}",
        lambda n: f"fc{n + 1}" + ".{}",
        lambda n: f"body.linear{n}" + ".{}",
    ],
)
def test_common_names_of_layers_are_understood(
    rename: Any, files: FileStore, dataset: Dataset, network: Any, encoder: Encoder
) -> None:
    tensors = {}
    for number, layer in enumerate(layer for layer in network if hasattr(layer, "weight")):
        tensors[rename(number).format("weight")] = layer.weight.detach()
        tensors[rename(number).format("bias")] = layer.bias.detach()
    model = save(files, tensors, classes=("no", "yes"), encoder=encoder).load(files, dataset)
    answers = model.predict_proba(model.encode(dataset))
    np.testing.assert_allclose(answers, torch_answers(network, encoder, dataset), atol=1e-14)


def test_more_than_nine_layers_are_ordered_as_numbers(files: FileStore, dataset: Dataset, encoder: Encoder) -> None:
    import torch

    widths = [5, *range(20, 9, -1), 2]
    tensors = {f"layers.{i}.weight": torch.randn(b, a) for i, (a, b) in enumerate(pairwise(widths))}
    model = save(files, tensors, encoder=encoder).load(files, dataset)
    assert [layer.out_features for layer in model.module() if hasattr(layer, "out_features")] == widths[1:]


def test_matrices_w1_b1_are_read_as_x_times_w(files: FileStore, dataset: Dataset, encoder: Encoder) -> None:
    import torch

    rng = np.random.default_rng(0)
    w1, b1, w2, b2 = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=(3, 2)), rng.normal(size=2)
    tensors = {key: torch.from_numpy(value) for key, value in {"W1": w1, "b1": b1, "W2": w2, "b2": b2}.items()}
    model = save(files, tensors, encoder=encoder).load(files, dataset)
    data = model.encode(dataset)
    z = np.maximum(data.x @ w1 + b1, 0) @ w2 + b2
    odds = np.exp(z[:, 1] - z[:, 0])
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], odds / (1 + odds), atol=1e-12)


def test_without_a_card_the_encoder_is_learned_and_said(files: FileStore, dataset: Dataset, network: Any) -> None:
    model = save(files, dict(network.state_dict())).load(files, dataset)
    assert model.encoder == Encoder.fit(dataset.frame, FEATURES)
    assert "learned from this table" in model.caveats[0].what


def test_settings_override_the_card(
    files: FileStore, dataset: Dataset, network: Any, encoder: Encoder, tmp_path: Path
) -> None:
    write_mlp(tmp_path / "w", network, encoder=encoder, classes=("no", "yes"))
    file = files.put((tmp_path / "w").read_bytes(), "w.safetensors")
    plain = TorchMLP(file=file).load(files, dataset)
    turned = TorchMLP(file=file, classes=("yes", "no"), activation="tanh").load(files, dataset)
    assert turned.classes == ("yes", "no")
    assert type(turned.module()[1]).__name__ == "Tanh"
    assert turned.fingerprint != plain.fingerprint


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hidden": (8, 5)}, r"hidden widths \[8, 4\], and \[8, 5\] was declared"),
        ({"output": "single logit"}, "gives 2 numbers, which is not what was declared"),
        ({"classes": ("no", "maybe", "yes")}, "The model has 2 classes and the declared order has 3"),
        ({"classes": ("no", "no")}, "named twice"),
        ({"classes": ("no", "perhaps")}, "no class for the outcome 'yes'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    settings: dict[str, Any], message: str, files: FileStore, dataset: Dataset, network: Any
) -> None:
    with pytest.raises(ModelError, match=message):
        save(files, dict(network.state_dict()), **settings).load(files, dataset)


@pytest.mark.parametrize(
    ("width", "cause"),
    [(3, "one number per column"), (4, "first category"), (7, "2 missing"), (2, "3 too many")],
)
def test_a_wrong_width_names_both_widths_and_the_likely_cause(
    width: int, cause: str, files: FileStore, dataset: Dataset
) -> None:
    import torch

    with pytest.raises(ModelError, match=rf"reads {width} numbers a row and the prepared table has 5.*{cause}"):
        save(files, {"weight": torch.zeros(2, width)}).load(files, dataset)


@pytest.mark.parametrize(("width", "names"), [(2, ("age", "sex = m")), (3, ("age", "sex = f", "sex = m"))])
def test_the_width_says_how_many_indicators_two_categories_have(
    width: int, names: tuple[str, ...], files: FileStore, with_sex: Dataset
) -> None:
    import torch

    model = save(files, {"weight": torch.ones(2, width)}).load(files, with_sex)
    assert model.encoder.names == names
    assert np.isfinite(model.predict_proba(model.encode(with_sex))).all()


def test_a_width_between_one_and_two_indicators_is_refused(files: FileStore, with_sex: Dataset) -> None:
    import torch

    with pytest.raises(ModelError, match=r"reads 4 numbers a row and the prepared table has 2.*age, sex = m"):
        save(files, {"weight": torch.ones(2, 4)}).load(files, with_sex)


def test_a_category_the_model_never_saw_is_an_error_with_its_row(
    files: FileStore, dataset: Dataset, network: Any, encoder: Encoder
) -> None:
    from dataclasses import replace

    model = save(files, dict(network.state_dict()), encoder=encoder).load(files, dataset)
    frame = dataset.frame.assign(job=dataset.frame["job"].where(dataset.frame.index != 11, "astronaut"))
    with pytest.raises(DataError, match=r"'astronaut'.*column 'job', row 12"):
        model.encode(replace(dataset, frame=frame))


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"conv.weight": (2, 3, 3), "conv.bias": (2,)}, "shape \\(2, 3, 3\\)"),
        ({"0.weight": (4, 5), "2.weight": (2, 3)}, "reads 3 numbers and the layer before it gives 4"),
        ({"0.weight": (2, 5), "0.bias": (3,)}, "bias has shape \\(3,\\)"),
        ({"a.0.weight": (4, 5), "b.1.weight": (2, 4)}, "not those of a multilayer perceptron"),
        ({"lstm.weight_ih_l0": (4, 5)}, "not those of a multilayer perceptron"),
        ({"0.weight": (4, 5), "1.running_mean": (4,)}, "not those of a multilayer perceptron"),
    ],
)
def test_tensors_that_are_no_perceptron_are_refused(
    tensors: dict[str, tuple[int, ...]], message: str, files: FileStore, dataset: Dataset
) -> None:
    import torch

    with pytest.raises(ModelError, match=message):
        save(files, {key: torch.zeros(shape) for key, shape in tensors.items()}).load(files, dataset)


def test_weights_that_are_not_finite_are_refused(files: FileStore, dataset: Dataset) -> None:
    import torch

    with pytest.raises(ModelError, match=r"not a finite number.*'weight'"):
        save(files, {"weight": torch.full((2, 5), torch.nan)}).load(files, dataset)


def test_half_precision_weights_are_widened(files: FileStore, dataset: Dataset) -> None:
    import torch

    weight = torch.tensor([[0.0] * 5, [0.1, 0.2, -0.3, 0.4, 0.5]]).bfloat16()
    model = save(files, {"weight": weight}).load(files, dataset)
    data = model.encode(dataset)
    z = data.x @ weight[1].double().numpy()
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], 1 / (1 + np.exp(-z)), atol=1e-12)


@pytest.mark.parametrize("card", ["no json", '{"classes": 3}', '{"surprise": 1}', '{"activation": "maxout"}'])
def test_a_damaged_card_is_an_error(card: str, files: FileStore, dataset: Dataset, network: Any) -> None:
    with pytest.raises(ModelError, match="description of the network cannot be read"):
        save(files, dict(network.state_dict()), {"evenhand": card}).load(files, dataset)


def header(entries: Any, body: bytes = b"\0" * 80) -> bytes:
    text = entries if isinstance(entries, bytes) else json.dumps(entries).encode()
    return len(text).to_bytes(8, "little") + text + body


def entry(dtype: str = "F32", shape: Any = (4, 5), start: Any = 0, end: Any = 80) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (header({"weight": entry()})[:-1], "declares 80 bytes of weights and the file holds 79"),
        (header({"weight": entry()}) + b"x", "declares 80 bytes of weights and the file holds 81"),
        ((1 << 40).to_bytes(8, "little") + b"{" + b"x" * 90, "its header is longer than the file"),
        (header({"weight": entry(end=10**15)}), "not plain counts"),
        (header({"weight": entry(shape=[2**40, 2**40])}), "not plain counts"),
        (header({"weight": entry(shape=[10**9, 10**6], end=4 * 10**15)}), "not plain counts"),
        (header({"weight": entry(shape=[-4, -5])}), "not plain counts"),
        (header({"weight": entry(shape=[True, 20])}), "not plain counts"),
        (header({"weight": entry(start=-80, end=0)}), "not plain counts"),
        (header({"a.0.weight": entry(), "a.1.weight": entry()}), "overlap or leave gaps"),
        (header({"weight": entry(shape=[2, 5], start=40, end=80)}), "overlap or leave gaps"),
        (header({"weight": entry("I64", [2, 5])}), "weights are floating-point numbers"),
        (header({"weight": {"dtype": "F32"}}), "without type, shape or offsets"),
        (header({"weight": 3}), "without type, shape or offsets"),
        (header({}, b""), "declares 0 tensors"),
        (header(b'{"w": 1, "w": 2}'), "it is no JSON"),
        (header(b"{" * 100_000), "it is no JSON"),
        (header(b'{"a":' * 50_000 + b"1" + b"}" * 50_000), "it is no JSON|without type"),
        (header({"__metadata__": {"a": 1}, "weight": entry()}), "metadata .* is not text"),
    ],
)
def test_lying_headers_are_refused_before_anything_is_built(
    content: bytes, message: str, files: FileStore, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    import safetensors.torch

    def never(*args: object) -> None:
        raise AssertionError("a tensor was built")

    monkeypatch.setattr(safetensors.torch, "load_file", never)
    with pytest.raises(ModelError, match=message):
        TorchMLP(file=files.put(content, "net.safetensors")).load(files, dataset)


def test_random_bytes_are_never_a_traceback(files: FileStore, dataset: Dataset, network: Any) -> None:
    from safetensors.torch import save as to_bytes

    rng = np.random.default_rng(5)
    good = to_bytes(dict(network.state_dict()))
    for _ in range(200):
        broken = bytearray(good)
        for position in rng.integers(0, 400, 3):
            broken[position] = rng.integers(0, 256)
        with suppress(ModelError):
            TorchMLP(file=files.put(bytes(broken), "net.safetensors")).load(files, dataset)


@pytest.mark.parametrize("name", ["Conv", "two activations", "headless"])
def test_only_perceptrons_can_be_written(name: str, encoder: Encoder, tmp_path: Path) -> None:
    from torch import nn

    module = {
        "Conv": nn.Sequential(nn.Conv1d(1, 1, 1), nn.ReLU(), nn.Linear(5, 2)),
        "two activations": nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)),
        "headless": nn.Sequential(nn.Linear(5, 4), nn.ReLU()),
    }[name]
    with pytest.raises(ModelError, match="Only a Sequential of Linear layers"):
        write_mlp(tmp_path / "w", module, encoder=encoder, classes=("no", "yes"))


def test_a_column_that_is_prepared_twice_is_refused(encoder: Encoder) -> None:
    with pytest.raises(ValueError, match="is prepared twice"):
        Encoder(columns=(encoder.columns[0], *encoder.columns))
