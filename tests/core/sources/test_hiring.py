import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError
from scipy.stats import chi2, chisquare, kstest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

from core.base.files import FileStore
from core.contracts.metric import principal_angles
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import BinaryColumn, Encoder
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.sources.simulated.hiring import (
    FEATURES,
    SCREENED,
    Hiring,
    screen,
    true_probability,
)
from core.sources.simulated.proxies import PROXIES
from tests.core.sources.hiring_truth import log_odds_gradient, true_directions

MERIT_COLUMNS = ("education", "test score", "interview rating")


def load(**settings: object) -> pd.DataFrame:
    return Hiring.model_validate(settings).load(FileStore())


@pytest.fixture(scope="module")
def fair() -> pd.DataFrame:
    return load(fair=True, rows=40_000)


@pytest.fixture(scope="module")
def unfair() -> pd.DataFrame:
    return load(fair=False, rows=40_000)


def protected_indicators(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.get_dummies(frame[["gender", "ethnicity"]], drop_first=True).astype(float)


def p_value_of_protected_given_merit(frame: pd.DataFrame) -> float:
    """Likelihood-ratio test of adding gender and ethnicity (four columns) to a regression on the merit columns."""
    merit = pd.get_dummies(frame[["education"]], drop_first=True).astype(float)
    merit["years"] = frame["experience (years)"].clip(upper=15) / 10
    merit["score"] = (frame["test score"] - 62) / 14
    merit["rating"] = frame["interview rating"] - 3
    hired = (frame["hired"] == "yes").to_numpy()

    def deviance(x: pd.DataFrame) -> float:
        fitted = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1_000).fit(x.to_numpy(), hired)
        return 2 * float(log_loss(hired, fitted.predict_proba(x.to_numpy())[:, 1], normalize=False))

    both = pd.concat([merit, protected_indicators(frame)], axis=1)
    return float(chi2.sf(deviance(merit) - deviance(both), df=4))


def test_fair_decisions_do_not_depend_on_protected_attributes_given_merit() -> None:
    p_values = [p_value_of_protected_given_merit(load(fair=True, rows=5_000, seed=seed)) for seed in range(20)]
    assert kstest(p_values, "uniform").pvalue > 0.001


def test_unfair_decisions_do(unfair: pd.DataFrame) -> None:
    assert p_value_of_protected_given_merit(unfair.head(5_000)) < 1e-10


@pytest.mark.parametrize("is_fair", [True, False])
def test_labels_follow_the_true_probability(is_fair: bool) -> None:
    frame = load(fair=is_fair, rows=40_000, seed=3)
    probability = true_probability(frame, fair=is_fair)
    hired = (frame["hired"] == "yes").to_numpy()
    decile = np.argsort(np.argsort(probability)) * 10 // len(frame)
    expected = np.bincount(decile, probability)
    variance = np.bincount(decile, probability * (1 - probability))
    statistic = float((((np.bincount(decile, hired) - expected) ** 2) / variance).sum())
    assert chi2.sf(statistic, df=10) > 0.001
    assert not np.allclose(probability, true_probability(frame, fair=not is_fair))


def test_fair_and_unfair_rounds_have_the_same_applicants(fair: pd.DataFrame, unfair: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(fair.drop(columns="hired"), unfair.drop(columns="hired"))
    assert 0.2 < (unfair["hired"] == "yes").mean() < (fair["hired"] == "yes").mean() < 0.5


def test_proxies_predict_gender_and_ethnicity_and_merit_does_not(fair: pd.DataFrame) -> None:
    train, test = fair.head(20_000), fair.tail(20_000)

    def auc(columns: tuple[str, ...], member: pd.Series) -> float:
        encoder = Encoder.fit(train, columns)
        probe = LogisticRegression(max_iter=1_000).fit(encoder.transform(train), member[train.index])
        return float(roc_auc_score(member[test.index], probe.decision_function(encoder.transform(test))))

    for attribute, group in (("gender", "female"), ("ethnicity", "White"), ("ethnicity", "Black")):
        member = fair[attribute] == group
        assert auc(tuple(proxy.name for proxy in PROXIES if proxy.attribute == attribute), member) > 0.75
        assert auc(tuple(proxy.name for proxy in PROXIES if proxy.attribute != attribute), member) < 0.53
        assert auc(MERIT_COLUMNS, member) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("proxy", PROXIES, ids=lambda proxy: proxy.name)
def test_each_proxy_follows_its_tilted_distribution(proxy: object, fair: pd.DataFrame) -> None:
    for group, tilt in proxy.tilt.items():
        if proxy.is_numeric:
            weight = [base * np.exp(tilt * value) for base, value in zip(proxy.base, proxy.values, strict=True)]
        else:
            weight = [base * np.exp(each) for base, each in zip(proxy.base, tilt, strict=True)]
        drawn = fair.loc[fair[proxy.attribute] == group, proxy.name].value_counts()
        observed = np.array([drawn.get(value, 0) for value in proxy.values])
        expected = np.array(weight) / np.sum(weight) * observed.sum()
        rare = expected < 5
        assert observed[rare].sum() <= 3 * expected[rare].sum() + 10
        observed, expected = observed[~rare], expected[~rare] * observed[~rare].sum() / expected[~rare].sum()
        assert chisquare(observed, expected).pvalue > 1e-4


def test_the_log_odds_along_a_single_indicator_are_the_difference_of_its_categories() -> None:
    """Free time tilts volunteering by 0.6 for women and -0.4 for men, arts by 0.5 and -0.4: (0.1, 0) apart."""
    free_time = BinaryColumn(name="free time", categories=("arts", "volunteering"))
    encoder = Encoder(columns=(free_time, BinaryColumn(name="shift", categories=("day", "night"))))
    np.testing.assert_allclose(log_odds_gradient(encoder, "gender", "female"), [0.1, 0.0], atol=1e-12)
    np.testing.assert_allclose(log_odds_gradient(encoder, "gender", "male"), [0.0, 0.0], atol=1e-12)


def test_a_probe_on_many_rows_finds_the_true_directions() -> None:
    source = Hiring(rows=30_000)
    frame = source.load(FileStore())
    dataset = Dataset.build(frame, source.roles(frame))
    encoder = Encoder.fit(dataset.frame, FEATURES)
    x, labels = encoder.transform(dataset.frame), dataset.labels
    data = EncodedDataset(dataset, encoder, x, dataset.label_codes(labels), labels)
    truth = true_directions(encoder)
    np.testing.assert_allclose(truth @ truth.T, np.eye(4), atol=1e-12)

    def largest_angle(rows: int) -> float:
        free = SensitiveSubspace().fit(data.take(np.arange(rows)), np.random.default_rng(0)).free
        assert len(free) == 4
        return float(principal_angles(free, truth).max())

    assert largest_angle(30_000) < 11 < largest_angle(1_000)


def test_the_same_seed_gives_the_same_applicants() -> None:
    pd.testing.assert_frame_equal(load(seed=5, rows=500), load(seed=5, rows=500))
    assert not load(seed=5, rows=500).equals(load(seed=6, rows=500))


def test_parts_are_disjoint_and_together_everybody() -> None:
    whole, train, test = (load(rows=1_000, part=part, split_seed=7) for part in ("all", "train", "test"))
    assert (len(train), len(test)) == (800, 200)
    both = pd.concat([train, test])
    columns = list(whole.columns)
    pd.testing.assert_frame_equal(
        both.sort_values(columns, ignore_index=True), whole.sort_values(columns, ignore_index=True)
    )
    assert not test.equals(load(rows=1_000, part="test", split_seed=8))


def test_values_look_like_those_of_a_real_table(fair: pd.DataFrame) -> None:
    assert not fair.isna().any().any()
    ranges = {"experience (years)": (0, 30), "test score": (0, 100), "commute (km)": (1, 60), "languages": (1, 5)}
    for name, (low, high) in ranges.items():
        assert fair[name].dtype == np.int64
        assert low <= fair[name].min() < fair[name].max() <= high
    assert set(fair["interview rating"] * 2) == set(range(2, 11))
    assert fair["test score"].corr(fair["interview rating"]) > 0.3
    assert fair["experience (years)"].corr(fair["career gap (months)"]) < -0.05
    by_degree = fair.groupby("education")["test score"].mean()
    assert by_degree["doctorate"] > by_degree["secondary"] + 10


def test_missing_cells_are_made_on_request_and_counted() -> None:
    frame = load(rows=5_000, missing=0.1)
    share = frame.isna().mean()
    assert set(share[share > 0].index) == {"education", "test score", "commute (km)"}
    assert share[share > 0].to_numpy() == pytest.approx(0.1, abs=0.02)
    dataset = Dataset.build(frame, Hiring().roles(frame))
    assert dataset.rows_left_out == frame.isna().any(axis=1).sum()


@pytest.mark.parametrize("settings", [{"rows": 99}, {"rows": 1_000_001}, {"missing": 0.6}, {"seed": -1}])
def test_settings_out_of_range_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Hiring.model_validate(settings)


def test_a_screening_program_adds_its_answers_and_changes_nothing_else() -> None:
    plain = load(rows=2_000, missing=0.1)
    for screening in ("fair", "biased"):
        source = Hiring(rows=2_000, missing=0.1, screening=screening)  # type: ignore[arg-type]
        frame = source.load(FileStore())
        pd.testing.assert_frame_equal(frame.drop(columns=SCREENED), plain)
        assert set(frame[SCREENED]) == {"yes", "no"}
        assert source.roles(frame).predictions == (SCREENED,)
    assert Hiring().roles(plain).predictions == ()


def test_the_screening_program_gives_the_points_it_promises() -> None:
    """At 15 years, a bachelor and 70 points: 2 + 1 + 2 = 5, one more than needed; two points off are one too many."""
    person = pd.DataFrame({"experience (years)": [15], "education": "bachelor", "test score": 70})
    several = pd.concat([person] * 4, ignore_index=True).assign(
        gender=["male", "female", "male", "female"], ethnicity=["White", "Asian", "Black", "Hispanic"]
    )
    assert screen(several, biased=False).tolist() == ["yes"] * 4
    assert screen(several, biased=True).tolist() == ["yes", "yes", "yes", "no"]
    below = several.assign(**{"experience (years)": 14, "test score": 69})
    assert screen(below, biased=False).tolist() == ["no"] * 4
    assert screen(below.assign(education="doctorate"), biased=True).tolist() == ["yes", "no", "no", "no"]


def test_only_the_biased_program_looks_at_the_groups() -> None:
    frame = load(rows=2_000)
    swapped = frame.assign(gender=frame["gender"].map({"female": "male", "male": "female"}))
    assert (screen(frame, biased=False) == screen(swapped, biased=False)).all()
    assert (screen(frame, biased=True) != screen(swapped, biased=True)).any()
