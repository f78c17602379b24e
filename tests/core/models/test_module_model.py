"""Any torch module as a model."""

from typing import Any

import numpy as np
import pytest

from core.base.errors import ModelError
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.models.module import ModuleModel
from tests.core.models.conftest import FEATURES

CLASSES = ("no", "yes")


@pytest.fixture
def encoder(dataset: Dataset) -> Encoder:
    return Encoder.fit(dataset.frame, FEATURES)


def test_the_callers_module_is_left_as_it_was(network: Any, encoder: Encoder) -> None:
    network.train()
    ModuleModel(network, encoder, CLASSES, "net")
    assert network.training
    assert all(parameter.requires_grad for parameter in network.parameters())


def test_a_single_logit_becomes_zero_and_itself_in_a_plain_sequential(encoder: Encoder, dataset: Dataset) -> None:
    import torch
    from torch import nn

    torch.manual_seed(0)
    single = nn.Sequential(nn.Linear(5, 3), nn.ReLU(), nn.Linear(3, 1))
    model = ModuleModel(single, encoder, CLASSES, "net")
    data = model.encode(dataset)
    assert [type(stage) for stage in model.module()] == [nn.Linear, nn.ReLU, nn.Linear]
    z = single.double()(torch.from_numpy(data.x)).sigmoid().detach().numpy()[:, 0]
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], z, atol=1e-12)


def test_a_single_logit_of_any_other_module_is_padded(encoder: Encoder, dataset: Dataset) -> None:
    import torch
    from torch import nn

    class Sum(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.sum(dim=1, keepdim=True)

    model = ModuleModel(Sum(), encoder, CLASSES, "sum")
    data = model.encode(dataset)
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], 1 / (1 + np.exp(-data.x.sum(axis=1))), atol=1e-12)


def test_dropout_and_batch_normalisation_answer_as_in_use(encoder: Encoder, dataset: Dataset) -> None:
    from torch import nn

    model = ModuleModel(
        nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.Dropout(), nn.Linear(8, 2)), encoder, CLASSES, "net"
    )
    data = model.encode(dataset)
    np.testing.assert_array_equal(model.predict_proba(data), model.predict_proba(data))


def test_wrong_width_names_both_and_what_to_do(encoder: Encoder) -> None:
    from torch import nn

    with pytest.raises(ModelError, match="cannot read rows of 5 numbers"):
        ModuleModel(nn.Linear(4, 2), encoder, CLASSES, "net")


def test_more_outputs_than_classes_are_refused(encoder: Encoder) -> None:
    from torch import nn

    with pytest.raises(ModelError, match=r"\(2, 3\), where \(2, 2\)"):
        ModuleModel(nn.Linear(5, 3), encoder, CLASSES, "net")


def test_answers_that_are_not_numbers_are_an_error_with_their_rows(encoder: Encoder, dataset: Dataset) -> None:
    import torch
    from torch import nn

    class Root(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.stack([x[:, 0].sqrt(), x[:, 1]], dim=1)

    model = ModuleModel(Root(), encoder, CLASSES, "root")
    data = model.encode(dataset)
    young = np.flatnonzero(data.x[:, 0] < 0)
    with pytest.raises(ModelError, match=rf"for {len(young)} of 240 rows.*row {young[0] + 1}, {young[1] + 1}"):
        model.predict_proba(data)


def test_memory_stays_flat_when_the_table_grows(encoder: Encoder, dataset: Dataset) -> None:
    import torch
    from torch import nn

    seen = []

    class Watch(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            seen.append(len(x))
            return x[:, :2]

    model = ModuleModel(Watch(), encoder, CLASSES, "watch")
    rows = np.arange(20_000) % len(dataset)
    model.predict_proba(model.encode(dataset).take(rows))
    assert max(seen) <= 4096


def test_the_fingerprint_follows_the_weights(network: Any, encoder: Encoder) -> None:
    import torch

    before = ModuleModel(network, encoder, CLASSES, "net").fingerprint
    assert before == ModuleModel(network, encoder, CLASSES, "other name").fingerprint
    with torch.no_grad():
        network[0].bias[0] += 1e-3
    assert before != ModuleModel(network, encoder, CLASSES, "net").fingerprint
