"""The parts of fitting against NumPy, SciPy and scikit-learn, and what every method promises."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from fairlearn.postprocessing import ThresholdOptimizer
from scipy.stats import chi2_contingency
from sklearn.linear_model import LinearRegression, LogisticRegression

from core.base.errors import AuditError, CancelledError, SettingsError
from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset
from core.data.encoder import Encoder, NumericColumn
from core.data.roles import Roles
from core.models.formats.safetensors.source import TorchMLP, mlp_bytes
from core.workflows.mitigation.baseline import fit_baseline
from core.workflows.mitigation.descent import Tensors, error
from core.workflows.mitigation.fair_dummies import covariances, discriminator, dummies_of, told_apart, within_classes
from core.workflows.mitigation.fitting import answers_about, fit
from core.workflows.mitigation.graph import laplacian, unlike
from core.workflows.mitigation.hgr import _kernels, chi_square, divergence
from core.workflows.mitigation.networks import Fitted, Training, finished, network, started
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.reductions import Lottery
from core.workflows.mitigation.reweighing import weights_of
from core.workflows.mitigation.settings import (
    AdversarialPenalty,
    Base,
    FairDummiesPenalty,
    HGRPenalty,
    Method,
    Projection,
    Reductions,
    Reweighing,
    SenSR,
    Smoothing,
    Thresholds,
)
from core.workflows.mitigation.similar import Attack

LINEAR = Base()
SMALL_NETWORK = Base(kind="network", width=8, epochs=2)


def two_slopes(n: int, seed: int, share: float = 0.3) -> PreparedRows:
    """Section 1.1, with a larger minority so that few rows suffice."""
    rng = np.random.default_rng(seed)
    codes = (rng.random(n) < share).astype(np.int64)
    x = rng.standard_normal((n, 2)) * np.where(codes[:, None] == 0, [1.0, 3.0], [3.0, 1.0])
    y = 3 * np.where(codes == 0, x[:, 1], x[:, 0]) + rng.standard_normal(n)
    return PreparedRows(x, y, codes, 0, 2)


def classes(n: int, seed: int, k: int = 2) -> PreparedRows:
    """The second column gives the group away; outcomes follow the first."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, n)
    x = np.column_stack([rng.standard_normal(n), codes + 0.3 * rng.standard_normal(n)])
    score = x[:, 0] + 1.5 * codes + 0.5 * rng.standard_normal(n)
    y = np.digitize(score, np.quantile(score, np.arange(1, k) / k)).astype(np.int64)
    return PreparedRows(x, y, codes, k, 2)


def baseline(rows: PreparedRows, base: Base = LINEAR):
    return fit_baseline(rows, base, 0, ignore_progress, "baseline")


def slopes(fitted) -> np.ndarray:
    return fitted.module[0].weight.numpy()[0]


def test_dummies_of_classes_are_permutations_within_the_classes() -> None:
    rows = classes(300, 0, k=3)
    drawn = rows.codes[dummies_of(rows).draw(np.random.default_rng(1))]
    assert (drawn != rows.codes).any()
    for label in range(3):
        assert drawn[rows.y == label].sum() == rows.codes[rows.y == label].sum()


def test_dummies_of_numbers_follow_the_probability_of_the_group_given_the_outcome() -> None:
    """P(A = 1 | Y) is known here: both groups normal with means 0 and 1.5, half and half."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 2, 4_000)
    y = rng.standard_normal(4_000) + 1.5 * codes
    rows = PreparedRows(np.zeros((4_000, 1)), y, codes, 0, 2)
    dummies = dummies_of(rows)
    drawn = np.mean([codes[dummies.draw(rng)] for _ in range(200)], axis=0)
    known = 1 / (1 + np.exp(-(1.5 * y - 1.5**2 / 2)))
    assert np.abs(drawn - known).mean() < 0.04


def test_indicators_are_standardised_by_the_shares_of_the_training_rows() -> None:
    rows = two_slopes(500, 0)
    assert rows.indicators.shape == (500, 1)
    assert rows.indicators.mean() == pytest.approx(0, abs=1e-12)
    assert rows.indicators.std() == pytest.approx(1)
    three = PreparedRows(rows.x, rows.y, np.arange(500) % 3, 0, 3)
    assert three.indicators.shape == (500, 3)
    np.testing.assert_allclose(three.indicators.std(axis=0), 1)


def test_the_covariance_penalty_is_the_text_s_with_both_sides_centred() -> None:
    rng = np.random.default_rng(3)
    answers, true, fake = rng.standard_normal((50, 2)), rng.standard_normal((50, 1)), rng.standard_normal((50, 1))
    cov = [np.cov(np.column_stack([answers, one]).T, bias=True)[:2, 2] for one in (true, fake)]
    expected = ((cov[0] - cov[1]) ** 2).sum()
    numbers = torch.tensor(rng.standard_normal((50, 1)))
    found = covariances(torch.tensor(answers), torch.tensor(true - fake), numbers)
    assert float(found) == pytest.approx(expected)
    moved = covariances(torch.tensor(answers) + 7, torch.tensor(true - fake) - 3, numbers)
    assert float(moved) == pytest.approx(expected)


def test_within_classes_opposite_covariances_do_not_cancel() -> None:
    """Groups differ by +2 in one class and by -2 in the other; of three classes one is empty."""
    rng = np.random.default_rng(14)
    y, codes = np.arange(40) % 2, np.arange(40) // 20
    answers = rng.standard_normal((40, 2)) + np.where(y == 0, 2, -2)[:, None] * codes[:, None]
    differences = rng.standard_normal((40, 1)) * 0.1 + codes[:, None]
    expected = 0.0
    for label in (0, 1):
        both = np.column_stack([answers, differences])[y == label]
        expected += 0.5 * (np.cov(both.T, bias=True)[:2, 2] ** 2).sum()
    found = covariances(torch.tensor(answers), torch.tensor(differences), torch.tensor(np.eye(3)[y]))
    assert float(found) == pytest.approx(expected)
    assert float(found) > 10 * float(
        covariances(torch.tensor(answers), torch.tensor(differences), torch.zeros((40, 1), dtype=torch.float64))
    )


def test_answers_are_standardised_within_classes_whatever_their_scale() -> None:
    rng = np.random.default_rng(15)
    y = np.arange(60) % 2
    answers = torch.tensor(rng.random((60, 3)) + 5 * y[:, None])
    targets = torch.tensor(np.eye(3)[y])
    seen = within_classes(answers, targets).numpy()
    for label in (0, 1):
        np.testing.assert_allclose(seen[y == label].mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(seen[y == label].std(axis=0), 1, rtol=2e-3)
    smaller = within_classes(answers / 3 - 1, targets).numpy()
    np.testing.assert_allclose(smaller, seen, rtol=1e-2)
    assert np.abs(within_classes(answers * 1e-5, targets).numpy()).max() < 0.01


def test_the_discriminator_s_loss_is_line_3_of_algorithm_1() -> None:
    """And with true and fake exchanged it is the last term of line 4."""
    rng = np.random.default_rng(4)
    judge = discriminator(3)
    answers, true, fake, y = (torch.tensor(rng.standard_normal((40, 1)), dtype=torch.float32) for _ in range(4))
    with torch.no_grad():
        d = [torch.sigmoid(judge(torch.cat([answers, one, y], dim=1))).double() for one in (true, fake)]
        line_3 = -(torch.log(d[0]) + torch.log(1 - d[1])).mean()
        line_4 = -(torch.log(d[1]) + torch.log(1 - d[0])).mean()
        assert float(told_apart(judge, answers, true, fake, y)) == pytest.approx(float(line_3), rel=1e-5)
        assert float(told_apart(judge, answers, fake, true, y)) == pytest.approx(float(line_4), rel=1e-5)


def test_the_chi_square_divergence_is_that_of_the_contingency_table() -> None:
    table = np.array([[10.0, 3.0, 7.0], [2.0, 9.0, 4.0]])
    expected = chi2_contingency(table, correction=False).statistic / table.sum()
    assert float(divergence(torch.tensor(table))) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["number", "classes"])
def test_hgr_s_bound_is_small_under_equalized_odds_and_large_without(kind: str) -> None:
    rng = np.random.default_rng(5)
    n = 2_000
    members = torch.nn.functional.one_hot(torch.tensor(rng.integers(0, 2, n)), 2).double()
    if kind == "number":
        targets = torch.tensor(rng.standard_normal((n, 1)))
        answers = targets + torch.tensor(rng.standard_normal((n, 1)))
    else:
        targets = torch.nn.functional.one_hot(torch.tensor(rng.integers(0, 3, n)), 3).double()
        answers = (targets + torch.tensor(rng.standard_normal((n, 3)))).softmax(dim=1)
    fair = float(chi_square(answers, targets, members))
    unfair = float(chi_square(answers + 3 * members[:, :1], targets, members))
    assert 0 <= fair < 0.03
    assert unfair > 0.3


def test_a_finished_model_answers_in_the_outcome_s_units_and_can_be_taken_up_again() -> None:
    rows = two_slopes(100, 1)
    module = network(2, 1, 4)
    kept = finished(module, rows)
    with torch.no_grad():
        raw = module(torch.tensor(rows.x, dtype=torch.float32))[:, 0].numpy()
        again = started(kept, rows)(torch.tensor(rows.x, dtype=torch.float32))[:, 0].numpy()
    np.testing.assert_allclose(kept.answers(rows.x), raw * rows.y.std() + rows.y.mean(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(again, raw, atol=1e-5)


def test_plain_linear_models_are_least_squares_and_logistic_regression() -> None:
    rows = two_slopes(400, 2)
    expected = LinearRegression().fit(rows.x, rows.y).predict(rows.x)
    np.testing.assert_allclose(baseline(rows).answers(rows.x), expected)
    for k in (2, 3):
        rows = classes(400, 3, k)
        logistic = LogisticRegression(max_iter=2_000).fit(rows.x, rows.y).predict_proba(rows.x)
        np.testing.assert_allclose(baseline(rows).answers(rows.x), logistic, atol=1e-12)


@pytest.mark.parametrize(
    ("method", "strength"),
    [
        (FairDummiesPenalty(epochs=40, batch=500, learning_rate=0.02), 0.9),
        (HGRPenalty(epochs=40, batch=500, learning_rate=0.02), 0.9),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_every_penalty_turns_two_slopes_towards_equal_ones(method: Method, strength: float) -> None:
    """By symmetry equalized odds holds for equal slopes; least squares favours the column of the majority."""
    rows, fresh = two_slopes(1_000, 6), two_slopes(4_000, 7)
    unfair = baseline(rows)
    fair = fit(method, Training(rows, unfair, strength, LINEAR, 1))

    def ratio(model) -> float:
        squares = (model.answers(fresh.x) - fresh.y) ** 2
        return float(squares[fresh.codes == 1].mean() / squares[fresh.codes == 0].mean())

    assert ratio(unfair) > 1.8
    assert abs(math.log(ratio(fair))) < 0.5 * math.log(ratio(unfair))


def test_adversarial_debiasing_narrows_the_gap_within_classes() -> None:
    """The group can be read from the second column, which the baseline uses and the fairer one may hardly."""
    rows, fresh = classes(1_500, 15), classes(4_000, 16)
    unfair = baseline(rows)
    method = AdversarialPenalty(epochs=20, batch=250, learning_rate=0.02)
    fair = fit(method, Training(rows, unfair, 0.7, LINEAR, 1))

    def gap(model) -> float:
        yes = model.answers(fresh.x)[:, 1]
        means = [[yes[(fresh.y == label) & (fresh.codes == group)].mean() for group in (0, 1)] for label in (0, 1)]
        return float(np.abs(np.diff(means)).max())

    assert gap(unfair) > 0.1
    assert gap(fair) < 0.5 * gap(unfair)


def test_the_same_seed_gives_the_same_weights_and_torch_is_left_as_it_was() -> None:
    rows = two_slopes(200, 8)
    start = baseline(rows)
    before = torch.get_rng_state()
    method = FairDummiesPenalty(epochs=3, batch=100)
    found = [slopes(fit(method, Training(rows, start, 0.7, LINEAR, seed))) for seed in (1, 1, 2)]
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()
    assert (torch.get_rng_state() == before).all()
    assert (slopes(start) == slopes(baseline(rows))).all()


@pytest.mark.parametrize("method", [FairDummiesPenalty(epochs=2), AdversarialPenalty(epochs=2), HGRPenalty(epochs=2)])
@pytest.mark.parametrize("k", [0, 2, 3])
def test_networks_are_fitted_to_every_kind_of_outcome(method: Method, k: int) -> None:
    rows = classes(200, 9, k) if k else two_slopes(200, 9)
    start = baseline(rows, SMALL_NETWORK)
    answers = fit(method, Training(rows, start, 0.5, SMALL_NETWORK, 0)).answers(rows.x)
    assert answers.shape == ((200, k) if k else (200,))
    assert np.isfinite(answers).all()
    assert (answers != start.answers(rows.x)).any()


def test_reductions_shrink_the_differences_of_both_rates_by_a_lottery() -> None:
    """At λ = 0.8 a fifth of the baseline's violation is allowed, up to fairlearn's own tolerance of 0.01."""
    rows = classes(1_500, 10)
    start = baseline(rows)

    def violation(yes: np.ndarray) -> float:
        return max(
            abs(yes[(rows.y == label) & (rows.codes == 0)].mean() - yes[(rows.y == label) & (rows.codes == 1)].mean())
            for label in (0, 1)
        )

    fair = fit(Reductions(iterations=20), Training(rows, start, 0.8, LINEAR, 0))
    assert isinstance(fair, Lottery)
    answers = fair.answers(rows.x)
    np.testing.assert_allclose(answers.sum(axis=1), 1)
    unfair = violation(start.answers(rows.x).argmax(axis=1))
    assert unfair > 0.1
    assert violation(answers[:, 1]) < 0.2 * unfair + 0.04


def test_reductions_of_numbers_bound_the_error_of_every_group() -> None:
    rows = two_slopes(1_000, 11)
    start = baseline(rows)

    def errors(model) -> list[float]:
        squares = (model.answers(rows.x) - rows.y) ** 2
        return [float(squares[rows.codes == group].mean()) for group in (0, 1)]

    fair = fit(Reductions(iterations=20), Training(rows, start, 0.5, LINEAR, 0))
    everybody = float(((start.answers(rows.x) - rows.y) ** 2).mean())
    assert max(errors(fair)) <= (0.5 * everybody + 0.5 * max(errors(start))) * 1.02 < max(errors(start))


def test_reductions_refuse_more_than_two_classes() -> None:
    rows = classes(200, 12, k=3)
    with pytest.raises(SettingsError, match="two classes"):
        fit(Reductions(), Training(rows, baseline(rows), 0.5, LINEAR, 0))


def test_a_diverging_training_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = two_slopes(100, 13)
    broken = PreparedRows(np.where(np.arange(100)[:, None] == 0, 1e30, rows.x), rows.y, rows.codes, 0, 2)
    with pytest.raises(AuditError, match="diverged"):
        fit(HGRPenalty(epochs=2), Training(broken, baseline(rows), 0.5, LINEAR, 0))


@pytest.mark.parametrize("method", [FairDummiesPenalty(), AdversarialPenalty(), HGRPenalty(), Reductions()])
def test_every_method_can_be_cancelled(method: Method) -> None:
    rows = two_slopes(200, 14)

    def stop(told: Progress) -> None:
        if told.done > 0:
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        fit(method, Training(rows, baseline(rows), 0.5, LINEAR, 0, stop))


def metric_of(rows: PreparedRows) -> FittedMetric:
    """The second column, which gives the group away, may differ freely."""
    return FittedMetric("known", ("a", "b"), np.diag([1.0, 0.0]), np.array([[0.0, 1.0]]), np.empty(0))


def similar_training(rows: PreparedRows, strength: float, base: Base = LINEAR) -> Training:
    return Training(rows, baseline(rows, base), strength, base, 0, metric=metric_of(rows))


def test_a_projected_model_is_the_baseline_of_projected_columns() -> None:
    rows = classes(400, 3)
    found = fit(Projection(), similar_training(rows, 0.999999))
    blind = replace(rows, x=rows.x * [1.0, 0.0])
    np.testing.assert_allclose(found.answers(rows.x), baseline(blind).answers(blind.x), atol=1e-4)
    assert np.abs(found.answers(rows.x) - found.answers(blind.x)).max() < 1e-4


@pytest.mark.parametrize("method", [Projection(), Smoothing(), SenSR(steps=1, learning_rate=1e-12)])
@pytest.mark.parametrize("base", [LINEAR, SMALL_NETWORK])
def test_without_weight_similar_people_change_nothing(method: Method, base: Base) -> None:
    rows = classes(300, 4)
    found = fit(method, similar_training(rows, 0.0, base))
    np.testing.assert_allclose(found.answers(rows.x), baseline(rows, base).answers(rows.x), atol=1e-5)


def test_sensr_moves_people_where_the_model_does_worse_within_its_budget() -> None:
    rows = classes(300, 5)
    model, data = started(baseline(rows), rows), Tensors.of(rows)
    metric = metric_of(rows)
    attack = Attack(SenSR(budget=0.05), torch.tensor(metric.free).float(), torch.tensor(metric.matrix).float(), 2)
    for _ in range(12):
        moved = attack(model, data.x, data.targets)
    assert error(model(moved), data.targets, 2) > error(model(data.x), data.targets, 2)
    assert float(attack.squared(moved - data.x).mean()) < 0.1


def test_sensr_makes_a_model_robust_to_what_may_differ() -> None:
    rows = classes(300, 6)
    plain, robust = baseline(rows), fit(SenSR(steps=100, learning_rate=2e-2), similar_training(rows, 0.9))
    swapped = rows.x + np.array([0.0, 1.0])
    changes = [np.abs(one.answers(rows.x) - one.answers(swapped)).mean() for one in (plain, robust)]
    assert changes[1] < 0.3 * changes[0]


def test_smoothed_answers_solve_the_dense_system() -> None:
    """Petersen et al. (2021): (I + μ L) f = ŷ, with L built pair by pair."""
    rows = classes(80, 7)
    found = fit(Smoothing(neighbours=5), similar_training(rows, 0.8))
    z = rows.x[:, 0]
    squared = (z[:, None] - z[None, :]) ** 2
    np.fill_diagonal(squared, np.inf)
    near = np.argsort(squared, axis=1, kind="stable")[:, :5]
    joined = np.zeros_like(squared, dtype=bool)
    np.put_along_axis(joined, near, True, axis=1)
    weights = np.where(joined, np.exp(-squared / squared[joined].mean()), 0.0)
    weights = np.maximum(weights, weights.T)
    dense = np.diag(weights.sum(axis=1)) - weights
    dense /= weights.sum(axis=1).mean()
    expected = np.linalg.solve(np.eye(80) + 4.0 * dense, baseline(rows).answers(rows.x))
    np.testing.assert_allclose(found.answers(rows.x), expected, atol=1e-10)


def test_more_smoothing_never_leaves_similar_people_further_apart() -> None:
    rows = classes(200, 8)
    graph = laplacian(rows.x, metric_of(rows), 20)
    roughness = []
    for strength in (0.0, 0.3, 0.6, 0.9):
        answers = fit(Smoothing(), similar_training(rows, strength)).answers(rows.x)
        np.testing.assert_allclose(answers.sum(axis=1), 1.0)
        assert (answers >= 0).all()
        roughness.append(float(np.einsum("nk,nk->", answers, graph @ answers)))
    assert roughness == sorted(roughness, reverse=True)


def test_people_who_are_answered_alike_do_not_differ() -> None:
    x = np.array([[0.0, 5.0], [0.1, -5.0], [4.0, 0.0], [4.1, 9.0]])
    metric = metric_of(classes(10, 0))
    assert unlike(np.array([1.0, 1.0, 3.0, 3.0]), x, metric) == 0
    assert unlike(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.5, 0.5]]), x, metric) == 0.5


def test_a_mixture_answers_the_mean_of_the_lottery_s_models_and_so_does_its_file(tmp_path: Path) -> None:
    rows = classes(400, 9)
    drawn = fit(Reductions(iterations=12), Training(rows, baseline(rows), 0.9, LINEAR, 0))
    mean = fit(Reductions(iterations=12, answers="mixture"), Training(rows, baseline(rows), 0.9, LINEAR, 0))
    assert isinstance(drawn, Lottery)
    assert isinstance(mean, Fitted)
    each = 1 / (1 + np.exp(-(rows.x @ drawn.coefficients.T + drawn.intercepts)))
    np.testing.assert_allclose(mean.answers(rows.x)[:, 1], each @ drawn.weights, atol=1e-12)
    frame = pd.DataFrame(rows.x, columns=["a", "b"]).assign(y=np.where(rows.y == 1, "yes", "no"))
    roles = Roles(outcome="y", favourable="yes", protected=("a",), features=("a", "b"))
    dataset = Dataset.build(frame, roles)
    encoder = Encoder(columns=tuple(NumericColumn(name=name, mean=0.0, scale=1.0) for name in ("a", "b")))
    files = FileStore(tmp_path)
    file = files.put(mlp_bytes(mean.module, encoder=encoder, classes=("no", "yes")), "mixture.safetensors")
    loaded = TorchMLP(file=file).load(files, dataset)
    np.testing.assert_allclose(loaded.predict_proba(loaded.encode(dataset)), mean.answers(rows.x), atol=1e-12)


def test_reweighing_is_logistic_regression_with_the_published_weights() -> None:
    """Kamiran and Calders (2012), equation 3: |a| |y| / (n |a, y|), by pandas."""
    rows = classes(500, 17, 3)
    counts = pd.crosstab(rows.codes, rows.y).to_numpy()
    weights = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / 500 / counts
    expected = LogisticRegression(max_iter=2_000).fit(rows.x, rows.y, weights[rows.codes, rows.y])
    found = fit(Reweighing(), Training(rows, baseline(rows), 1.0, LINEAR, 0))
    np.testing.assert_allclose(found.answers(rows.x), expected.predict_proba(rows.x), atol=1e-10)
    numbers = two_slopes(100, 0)
    with pytest.raises(SettingsError, match="a number"):
        fit(Reweighing(), Training(numbers, baseline(numbers), 0.5, LINEAR, 0))


def test_weights_make_outcome_and_group_independent_and_little_by_little() -> None:
    rows = classes(400, 18)
    apart = []
    for strength in (0.0, 0.3, 0.7, 1.0):
        weights = weights_of(rows, strength)
        assert weights.mean() == pytest.approx(1)
        rates = [np.average(rows.y[rows.codes == group], weights=weights[rows.codes == group]) for group in (0, 1)]
        apart.append(rates[1] - rates[0])
    assert apart == sorted(apart, reverse=True)
    assert apart[-1] == pytest.approx(0, abs=1e-12)
    assert (weights_of(rows, 0.0) == 1).all()


@pytest.mark.parametrize("base", [LINEAR, SMALL_NETWORK])
def test_without_weight_reweighing_is_the_baseline(base: Base) -> None:
    rows = classes(300, 19)
    start = baseline(rows, base)
    found = fit(Reweighing(), Training(rows, start, 0.0, base, 0))
    np.testing.assert_allclose(found.answers(rows.x), start.answers(rows.x), atol=1e-7)


def test_thresholds_are_fairlearn_s_and_both_rates_agree() -> None:
    """Their own probabilities, of a model of their own; half the weight leaves half of the difference."""
    rows = classes(1_500, 20)
    start = baseline(rows)
    scores = start.answers(rows.x)[:, 1:]
    theirs = ThresholdOptimizer(
        estimator=LogisticRegression().fit(rows.x, rows.y), constraints="equalized_odds", prefit=True,
        predict_method="predict_proba",
    )  # fmt: skip
    theirs.fit(rows.x, rows.y, sensitive_features=rows.codes)
    expected = theirs._pmf_predict(rows.x, sensitive_features=rows.codes)
    known = LogisticRegression(max_iter=2_000).fit(rows.x, rows.y)
    np.testing.assert_allclose(scores[:, 0], known.predict_proba(rows.x)[:, 1], atol=1e-12)
    own = {strength: answered(rows, start, strength) for strength in (0.0, 0.5, 1.0)}
    np.testing.assert_allclose(own[1.0], expected, atol=0.02)
    assert (own[0.0].argmax(axis=1) == start.answers(rows.x).argmax(axis=1)).all()
    plain, half, fair = (rates_apart(rows, own[strength][:, 1]) for strength in (0.0, 0.5, 1.0))
    np.testing.assert_allclose(half, (plain + fair) / 2)
    assert np.abs(plain).max() > 0.1
    assert np.abs(fair).max() < 0.005
    three = classes(100, 0, 3)
    with pytest.raises(SettingsError, match="two classes"):
        fit(Thresholds(), Training(three, baseline(three), 0.5, LINEAR, 0))


def answered(rows: PreparedRows, start: Fitted, strength: float) -> np.ndarray:
    return answers_about(fit(Thresholds(), Training(rows, start, strength, LINEAR, 0)), rows)


def rates_apart(rows: PreparedRows, yes: np.ndarray) -> np.ndarray:
    """Difference of the groups' rates of positive answers among those of each outcome, shape (2,)."""
    each = [[yes[(rows.y == label) & (rows.codes == group)].mean() for label in (0, 1)] for group in (0, 1)]
    return np.diff(each, axis=0)[0]


def aged(n: int, seed: int, k: int = 0) -> PreparedRows:
    """People of every age; outcomes follow the first column, answers would follow the second, which tells the age."""
    rng = np.random.default_rng(seed)
    ages = rng.uniform(20, 80, n)
    x = np.column_stack([rng.standard_normal(n), (ages - 50) / 17 + 0.3 * rng.standard_normal(n)])
    y = x[:, 0] + 0.9 * x[:, 1] + 0.5 * rng.standard_normal(n)
    y = np.digitize(y, np.quantile(y, np.arange(1, k) / k)).astype(np.int64) if k else y
    return PreparedRows(x, y, np.digitize(ages, [35, 50, 65]), k, 4, values=ages)


def test_dummies_of_a_number_are_drawn_given_the_outcome() -> None:
    """In a class it is a permutation; given a number, normal with it, the mean is what the regression says."""
    rows, rng = aged(600, 1, 3), np.random.default_rng(0)
    drawn = rows.values[dummies_of(rows).draw(rng)]
    for label in range(3):
        np.testing.assert_array_equal(np.sort(drawn[rows.y == label]), np.sort(rows.values[rows.y == label]))
    y = rng.standard_normal(4_000)
    values = 0.8 * y + 0.6 * rng.standard_normal(4_000)
    rows = PreparedRows(np.zeros((4_000, 1)), y, np.digitize(values, [0.0]), 0, 2, values=values)
    dummies = dummies_of(rows)
    drawn = np.mean([values[dummies.draw(rng)] for _ in range(100)], axis=0)
    inside = np.abs(y) < 1.5
    assert np.abs(drawn - 0.8 * y)[inside].mean() < 0.1


def test_the_chi_square_of_two_normal_numbers_is_the_known_one() -> None:
    """Of correlation r it is r² / (1 - r²); kernels of width h make it that of r / (1 + h²)."""
    rng = np.random.default_rng(2)
    one = rng.standard_normal(4_000)
    other = 0.6 * one + 0.8 * rng.standard_normal(4_000)
    members = _kernels(torch.tensor(other), 1)
    answers = torch.tensor(one)[:, None]
    found = float(divergence(_kernels(answers[:, 0], 1).T @ members))
    smoothed = 0.6 / (1 + (4 / (3 * 4_000)) ** 0.4)
    assert found == pytest.approx(smoothed**2 / (1 - smoothed**2), abs=0.06)


@pytest.mark.parametrize(
    ("method", "strength"),
    [
        (FairDummiesPenalty(epochs=40, batch=250, learning_rate=0.02), 0.9),
        pytest.param(HGRPenalty(epochs=80, batch=0, learning_rate=0.02), 0.97, marks=pytest.mark.long),
        (AdversarialPenalty(epochs=20, batch=250, learning_rate=0.02), 0.95),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
@pytest.mark.parametrize("k", [0, 2])
def test_a_number_is_looked_at_as_a_number(method: Method, strength: float, k: int) -> None:
    """What answers and age have to do with each other among people with the same outcome, by correlation."""
    rows, fresh = aged(1_000, 3, k), aged(4_000, 4, k)

    def depends(model: Fitted) -> float:
        answers = model.answers(fresh.x)
        given = np.column_stack([fresh.y, np.ones(4_000)])
        left = [one - given @ np.linalg.lstsq(given, one)[0] for one in (answers[:, 1] if k else answers, fresh.values)]
        return abs(float(np.corrcoef(*left)[0, 1]))

    unfair = baseline(rows)
    fair = fit(method, Training(rows, unfair, strength, LINEAR, 1))
    assert depends(unfair) > 0.2
    assert depends(fair) < 0.5 * depends(unfair)


@pytest.mark.parametrize(
    "method",
    [
        FairDummiesPenalty(epochs=20, batch=0, learning_rate=0.02),
        HGRPenalty(epochs=20, batch=0, learning_rate=0.02),
        Reductions(iterations=5),
        Reweighing(),
        Projection(),
        SenSR(steps=60, batch=200, learning_rate=0.02, free_steps=5, priced_steps=5),
    ],
    ids=lambda method: method.kind,
)
def test_no_weight_is_the_baseline_and_more_of_it_never_leaves_more_unfairness(method: Method) -> None:
    """Of groups: how far apart their mean answers are within a class; of similar people: what the free column does.

    Adversarial debiasing is no part of it: at λ = 0 it takes from the error's gradient too (its docstring).
    """
    rows = classes(600, 22)
    training = similar_training(rows, 0.0)
    swapped = rows.x + np.array([0.0, 1.0])

    def unfair(model: Fitted) -> float:
        yes = model.answers(rows.x)[:, 1]
        if isinstance(method, Projection | SenSR):
            return float(np.abs(yes - model.answers(swapped)[:, 1]).mean())
        if isinstance(method, Reweighing):
            return abs(float(yes[rows.codes == 1].mean() - yes[rows.codes == 0].mean()))
        means = [[yes[(rows.y == label) & (rows.codes == group)].mean() for group in (0, 1)] for label in (0, 1)]
        return float(np.abs(np.diff(means)).max())

    fitted = [fit(method, replace(training, strength=strength)) for strength in (0.0, 0.6, 0.95)]
    plain = training.baseline.answers(rows.x)
    plain = np.eye(2)[plain.argmax(axis=1)] if isinstance(method, Reductions) else plain
    assert np.abs(fitted[0].answers(rows.x) - plain).mean() < 0.02
    left = [unfair(one) for one in fitted]
    assert left[0] > 0.1
    assert left[1] <= left[0] + 0.01
    assert left[2] <= left[1] + 0.01
    assert left[2] < 0.8 * left[0]
