"""The Protected Status Model finds directions that no linear probe sees, and says when it finds none."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from core.errors import MetricError
from core.metric import principal_angles
from core.metrics import ProtectedStatus, SensitiveSubspace
from core.metrics.protected_network import train_network


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def curved(encode):
    """Group membership depends on the distance from the origin in the first two of five columns only."""
    draw = np.random.default_rng(4)
    x = draw.standard_normal((3_000, 5))
    sex = np.where((x[:, :2] ** 2).sum(axis=1) + 0.3 * draw.standard_normal(3_000) > 1.4, "f", "m")
    return encode(pd.DataFrame(x, columns=list("abcde")).assign(sex=sex), tuple("abcde"), ("sex",))


def test_a_curved_boundary_is_found_where_a_linear_probe_is_blind(curved) -> None:
    metric = ProtectedStatus().fit(curved, rng())
    assert len(metric.free) == 2
    assert principal_angles(metric.free, np.eye(5)[:2]).max() < 5
    assert metric.probes[0].auc > 0.95
    assert metric.notices == ()
    linear = SensitiveSubspace().fit(curved, rng())
    assert linear.probes[0].auc < 0.6


def test_a_linear_boundary_gives_the_direction_of_the_logistic_probe(linear) -> None:
    data, truth = linear(4_000, 1)
    metric = ProtectedStatus(directions=1).fit(data, rng())
    assert principal_angles(metric.free, truth[None]).max() < 6
    assert metric.spectrum[0] > 0.9


def test_the_unit_of_a_number_rescales_its_loading(linear) -> None:
    data, truth = linear(4_000, 1)
    unit = np.array([1.0, 5.0, 0.4, 1.0])
    metric = ProtectedStatus(directions=1).fit(replace(data, x=data.x * unit), rng())
    expected = (truth / unit) / np.linalg.norm(truth / unit)
    assert principal_angles(metric.free, expected[None]).max() < 9


def test_the_matrix_is_a_projector_and_protected_columns_are_free(mixed) -> None:
    metric = ProtectedStatus(epochs=5).fit(mixed, rng())
    np.testing.assert_allclose(metric.matrix @ metric.matrix, metric.matrix, atol=1e-12)
    np.testing.assert_allclose(metric.matrix @ metric.free.T, 0, atol=1e-12)
    np.testing.assert_allclose(metric.matrix[mixed.encoder.names.index("sex")], 0, atol=1e-12)
    assert metric.found >= 1
    assert [probe.attribute for probe in metric.probes] == ["sex", "race"]
    assert [int(probe.held_out.sum()) for probe in metric.probes] == [60, 60]


def test_a_network_that_learns_nothing_is_a_serious_notice(encode) -> None:
    draw = np.random.default_rng(9)
    frame = pd.DataFrame(draw.standard_normal((300, 3)), columns=list("abc")).assign(sex=draw.choice(["f", "m"], 300))
    metric = ProtectedStatus().fit(encode(frame, tuple("abc"), ("sex",)), rng())
    assert [notice.level for notice in metric.notices if "hardly tell 'sex'" in notice.what] == ["serious"]


def test_the_mean_outer_product_equals_autograds(mixed) -> None:
    codes, groups = mixed.dataset.groups("race")
    z = mixed.x[:, :2]
    network = train_network(z, codes, len(groups), np.arange(len(z)) % 5 == 0, hidden=6, epochs=3, rng=rng())

    def logits(row: torch.Tensor) -> torch.Tensor:
        hidden = torch.tanh(row @ torch.from_numpy(network.hidden_weight) + torch.from_numpy(network.hidden_bias))
        scores = hidden @ torch.from_numpy(network.weight) + torch.from_numpy(network.bias)
        return scores - scores.mean()

    expected = np.zeros((2, 2))
    for row in torch.from_numpy(z[:40]):
        jacobian = torch.autograd.functional.jacobian(logits, row).numpy()
        expected += jacobian.T @ jacobian / 40
    np.testing.assert_allclose(network.mean_outer_product(network, z[:40]), expected, rtol=1e-10)
    np.testing.assert_allclose(network.probability(z[:1])[0], torch.softmax(logits(torch.from_numpy(z[0])), 0).numpy())


def test_the_same_seed_gives_the_same_bytes_and_torch_is_left_as_it_was(mixed) -> None:
    threads, state, gradients = torch.get_num_threads(), torch.get_rng_state(), torch.is_grad_enabled()
    with torch.no_grad():
        first = ProtectedStatus(epochs=4).fit(mixed, rng())
    torch.rand(3)
    torch.set_rng_state(state)
    second = ProtectedStatus(epochs=4).fit(mixed, rng())
    assert first.matrix.tobytes() == second.matrix.tobytes()
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.is_grad_enabled() == gradients
    third = ProtectedStatus(epochs=4).fit(mixed, np.random.default_rng(1))
    assert third.matrix.tobytes() != first.matrix.tobytes()


def test_training_stops_early_and_keeps_the_best_epoch(mixed) -> None:
    codes = np.random.default_rng(0).integers(2, size=len(mixed))
    stopping = np.arange(len(codes)) % 4 == 0
    network = train_network(mixed.x, codes, 2, stopping, hidden=16, epochs=500, rng=rng())
    assert network.epochs < 100


def test_a_group_too_small_to_split_is_refused(mixed) -> None:
    frame = mixed.dataset.frame.copy()
    frame.loc[:2, "race"] = "d"
    few = replace(mixed, dataset=replace(mixed.dataset, frame=frame))
    with pytest.raises(MetricError, match=r"'d' has 3 rows.*column 'race'"):
        ProtectedStatus(epochs=2).fit(few, rng())


def test_directions_that_shuffled_groups_respond_to_are_not_free(encode) -> None:
    """Only b tells the group. A share of .9 of the squared gradients freed 2.5 of six directions on average."""
    for seed in range(4):
        draw = np.random.default_rng(seed)
        x = draw.standard_normal((600, 6))
        group = np.where(draw.random(600) < 1 / (1 + np.exp(-1.5 * x[:, 1])), "f", "m")
        data = encode(pd.DataFrame(x, columns=list("abcdef")).assign(sex=group), tuple("abcdef"), ("sex",))
        metric = ProtectedStatus().fit(data, np.random.default_rng(seed))
        assert metric.found == len(metric.free) == 1
        assert principal_angles(metric.free, np.eye(6)[1:2]).max() < 25


def test_an_attribute_that_nothing_tells_frees_nothing_and_says_so(encode) -> None:
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(draw.standard_normal((400, 4)), columns=list("abcd")).assign(sex=["f", "m"] * 200)
    metric = ProtectedStatus(null_networks=19).fit(encode(frame, tuple("abcd"), ("sex",)), draw)
    assert metric.found == 0
    assert any("No direction is free for 'sex'" in notice.what for notice in metric.notices)
    assert len(ProtectedStatus(directions=1).fit(encode(frame, tuple("abcd"), ("sex",)), draw).free) == 1
