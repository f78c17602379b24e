"""Laws of the search: gradients, integrators, invariances, blocks, and what it leaves untouched."""

import copy
from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy.optimize import brentq
from torch import nn
from torchdiffeq import odeint

from core.audits.gradient_flow import fields, streaming
from core.audits.gradient_flow import perceptron as perceptron_field
from core.audits.gradient_flow.engine import SearchBench, field_for
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.tally import SearchedRows
from core.base.errors import AuditError, CancelledError, SettingsError
from core.base.progress import Progress, ignore_progress
from core.contracts.metric import FittedMetric
from core.metrics import Expert
from tests.core.audits.gradient_flow.cases import (
    all_but,
    ends,
    hidden_kind,
    metric_of,
    normal_rows,
    perceptron,
    published,
    reference,
    rows_of,
    search,
    settings,
)

BASIS = np.linalg.qr(np.random.default_rng(1).standard_normal((5, 2)))[0].T


@pytest.mark.parametrize("widths", [(5, 2), (5, 3), (5, 7, 2), (5, 7, 4), (5, 8, 6, 2), (5, 8, 6, 4, 3)])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("activation", [nn.ReLU, nn.Tanh, nn.Sigmoid, nn.ELU])
def test_the_written_out_gradient_equals_autograd(
    widths: tuple[int, ...], bias: bool, activation: type[nn.Module]
) -> None:
    module = perceptron(*widths, bias=bias, activation=activation)
    rows = normal_rows(50, 5, widths[-1])
    vectors = np.linalg.qr(np.random.default_rng(2).standard_normal((5, 5)))[0]
    z = torch.randn(5, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    answers = []
    for kind in (perceptron_field.PerceptronField, fields.AutogradField):
        block, out = kind(module, vectors, torch.float64).block(rows.x, rows.y), torch.zeros_like(z)
        push = torch.linspace(1, 2, 5, dtype=torch.float64)[:, None]
        for _ in range(2):
            block.evaluate(z)
        block.add_gradient(out, push)
        answers.append((out.numpy(), *(part.numpy() for part in block.answer())))
    for ours, oracle in zip(*answers, strict=True):
        np.testing.assert_allclose(ours, oracle, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_gradient_in_the_logits_equals_autograd_and_keeps_the_digits_of_tiny_losses(classes: int) -> None:
    logits = 3 * torch.randn(40, classes, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    y = torch.arange(40) % classes
    free = logits.clone().requires_grad_()
    (oracle,) = torch.autograd.grad(nn.functional.cross_entropy(free, y, reduction="sum"), free)
    np.testing.assert_allclose(fields.uphill(logits, y[:, None], 1), oracle, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(fields.uphill(logits.T, y[None], 0).T, oracle, rtol=1e-12, atol=1e-15)
    for true in range(2):
        sure = torch.full((1, classes), -60.0).double()
        sure[0, true] = 0.0
        share = np.exp(-60) / (1 + (classes - 1) * np.exp(-60))
        expected = np.full(classes, share)
        expected[true] = -(classes - 1) * share
        np.testing.assert_allclose(fields.uphill(sure, torch.tensor([[true]]), 1)[0], expected, rtol=1e-12)


def test_only_plain_perceptrons_take_the_fast_path() -> None:
    fast = perceptron(4, 6, 2)
    for module in (fast, nn.Sequential(fast, nn.Dropout(), nn.Identity(), nn.LogSoftmax(1)), nn.Linear(4, 2)):
        assert perceptron_field.linear_layers(module)
    hooked = perceptron(4, 6, 2)
    hooked[0].register_forward_hook(lambda module, inputs, output: output * 2)
    parts = list(fast)
    soft, bent = (nn.Sequential(parts[0], one, parts[2]) for one in (nn.GELU(), nn.ELU(alpha=0.5)))
    others = (soft, bent, hidden_kind(fast), hooked, nn.Sequential(*parts, nn.ReLU()))
    for module in (*others, nn.Sequential(parts[0], parts[2])):
        assert not perceptron_field.linear_layers(module)


def test_both_paths_find_the_same_ratios() -> None:
    module, rows = perceptron(5, 9, 6, 2), normal_rows(200, 5)
    fast, plain = (search(kind, rows, all_but(BASIS), steps=60) for kind in (module, hidden_kind(module)))
    np.testing.assert_allclose(fast.ratio, plain.ratio, rtol=1e-10)
    assert (fast.sums["wrong_end"] == plain.sums["wrong_end"]).all()


def test_a_logistic_model_in_free_directions_follows_its_closed_form() -> None:
    """The margin m of y obeys m' = -|w|² sigmoid(-m), so m + exp(m) falls at the rate |w|²."""
    weight = np.array([0.6, -0.4, 0.2, 0.0, 1.0])
    module = nn.Linear(5, 2).double()
    module.weight.data, module.bias.data = torch.from_numpy(np.stack([0 * weight, weight])), torch.zeros(2).double()
    rows = normal_rows(40, 5)
    found = search(module, rows, metric_of(np.zeros((5, 5))), steps=400, step_size=0.01, integrator="etd2rk")
    margin = np.where(rows.y == 1, 1, -1) * (rows.x @ weight)
    for m, ratio in zip(margin, found.ratio, strict=True):
        end = m + np.exp(m) - weight @ weight * 4.0
        solved = brentq(lambda m_t, end=end: m_t + np.exp(m_t) - end, -60, 60)
        assert ratio == pytest.approx(np.logaddexp(0, -solved) / np.logaddexp(0, -m), rel=1e-5)


@pytest.fixture(scope="module")
def smooth_truth() -> float:
    """S_n of a smooth model after a flow time of 2 with λ = 5, by torchdiffeq's dopri5."""
    module, rows, metric = smooth_case()
    matrix, strength, time = metric.matrix, 5.0, 2.0
    x0, y = torch.from_numpy(rows.x), torch.from_numpy(rows.y)
    sigma = torch.from_numpy(matrix)

    def velocity(_: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            loss = nn.functional.cross_entropy(module(x), y, reduction="sum")
            moved = x - x0
            objective = loss - strength * (moved @ sigma * moved).sum()
            return torch.autograd.grad(objective, x)[0]

    end = odeint(velocity, x0, torch.tensor([0.0, time], dtype=torch.float64), rtol=1e-8, atol=1e-9)[-1]
    losses = [nn.functional.cross_entropy(module(x), y, reduction="none") for x in (end, x0)]
    return float((losses[0] / losses[1]).mean())


def smooth_case() -> tuple[nn.Module, SearchedRows, FittedMetric]:
    return perceptron(5, 8, 2, activation=nn.Tanh), normal_rows(60, 5), all_but(BASIS)


@pytest.mark.parametrize(("integrator", "order"), [("euler", 1), ("etd1", 1), ("etd2rk", 2)])
def test_integrators_converge_to_the_flow_at_their_order(integrator: str, order: int, smooth_truth: float) -> None:
    module, rows, metric = smooth_case()
    errors = [
        abs(
            search(
                module, rows, metric, regularisation=5.0, steps=n, step_size=2.0 / n, integrator=integrator
            ).ratio.mean()
            - smooth_truth
        )
        for n in (40, 80, 160)
    ]
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert rates == pytest.approx([order, order], abs=0.25)


def test_the_search_by_default_errs_less_than_500_euler_steps_at_a_fifth_of_the_gradients(real_data) -> None:
    store = reference(real_data, "adult_51668.npz")
    rows, module = rows_of(store["x"], store["y"]), published("baseline", store)
    truth, euler, etd = (
        search(module, rows, all_but(store["basis"]), integrator=integrator, steps=n, step_size=5.0 / n).ratio.mean()
        for integrator, n in (("etd2rk", 1000), ("euler", 500), ("etd2rk", 50))
    )
    assert abs(etd - truth) < abs(euler - truth)
    begun = GradientFlow(metric=Expert())
    assert (begun.integrator, begun.steps, begun.step_size) == ("etd2rk", 50, 0.1)
    assert SearchBench.of(begun, module).gradients == 100


def test_equal_flow_times_agree_whatever_the_number_of_steps(real_data) -> None:
    """statistics.md, section 1: 1000 steps of 0.005 and 500 of 0.01 agree to 0.1%."""
    store = reference(real_data, "adult_51668.npz")
    one, other = (store[f"baseline_ratio_{name}_f64"].mean() for name in ("lr0.005_T1000", "lr0.01_T500"))
    rows = rows_of(store["x"], store["y"])
    ours = search(published("baseline", store), rows, all_but(store["basis"]), steps=1000, step_size=0.005)
    assert ours.ratio.mean() == pytest.approx(one, rel=1e-9)
    assert ours.ratio.mean() == pytest.approx(other, rel=1e-3)


@pytest.mark.parametrize("integrator", ["etd1", "etd2rk"])
def test_with_everything_held_ever_harder_ratios_go_to_one(integrator: str) -> None:
    rows, module = normal_rows(80, 5), perceptron(5, 8, 2)
    gaps = [
        np.abs(
            search(module, rows, metric_of(np.eye(5)), regularisation=strength, integrator=integrator).ratio - 1
        ).max()
        for strength in (1e2, 1e4, 1e6)
    ]
    assert gaps[0] > 10 * gaps[1] > 100 * gaps[2]
    assert gaps[2] < 1e-4


def test_a_model_blind_to_the_free_directions_keeps_every_loss() -> None:
    module = perceptron(5, 8, 2)
    module[0].weight.data = module[0].weight @ torch.from_numpy(np.eye(5) - BASIS.T @ BASIS)
    found = search(module, normal_rows(80, 5), all_but(BASIS), regularisation=1e6, integrator="etd2rk")
    np.testing.assert_allclose(found.ratio, 1.0, atol=1e-4)
    end = ends(module, normal_rows(80, 5), all_but(BASIS), regularisation=1e6, integrator="etd2rk")
    assert np.abs(end @ BASIS.T - normal_rows(80, 5).x @ BASIS.T).max() < 1e-12


def test_the_order_of_rows_changes_nothing() -> None:
    rows, module = normal_rows(150, 5), perceptron(5, 8, 2)
    order = np.random.default_rng(4).permutation(150)
    straight, mixed = (search(module, part, all_but(BASIS), steps=50) for part in (rows, rows.take(order)))
    np.testing.assert_allclose(mixed.ratio, straight.ratio[order], rtol=1e-12)
    for name, values in straight.sums.items():
        np.testing.assert_allclose(mixed.sums[name], values, rtol=1e-9, atol=1e-9)
    ended, moved = (ends(module, part, all_but(BASIS), steps=50) for part in (rows, rows.take(order)))
    np.testing.assert_allclose(moved, ended[order], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("wrap", [lambda module: module, hidden_kind])
def test_blocks_of_rows_add_up_to_one_block(monkeypatch: pytest.MonkeyPatch, wrap) -> None:
    rows, module = normal_rows(333, 5), wrap(perceptron(5, 8, 3))
    whole = search(module, rows, all_but(BASIS), steps=40)
    monkeypatch.setattr(streaming, "BLOCK_ROWS", 50)
    blocks = search(module, rows, all_but(BASIS), steps=40)
    np.testing.assert_allclose(blocks.ratio, whole.ratio, rtol=1e-12)
    for name, values in whole.sums.items():
        np.testing.assert_allclose(blocks.sums[name], values, rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("rows", [1, 4607, 4608, 4609, 9045, 900_000])
def test_blocks_cover_every_row_once_and_come_in_pairs(rows: int) -> None:
    blocks = streaming.split(rows)
    assert blocks[0][0] == 0
    assert blocks[-1][1] == rows
    assert all(end == start for (_, end), (start, _) in pairwise(blocks))
    assert max(end - start for start, end in blocks) <= streaming.BLOCK_ROWS
    assert len(blocks) == 1 or len(blocks) % 2 == 0


def test_the_number_of_threads_changes_no_bit_and_is_put_back() -> None:
    rows, module = normal_rows(5000, 5), perceptron(5, 8, 2)
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            found.append(search(module, rows, all_but(BASIS), steps=20, precision="float32"))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert found[0].ratio.tobytes() == found[1].ratio.tobytes()
    assert all(found[0].sums[name].tobytes() == found[1].sums[name].tobytes() for name in found[0].sums)


@pytest.mark.parametrize("wrap", [lambda module: module, hidden_kind])
def test_the_model_is_left_as_it_was(wrap) -> None:
    module = wrap(perceptron(5, 8, 2).float())
    module.train().requires_grad_(True)
    before = copy.deepcopy(module.state_dict())
    search(module, normal_rows(60, 5), all_but(BASIS), steps=10)
    assert module.training
    assert all(parameter.requires_grad and parameter.grad is None for parameter in module.parameters())
    assert all(parameter.dtype == torch.float32 for parameter in module.parameters())
    assert all((before[name] == value).all() for name, value in module.state_dict().items())
    assert torch.is_grad_enabled()


def test_progress_rises_to_one_and_a_raise_from_it_stops_the_search() -> None:
    rows, module = normal_rows(9000, 5), perceptron(5, 8, 2)
    bench, seen = SearchBench.of(settings(steps=50), module), []
    bench.search(rows, all_but(BASIS), seen.append)
    done = [report.done for report in seen]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(1.0)

    def stop(progress: Progress) -> None:
        raise CancelledError("Stopped.")

    before = torch.get_num_threads()
    with pytest.raises(CancelledError):
        SearchBench.of(settings(steps=20_000), module).search(rows, all_but(BASIS), stop)
    assert torch.get_num_threads() == before


def test_unstable_steps_are_refused_with_the_largest_stable_step() -> None:
    """statistics.md: at κ = 2.40 every ratio is finite and zero, which would read as fair."""
    rows, module, metric = normal_rows(50, 5), perceptron(5, 8, 2), all_but(BASIS)
    with pytest.raises(SettingsError, match="ETD2RK") as refused:
        search(module, rows, metric, regularisation=60.0, step_size=0.02)
    assert "below 0.0167 is stable" in refused.value.advice
    with pytest.raises(SettingsError):
        search(module, rows, metric, regularisation=50.0, step_size=0.02)
    for integrator in ("etd1", "etd2rk"):
        search(module, rows, metric, regularisation=6e4, step_size=0.02, steps=5, integrator=integrator)


class Explodes(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        z = (x**3).sum(1)
        return torch.stack([torch.zeros_like(z), z], dim=1)


def test_a_diverged_search_is_an_error_and_never_a_result() -> None:
    rows = normal_rows(40, 5)
    with pytest.raises(AuditError, match="diverged in"):
        search(Explodes(), rows, metric_of(np.zeros((5, 5))), steps=200, step_size=5.0)


def test_a_loss_of_zero_is_refused_unless_a_floor_is_set() -> None:
    module = nn.Linear(5, 2).double()
    module.weight.data, module.bias.data = torch.zeros(2, 5).double(), torch.tensor([0.0, 1e4]).double()
    module.weight.data[1, 0] = 1.0
    x = np.zeros((40, 5))
    rows = rows_of(x, np.arange(40) % 4 > 0)
    with pytest.raises(AuditError, match="30 of 40 rows") as refused:
        search(module, rows, metric_of(np.eye(5)), steps=3)
    assert "row 2" in refused.value.where
    found = search(module, rows, metric_of(np.eye(5)), steps=3, loss_floor=1e-3)
    assert found.sums["floored_end"][0] == 30
    assert np.isfinite(found.ratio).all()


def test_a_model_without_gradients_is_refused() -> None:
    class Steps(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return nn.functional.one_hot((x[:, 0] > 0).long(), 2).double()

    with pytest.raises(AuditError, match="differentiable"):
        search(Steps(), normal_rows(40, 5), metric_of(np.eye(5)), steps=3)


def test_tiny_losses_keep_their_digits() -> None:
    """A loss of 1e-20 is lost by log(1 - 1e-20) and by log-softmax, and kept by softplus of the log-odds."""
    field = field_for(perceptron(5, 4, 2), metric_of(np.eye(5)), settings(precision="float64"))
    assert field.answer(np.zeros((1, 5)), np.zeros(1, dtype=np.int64))[0].dtype == np.float64
    odds, wrong = fields.against(torch.tensor([[46.0], [0.0], [-1.0]]).double(), torch.tensor([0]))
    assert np.logaddexp(0, odds.numpy())[0] == pytest.approx(np.exp(-46) * (1 + np.exp(-1)), rel=1e-12)
    assert not wrong.any()


def test_ties_are_read_as_argmax_reads_them() -> None:
    field = perceptron_field.PerceptronField(perceptron(3, 4, 2, bias=False), np.eye(3), torch.float64)
    y = np.array([0, 1])
    block, z = field.block(np.zeros((2, 3)), y), torch.zeros(3, 2, dtype=torch.float64)
    block.evaluate(z)
    assert block.answer()[1].tolist() == [False, True]
    assert field.answer(np.zeros((2, 3)), y)[1].tolist() == [False, True]


def test_a_search_that_is_not_watched_runs_too() -> None:
    SearchBench.of(settings(steps=2), perceptron(5, 4, 2)).search(normal_rows(10, 5), all_but(BASIS), ignore_progress)
