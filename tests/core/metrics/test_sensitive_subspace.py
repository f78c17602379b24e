"""The learned sensitive subspace against other solvers, against a known truth, and against the published basis."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

from core.base.errors import MetricError
from core.contracts.metric import principal_angles
from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder, NumericColumn
from core.metrics import SensitiveSubspace, logistic
from core.metrics.logistic import fit_logistic


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def largest_angle(first: np.ndarray, second: np.ndarray) -> float:
    return float(principal_angles(np.atleast_2d(first), np.atleast_2d(second)).max())


@pytest.mark.parametrize("settings", [SensitiveSubspace(), SensitiveSubspace(penalty="none")])
def test_the_matrix_is_a_symmetric_projector_that_forgets_the_free_directions(mixed, settings) -> None:
    metric = settings.fit(mixed, rng())
    np.testing.assert_array_equal(metric.matrix, metric.matrix.T)
    np.testing.assert_allclose(metric.matrix @ metric.matrix, metric.matrix, atol=1e-12)
    np.testing.assert_allclose(metric.matrix @ metric.free.T, 0, atol=1e-12)
    np.testing.assert_allclose(metric.free @ metric.free.T, np.eye(len(metric.free)), atol=1e-12)
    assert metric.learned_on == len(mixed)
    assert metric.largest_eigenvalue == pytest.approx(1)


def test_a_binary_and_a_ternary_attribute_and_a_protected_feature_free_four_directions(mixed) -> None:
    metric = SensitiveSubspace().fit(mixed, rng())
    sex, race = metric.probes
    assert (len(sex.directions), len(race.directions), len(metric.free)) == (1, 2, 4)
    column = mixed.encoder.names.index("sex")
    assert not sex.directions[:, column].any()
    assert not race.directions[:, column].any()
    np.testing.assert_allclose(metric.matrix[column], 0, atol=1e-12)


def test_protected_columns_may_be_held_and_that_is_said(mixed) -> None:
    metric = SensitiveSubspace(include_protected_columns=False).fit(mixed, rng())
    column = mixed.encoder.names.index("sex")
    assert len(metric.free) == 3
    assert metric.matrix[column, column] == pytest.approx(1)
    assert any("reads a protected attribute" in caveat.what for caveat in metric.caveats)


def test_a_protected_column_that_was_not_learned_from_is_free_too_and_that_is_said(mixed) -> None:
    def said(**settings) -> list[str]:
        return [one.what for one in SensitiveSubspace(**settings).fit(mixed, rng()).caveats if "'sex' too" in one.what]

    assert said(protected=("race",)) == [
        "The metric was learned for 'race' alone, but people may differ freely in 'sex' too: every protected column "
        "that the model reads is free."
    ]
    assert not said()
    assert not said(protected=("race",), include_protected_columns=False)
    assert not said(protected=("sex",))


def test_constant_columns_and_sums_over_a_one_hot_block_carry_no_loading(mixed) -> None:
    metric = SensitiveSubspace(protected=("race",)).fit(mixed, rng())
    names = mixed.encoder.names
    job = [index for index, name in enumerate(names) if name.startswith("job")]
    np.testing.assert_allclose(metric.probes[0].directions[:, names.index("nothing")], 0, atol=1e-12)
    np.testing.assert_allclose(metric.probes[0].directions[:, job].sum(axis=1), 0, atol=1e-10)
    assert np.abs(metric.probes[0].directions[:, job]).max() > 0.1


@pytest.mark.parametrize("penalty", ["none", "l2"])
def test_a_column_and_its_triple_share_the_direction_along_which_people_differ(linear, encode, penalty) -> None:
    data, _ = linear(500, 0)
    frame = data.dataset.frame.assign(triple=3 * data.dataset.frame["a"])
    metric = SensitiveSubspace(penalty=penalty).fit(encode(frame, ("a", "triple", "b"), ("sex",)), rng())
    assert metric.free[0, 1] == pytest.approx(3 * metric.free[0, 0])


def test_the_unit_of_a_number_only_rescales_its_loading(linear) -> None:
    data, _ = linear(500, 0)
    unit = np.array([1.0, 1000.0, 0.01, 1.0])
    first = SensitiveSubspace().fit(data, rng()).free[0]
    second = SensitiveSubspace().fit(replace(data, x=data.x * unit + 7), rng()).free[0]
    assert largest_angle((first / unit) / np.linalg.norm(first / unit), second) < 1e-3


def test_a_column_that_repeats_the_attribute_is_pointed_out(linear, encode) -> None:
    data, _ = linear(500, 0)
    frame = data.dataset.frame.assign(male=(data.dataset.frame["sex"] == "m") * 1)
    metric = SensitiveSubspace().fit(encode(frame, ("a", "b", "male"), ("sex",)), rng())
    assert any("almost without error; 'male' does most of it" in caveat.what for caveat in metric.caveats)


@pytest.mark.parametrize("strength", [0.0, 1.0, 25.0])
@pytest.mark.parametrize("groups", [2, 3])
def test_the_probe_reaches_the_optimum_that_scipy_finds(groups: int, strength: float) -> None:
    draw = np.random.default_rng(3)
    z = draw.standard_normal((400, 3))
    codes = (z @ draw.standard_normal((3, groups)) + 2 * draw.gumbel(size=(400, groups))).argmax(axis=1)

    def objective(parameters: np.ndarray) -> float:
        weight, bias = parameters[: 3 * (groups - 1)].reshape(-1, 3), parameters[3 * (groups - 1) :]
        weight, bias = np.vstack([np.zeros(3), weight]), np.append(0.0, bias)
        score = z @ weight.T + bias
        centred = weight - weight.mean(axis=0) if groups > 2 else weight
        return float(
            (logsumexp(score, axis=1) - score[np.arange(400), codes]).sum() + strength / 2 * (centred**2).sum()
        )

    found = minimize(objective, np.zeros(4 * (groups - 1)), method="BFGS", options={"gtol": 1e-7}).x
    expected = np.vstack([np.zeros(3), found[: 3 * (groups - 1)].reshape(-1, 3)])
    fitted = fit_logistic(z, codes, groups, strength, "sex")
    ours = fitted.coefficients if groups == 3 else np.vstack([np.zeros(3), fitted.coefficients])
    np.testing.assert_allclose(ours - ours.mean(axis=0), expected - expected.mean(axis=0), atol=2e-5)
    assert not fitted.separable


def test_a_solver_that_stops_early_is_refused(mixed, monkeypatch) -> None:
    def stopped(z: np.ndarray, codes: np.ndarray, strength: float) -> tuple[np.ndarray, np.ndarray]:
        return np.full((1, z.shape[1]), 0.01), np.zeros(2)

    monkeypatch.setattr(logistic, "_solve", stopped)
    with pytest.raises(MetricError, match=r"did not converge.*'sex', largest gradient"):
        SensitiveSubspace(protected=("sex",)).fit(mixed, rng())


def test_the_true_direction_is_approached_as_rows_grow(linear) -> None:
    angles = []
    for n in (200, 3_000, 45_000):
        found = []
        for seed in range(4):
            data, truth = linear(n, seed)
            found.append(largest_angle(SensitiveSubspace().fit(data, rng()).free, truth))
        angles.append(np.mean(found))
    assert angles[0] > angles[1] > angles[2]
    assert angles[2] < 1.0


def test_row_order_changes_nothing(mixed) -> None:
    order = np.random.default_rng(1).permutation(len(mixed))
    first = SensitiveSubspace().fit(mixed, rng())
    second = SensitiveSubspace().fit(mixed.take(order), rng())
    assert largest_angle(first.free, second.free) < 1e-3


def test_renaming_the_groups_changes_nothing(mixed) -> None:
    frame = mixed.dataset.frame.assign(race=mixed.dataset.frame["race"].map({"a": "z", "b": "y", "c": "x"}))
    renamed = replace(mixed, dataset=replace(mixed.dataset, frame=frame))
    first = SensitiveSubspace(protected=("race",)).fit(mixed, rng())
    second = SensitiveSubspace(protected=("race",)).fit(renamed, rng())
    assert second.probes[0].groups == ("x", "y", "z")
    assert largest_angle(first.free, second.free) < 1e-3


def test_the_same_seed_gives_the_same_bytes(mixed) -> None:
    first, second = (SensitiveSubspace().fit(mixed, rng()) for _ in range(2))
    assert first.matrix.tobytes() == second.matrix.tobytes()
    assert [probe.auc for probe in first.probes] == [probe.auc for probe in second.probes]


def test_without_a_ridge_separable_groups_fall_back_to_one_and_say_so(encode) -> None:
    draw = np.random.default_rng(2)
    sex = np.where(draw.random(200) < 0.5, "m", "f")
    frame = pd.DataFrame(
        {"a": draw.standard_normal(200), "husband": ((sex == "m") & (draw.random(200) < 0.5)) * 1, "sex": sex}
    )
    data = encode(frame, ("a", "husband"), ("sex",))
    plain = SensitiveSubspace(penalty="none").fit(data, rng())
    ridge = SensitiveSubspace(penalty="l2").fit(data, rng())
    np.testing.assert_array_equal(plain.matrix, ridge.matrix)
    assert any("apart without exception" in caveat.what for caveat in plain.caveats)
    assert not any("apart without exception" in caveat.what for caveat in ridge.caveats)


@pytest.fixture(scope="module")
def coins(encode):
    """Two columns that do not tell the sex; the first tells the hand, and the model reads it too."""
    draw = np.random.default_rng(8)
    a, b = draw.standard_normal((2, 400))
    hand = np.where(a + draw.standard_normal(400) > 0, "left", "right")
    frame = pd.DataFrame({"a": a, "b": b, "sex": draw.choice(["f", "m"], 400), "hand": hand})
    return lambda features, protected: encode(frame, features, protected)


def test_an_attribute_that_nothing_predicts_frees_no_direction(coins) -> None:
    with pytest.raises(MetricError, match=r"groups of 'sex' better than by chance.*400 rows.*declare"):
        SensitiveSubspace().fit(coins(("a", "b"), ("sex",)), rng())
    metric = SensitiveSubspace().fit(coins(("a", "b"), ("sex", "hand")), rng())
    assert [len(probe.directions) for probe in metric.probes] == [0, 1]
    assert metric.found == len(metric.free) == 1
    assert any("Nothing was learned for 'sex'" in caveat.what for caveat in metric.caveats)
    assert not any("hardly tell" in caveat.what for caveat in metric.caveats)
    again = SensitiveSubspace().learned_again(coins(("a", "b"), ("sex", "hand")), metric, 3, rng())
    halves = [learn() for learn in again]
    assert [half.found for half in halves if half is not None] == [1, 1, 1]


def test_what_is_declared_free_stays_free_where_nothing_is_learned(coins) -> None:
    metric = SensitiveSubspace().fit(coins(("a", "b", "sex"), ("sex",)), rng())
    np.testing.assert_allclose(np.abs(metric.free), [[0, 0, 0.5**0.5, 0.5**0.5]])
    assert metric.found == 0
    with pytest.raises(MetricError, match="better than by chance"):
        SensitiveSubspace(include_protected_columns=False).fit(coins(("a", "b", "sex"), ("sex",)), rng())


def test_columns_that_say_nothing_at_all_are_refused(encode) -> None:
    frame = pd.DataFrame({"a": np.tile([-1.0, -1.0, 1.0, 1.0], 20), "sex": np.tile(["f", "m"], 40)})
    with pytest.raises(MetricError, match=r"say nothing at all about the group.*'sex'"):
        SensitiveSubspace().fit(encode(frame, ("a",), ("sex",)), rng())


def test_rows_of_one_group_only_are_refused(mixed) -> None:
    only = mixed.take(np.flatnonzero(mixed.dataset.frame["sex"].to_numpy() == 1))
    with pytest.raises(MetricError, match=r"same value '1'.*column 'sex'"):
        SensitiveSubspace().fit(only, rng())
    SensitiveSubspace(protected=("race",)).fit(only, rng())


def test_fewer_rows_than_columns_are_refused(mixed) -> None:
    with pytest.raises(MetricError, match=r"4 rows with \d encoded columns"):
        SensitiveSubspace(protected=("race",)).fit(mixed.take(np.arange(4)), rng())


def test_an_attribute_that_is_not_protected_is_refused(mixed) -> None:
    with pytest.raises(MetricError, match="'age' is not a protected attribute"):
        SensitiveSubspace(protected=("age",)).fit(mixed, rng())


def test_features_that_are_all_protected_are_refused(encode, mixed) -> None:
    data = encode(mixed.dataset.frame[["sex", "race"]], ("sex", "race"), ("sex", "race"))
    with pytest.raises(MetricError, match="Declare the metric"):
        SensitiveSubspace().fit(data, rng())


def test_a_group_with_one_row_is_learned_from_with_a_warning(mixed) -> None:
    frame = mixed.dataset.frame.copy()
    frame.loc[0, "race"] = "d"
    metric = SensitiveSubspace().fit(replace(mixed, dataset=replace(mixed.dataset, frame=frame)), rng())
    assert metric.probes[1].held_out.tolist()[-1] == 1
    assert np.isfinite(metric.probes[1].auc)
    assert any("group 'd' of 'race': 1" in caveat.what for caveat in metric.caveats)


def test_learning_on_the_audited_rows_is_recorded(mixed) -> None:
    assert any(
        "rows that are audited" in n.what for n in SensitiveSubspace(learn_on="audited rows").fit(mixed, rng()).caveats
    )
    assert not any("rows that are audited" in n.what for n in SensitiveSubspace().fit(mixed, rng()).caveats)


@pytest.fixture(scope="module")
def adult(real_data: Path) -> EncodedDataset:
    """The 9,045 test rows of seed 51668, prepared by the recipe in reference/adult_preprocess.json."""
    names = [
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-stataus",
        "occupation",
        "relationship",
    ]
    names += ["race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"]
    read = {"header": None, "names": names, "na_values": " ?"}
    frame = pd.concat(
        [
            pd.read_csv(real_data / "adult" / "adult.data", **read),
            pd.read_csv(real_data / "adult" / "adult.test", skiprows=1, **read),
        ],
        ignore_index=True,
    ).dropna()
    numbers = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    dummies = pd.get_dummies(frame[["workclass", "marital-stataus", "occupation", "relationship"]])
    table = pd.concat([frame[numbers], dummies], axis=1).astype(float)
    expected = json.loads((real_data / "reference" / "adult_preprocess.json").read_text())["names"][:39]
    assert list(table.columns) == expected
    order = np.random.RandomState(51668).permutation(45222)
    train, test = table.iloc[order[:36177]], order[36177:]
    x = table.to_numpy()[test]
    x[:, :5] = (x[:, :5] - train[numbers].mean().to_numpy()) / train[numbers].std(ddof=0).to_numpy()
    groups = frame.iloc[test]
    rows = pd.DataFrame(x, columns=expected).assign(
        sex=groups["sex"].to_numpy(),
        race=(groups["race"] == " White").to_numpy().astype(int),
        income=np.arange(9045) % 2,
    )
    roles = Roles(outcome="income", favourable="1", protected=("sex", "race"), features=tuple(expected))
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in expected))
    return EncodedDataset(Dataset.build(rows, roles), encoder, x, np.arange(9045) % 2, ("0", "1"))


def test_the_published_adult_subspace_is_reproduced(adult, real_data: Path) -> None:
    reference = np.load(real_data / "reference" / "adult_51668.npz")
    np.testing.assert_allclose(adult.x[:1000], reference["x"], atol=1e-12)
    metric = SensitiveSubspace().fit(adult, rng())
    assert largest_angle(metric.free, reference["basis"]) < 0.6
    assert metric.probes[0].auc > 0.93
    assert 0.64 < metric.probes[1].auc < 0.68


def test_another_converged_solver_agrees_on_adult_within_a_hundredth_of_a_degree(adult) -> None:
    from sklearn.linear_model import LogisticRegression

    basis = []
    for name in ("sex", "race"):
        codes, _ = adult.dataset.groups(name)
        basis.append(
            LogisticRegression(C=1.0, solver="newton-cg", tol=1e-9, max_iter=2000).fit(adult.x, codes).coef_[0]
        )
    other = np.linalg.qr(np.array(basis).T)[0].T
    assert largest_angle(SensitiveSubspace().fit(adult, rng()).free, other) < 0.05


def test_adult_without_a_ridge_has_no_finite_probe_of_sex_because_every_husband_is_a_man(adult) -> None:
    codes, groups = adult.dataset.groups("sex")
    husband = adult.x[:, adult.encoder.names.index("relationship_ Husband")] == 1
    assert {groups[code] for code in codes[husband]} == {" Male"}
    metric = SensitiveSubspace(penalty="none").fit(adult, rng())
    assert [caveat for caveat in metric.caveats if "'sex'" in caveat.what]
    assert not [caveat for caveat in metric.caveats if "'race'" in caveat.what]
