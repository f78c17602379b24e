"""Accelerators: who may use one, what the result says of it, and how far it may be from the processor."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, fields

import numpy as np
import pytest
import torch

from core.audits.gradient_flow import streaming
from core.audits.text_sensitivity.gradients import differentiate
from core.base import device
from core.base.device import DEVICE, NAME, accelerated, as_recorded, choosing, computing, device_for
from core.base.errors import AuditError, SettingsError
from core.base.progress import ignore_progress
from core.contracts.model import Origin
from core.models.text import TextModel
from core.protected_status import memo
from core.protected_status.settings import TrainedStatus
from core.protected_status.training import Texts, probabilities
from core.protected_status.weights import trained_network
from core.text import network as text_network
from core.text.network import AbstractTextNetwork, computing_with
from tests import builders_hugging_face as hugging_face
from tests.builders_text import JOBS, PEOPLE, make_network
from tests.core.audits.gradient_flow.cases import all_but, hidden_kind, normal_rows, perceptron, search

TEXTS = [f"{who} is a {job} who works in the city" for who in (*PEOPLE[0], *PEOPLE[1]) for job in JOBS]
BOUND = 1e-4
"""How far an accelerator may be from the processor, relative to the largest: float32 holds seven digits, and a search
goes a hundred steps with them. A row whose way leads along the edge of a ReLU may be farther."""


@dataclass(frozen=True)
class Result:
    versions: tuple[tuple[str, str], ...] = (("torch", "2"),)


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEVICE, raising=False)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """The processor's second name as an accelerator."""
    found = torch.device("cpu", 0)
    monkeypatch.setattr(device, "_accelerator", lambda: found)
    monkeypatch.setattr(device, "name_of", lambda one: "Pretended 1")
    return found


@pytest.fixture
def accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real one, which takes even the smallest work."""
    if device._accelerator() is None:
        pytest.skip("Torch sees no accelerator (CUDA, MPS) on this machine.")
    monkeypatch.setattr(device, "WORTH", 0.0)
    monkeypatch.setattr(text_network, "SMALL_WIDTH", 0)
    monkeypatch.setattr(streaming, "ACCELERATED_ROWS", 500)


def test_only_large_work_inside_a_run_goes_to_an_accelerator(pretended: torch.device) -> None:
    assert device_for(1e20) == torch.device("cpu") != pretended
    with computing() as names:
        assert device_for(1e9) == torch.device("cpu")
        assert not names
        assert device_for(1e20) == pretended
        assert names == {"Pretended 1"}
        with choosing("processor"):
            assert device_for(1e20) == torch.device("cpu")


def test_a_result_names_what_was_used_and_by_runs_inside_it(pretended: torch.device) -> None:
    @accelerated
    def inner(work: float) -> Result:
        device_for(work)
        return Result()

    @accelerated
    def outer(work: float) -> Result:
        inner(work)
        return Result()

    assert inner(1.0) == outer(1.0) == Result()
    assert inner(1e20).versions == outer(1e20).versions == (("torch", "2"), (NAME, "Pretended 1"))


def test_torch_is_as_it_was_afterwards(pretended: torch.device) -> None:
    def flags() -> tuple[bool, ...]:
        backends = torch.backends
        return backends.cuda.matmul.allow_tf32, backends.cudnn.enabled, torch.are_deterministic_algorithms_enabled()

    @computing()
    def fails() -> None:
        device_for(1e20)
        with computing():
            device_for(1e20)
        assert flags() == (False, False, True)
        raise ValueError("anything")

    before = flags()
    with pytest.raises(ValueError, match="anything"):
        fails()
    assert flags() == before
    with computing():
        assert flags() == before


def test_a_record_of_the_processor_is_repeated_on_it(pretended: torch.device) -> None:
    def found(versions: dict[str, str]) -> bool:
        with as_recorded(versions), computing():
            return device_for(1e20) == pretended

    assert not found({"torch": "2"})
    assert found({"torch": "2", NAME: "Pretended 1"})
    assert found({})
    with choosing("accelerator"):
        assert found({"torch": "2"})
    assert DEVICE not in os.environ


def test_what_cannot_be_had_is_said(monkeypatch: pytest.MonkeyPatch, pretended: torch.device) -> None:
    @computing()
    def run_out(work: float) -> None:
        device_for(work)
        raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")

    with pytest.raises(AuditError, match="accelerator has too little memory"):
        run_out(1e20)
    with pytest.raises(RuntimeError, match="CUDA"):
        run_out(1.0)
    monkeypatch.setattr(device, "_accelerator", lambda: None)
    with choosing("accelerator"), pytest.raises(SettingsError, match="torch sees none"), computing():
        pass
    monkeypatch.setenv(DEVICE, "gpu")
    with pytest.raises(SettingsError, match="EVENHAND_DEVICE is 'gpu'"), computing():
        pass


def both_ways(network: AbstractTextNetwork) -> None:
    """Check a network's answers and derivatives on both, and that they are the same bytes every time."""
    tokens = network.read(TEXTS)

    def found() -> tuple[np.ndarray, ...]:
        with computing(), computing_with(network):
            gradients = differentiate(network, tokens)
            return (*(getattr(gradients, one.name) for one in fields(gradients)), probabilities(network, tokens))

    with choosing("processor"):
        ours = found()
        assert not network.accelerated
    theirs, again = found(), found()
    assert network.accelerated
    for one, other, same in zip(ours, theirs, again, strict=True):
        np.testing.assert_allclose(other, one, rtol=0, atol=BOUND * np.abs(one).max())
        assert other.tobytes() == same.tobytes()
    with computing_with(network):
        assert not network.accelerated


@pytest.mark.usefixtures("accelerator")
@pytest.mark.parametrize("pooling", ["last", "mean", "max"])
def test_a_recurrent_network_on_an_accelerator(pooling: str) -> None:
    both_ways(make_network(pooling=pooling, directions=2, layers=2, hidden=16))


@pytest.mark.usefixtures("accelerator")
@pytest.mark.parametrize("kind", sorted(hugging_face.OPTIONS))
def test_a_transformer_on_an_accelerator(kind: str) -> None:
    from core.models.formats.hugging_face.network import HuggingFaceNetwork, TextReading
    from core.models.formats.hugging_face.weights import take_out
    from core.text.tokeniser import Tokeniser

    body = hugging_face.network.__wrapped__(kind).requires_grad_(False)
    layers = [(name, one) for name, one in body.named_modules() if isinstance(one, torch.nn.Linear)]
    (last,) = [name for name, one in layers if one.out_features == len("abc")]
    head = take_out(body, last)
    tokeniser = Tokeniser(hugging_face.tokeniser_bytes())
    both_ways(HuggingFaceNetwork(body, head, TextReading(tokeniser, 20), classes=("a", "b", "c")))


@pytest.mark.usefixtures("accelerator")
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("activation", [torch.nn.ReLU, torch.nn.Tanh, torch.nn.ELU])
@pytest.mark.parametrize("general", [False, True])
def test_a_search_on_an_accelerator(precision: str, activation: type[torch.nn.Module], general: bool) -> None:
    module = perceptron(6, 20, 3, activation=activation)
    module = hidden_kind(module) if general else module
    rows, metric = normal_rows(1200, 6, classes=3), all_but(np.eye(6)[:2])

    def found() -> np.ndarray:
        with computing() as names:
            ratio: np.ndarray = search(module, rows, metric, precision=precision, integrator="etd2rk", steps=50).ratio
        assert bool(names) == (os.environ.get(DEVICE) != "processor")
        return ratio

    with choosing("processor"):
        ours = found()
    theirs, again = found(), found()
    assert theirs.tobytes() == again.tobytes()
    assert abs(theirs.mean() / ours.mean() - 1) < BOUND
    assert np.mean(np.abs(theirs / ours - 1) < BOUND) > 0.99


@pytest.mark.usefixtures("accelerator")
def test_a_protected_status_model_is_trained_on_the_processor() -> None:
    network = make_network()

    def trained() -> AbstractTextNetwork:
        halves = Texts(network.read(TEXTS), np.arange(len(TEXTS)) % 2), Texts(network.read(TEXTS), np.arange(12) % 2)
        model = TextModel(network, "text", network.classes, "a", Origin("b", "c"))
        status = TrainedStatus(architecture="as the model", epochs=2)
        with computing(), computing_with(network):
            assert network.accelerated == (os.environ.get(DEVICE) != "processor")
            return trained_network(status, model, ("x", "y"), halves, seed=0, on_progress=ignore_progress).network

    with choosing("processor"):
        ours = trained()
    shutil.rmtree(memo._folder())
    theirs = trained()
    assert not theirs.accelerated
    for one, other in zip(ours.parts()[0].parameters(), theirs.parts()[0].parameters(), strict=True):
        assert torch.equal(one, other)
