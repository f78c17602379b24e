"""A transport test of rows that belong together: nothing is said with more certainty than the clusters allow."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.transport import engine
from core.audits.transport.decision import TransportDecision
from core.audits.transport.planning import pilot
from core.audits.transport.proposal import propose
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import ByMetric, CellColumn, MassLimit, Transport
from core.contracts.audit import Given
from core.data.encoded import EncodedDataset
from core.inference.estimate import Verdict
from core.inference.transport.methods import Method
from tests.core.audits.transport.cases import COLUMNS, Formula, dataset_of, decisions, identity, people, run
from tests.findings import NOBODY_LEFT_OUT, found

METHODS: tuple[Method, ...] = ("directional derivative", "m out of n", "closed form", "Efron")
OF_HOMES = replace(NOBODY_LEFT_OUT, belongs_to="home")
LIMIT = (MassLimit(attribute="sex", group="Male", at_most=0.1),)


def at_home(frame: pd.DataFrame, home: np.ndarray) -> pd.DataFrame:
    return frame.assign(home=home)


def copied(rows: int, copies: int, seed: int = 0) -> pd.DataFrame:
    frame = people(rows, seed)
    return at_home(frame, np.arange(rows)).loc[np.repeat(np.arange(rows), copies)].reset_index(drop=True)


def numbers(detail: TransportDetail, method: Method = "directional derivative") -> tuple[float, ...]:
    finding = found(detail, TransportDecision(delta=0.05, method=method))
    return (finding.estimate, finding.lower_bound, finding.upper_bound, finding.p_value)


WAYS: dict[str, dict[str, Any]] = {"free": {}, "limits": {"limits": LIMIT}, "metric": {"similarity": "metric"}}


@pytest.mark.parametrize("way", WAYS)
def test_rows_that_belong_to_nobody_else_are_single_people(way: str) -> None:
    frame = at_home(people(300), np.arange(300))
    kept = [numbers(_of(dataset_of(frame, **more), way)) for more in ({}, {"belongs_to": "home"})]
    assert kept[0] == kept[1]


def _of(dataset: Any, way: str) -> TransportDetail:
    settings = dict(WAYS[way])
    if settings.pop("similarity", ""):
        metric = ByMetric.model_construct(metric=None)
        width = decisions(dataset).encode(dataset).x.shape[1]
        audit = Transport.model_construct(similarity=metric, columns=COLUMNS, draws=400)
        model = decisions(dataset)
        return engine.run(audit, Given(model, model.encode(dataset), np.random.default_rng(0), identity(width)))[0]
    return run(dataset, **settings)[0]


@pytest.mark.parametrize("way", WAYS)
def test_copies_are_told_as_far_from_certain_as_single_rows(way: str) -> None:
    """Three copies of everybody: the same estimate, and bounds as wide as those of the table once, not narrower."""
    once, often = (dataset_of(copied(300, copies), belongs_to="home") for copies in (1, 3))
    plain = dataset_of(copied(300, 3))
    for method in METHODS[:2]:
        value, low, high, _ = numbers(_of(once, way), method)
        again, lower, higher, _ = numbers(_of(often, way), method)
        _, blind_low, blind_high, _ = numbers(_of(plain, way), method)
        assert again == pytest.approx(value, abs=0.02)
        assert higher - lower == pytest.approx(high - low, rel=0.15)
        assert blind_high - blind_low < 0.8 * (higher - lower)


def test_the_order_of_the_rows_changes_nothing() -> None:
    frame = at_home(people(300), np.arange(300) // 3)
    mixed = frame.sample(frac=1, random_state=2)
    mixed["home"] = "n" + mixed["home"].astype(str)
    kept = [numbers(run(dataset_of(one, belongs_to="home"))[0]) for one in (frame, mixed.reset_index(drop=True))]
    assert kept[0] == kept[1]


def test_kinds_of_one_home_and_homes_that_are_missed_are_not_seen() -> None:
    frame = at_home(people(400), np.arange(400) // 4)
    detail, _ = run(dataset_of(frame, belongs_to="home"))
    finding = found(detail, TransportDecision(delta=0.05))
    assert detail.independent == finding.unseen.people == 100
    assert finding.unseen.missed(0.05) == pytest.approx(-np.log(0.05) / 100)
    single, _ = run(dataset_of(copied(60, 4), belongs_to="home"))
    plain, _ = run(dataset_of(copied(60, 1)))
    assert single.alone == pytest.approx(plain.alone)
    assert run(dataset_of(copied(60, 4)))[0].alone == 0


@pytest.mark.parametrize(("homes", "verdict"), [(29, Verdict.INSUFFICIENT), (30, Verdict.VIOLATION)])
def test_of_fewer_than_thirty_homes_nothing_is_claimed(homes: int, verdict: Verdict) -> None:
    """The model reads sex alone and is always wrong about men."""
    home = np.arange(600) % homes
    sex = np.where(np.arange(600) // homes % 2, "Male", "Female")
    good = np.where(np.arange(600) // homes // 2 % 2, "yes", "no")
    says = np.where(sex == "Male", np.where(good == "yes", "no", "yes"), good)
    frame = pd.DataFrame({"sex": sex, "good": good, "says": says, "home": home})
    frame["job"] = np.where(np.arange(600) // homes // 4 % 2, "clerk", "driver")
    dataset = dataset_of(frame, protected=("sex",), features=("job",), belongs_to="home")
    detail, _ = run(dataset, columns=(CellColumn(name="job"),))
    finding = found(detail, TransportDecision(delta=0.05), data=OF_HOMES)
    assert finding.verdict is verdict
    few = "The audited rows belong to 29 different 'home'; a verdict needs at least 30"
    assert any(few in reason.what for reason in finding.reasons) == (homes == 29)


def test_the_pilot_tries_whole_homes_and_knows_how_much_they_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = [dataset_of(copied(200, copies), belongs_to="home") for copies in (1, 3)]
    model = decisions(datasets[0])
    audit, decision, rng = Transport(columns=COLUMNS), TransportDecision(method="closed form"), np.random.default_rng(0)
    spreads = [pilot(audit, Given(model, model.encode(one), rng), decision).spread for one in datasets]
    assert spreads[1] == pytest.approx(np.sqrt(3) * spreads[0], rel=1e-6)
    monkeypatch.setattr("core.audits.transport.planning.PILOT_PEOPLE", 300)
    chosen: list[np.ndarray] = []
    monkeypatch.setattr(EncodedDataset, "take", lambda self, rows: chosen.append(self.clusters[rows]) or self)
    pilot(audit, Given(model, model.encode(datasets[1]), rng), decision)
    assert (np.unique(chosen[0], return_counts=True)[1] == 3).all()
    assert len(chosen[0]) == 300


def test_people_asked_about_are_drawn_by_home() -> None:
    frame = at_home(people(200), np.arange(200))
    often = frame.loc[np.repeat(np.arange(200), 3)].reset_index(drop=True)
    kept = []
    for table, role in ((frame, ""), (often, "home"), (often, "")):
        dataset = dataset_of(table, belongs_to=role)
        detail, _ = run(dataset, Formula(dataset), space="all groups")
        _, low, high, _ = numbers(detail)
        kept.append(high - low)
    assert kept[1] == pytest.approx(kept[0], rel=0.15)
    assert kept[2] < 0.75 * kept[1]


SHARE = np.array([0.1, 0.25, 0.15, 0.2, 0.1, 0.2])
RATE = np.array([[0.3, 0.3], [0.5, 0.2], [0.4, 0.1], [0.1, 0.1], [0.6, 0.3], [0.2, 0.2]])
WOMEN = 0.4


def tables_of_homes(
    rng: np.random.Generator, rate: np.ndarray, homes: int, sizes: tuple[int, ...], shared: float
) -> pd.DataFrame:
    """People of one home have the same job; each takes the rest from the home with probability sqrt(``shared``)."""
    home = np.repeat(np.arange(homes), rng.choice(sizes, homes))
    n = len(home)

    def drawn(of_home: np.ndarray, of_person: np.ndarray) -> np.ndarray:
        return np.where(rng.random(n) < np.sqrt(shared), of_home[home], of_person)

    job = rng.choice(len(SHARE), homes, p=SHARE)[home]
    alike = shared == 1
    sex = (drawn(rng.random(homes), rng.random(n)) >= WOMEN) if alike else rng.random(n) >= WOMEN
    wrong = drawn(rng.random(homes), rng.random(n)) < rate[job, sex.astype(int)]
    good = drawn(rng.choice(["no", "yes"], homes), rng.choice(["no", "yes"], n))
    says = np.where(wrong, np.where(good == "yes", "no", "yes"), good)
    return pd.DataFrame(
        {"job": job.astype(str), "sex": np.where(sex, "Male", "Female"), "good": good, "says": says, "home": home}
    )


def rates(
    homes: int, sizes: tuple[int, ...], shared: float, *, noisy: bool, tables: int, role: str = "home"
) -> tuple[float, float, float]:
    """Shares of tables at whose true value the test errs: lower bound too high, upper too low; and its power."""
    rate = RATE if noisy else (RATE > 0.35).astype(np.float64)
    value = float((SHARE * (1 - WOMEN) * (rate[:, 0] - rate[:, 1])).sum())
    rng, outcome = np.random.default_rng(5), []
    for seed in range(tables):
        frame = tables_of_homes(rng, rate, homes, sizes, shared)
        dataset = dataset_of(frame, protected=("sex",), features=("job",), predictions=("says",), belongs_to=role)
        detail, _ = run(dataset, columns=(CellColumn(name="job"),), seed=seed, draws=400)
        _, low, high, _ = numbers(detail)
        outcome.append((low > value, high < value, low > value - 0.08))
    above, below, power = np.mean(outcome, axis=0)
    return float(above), float(below), float(power)


@pytest.mark.parametrize("noisy", [False, True])
def test_copies_are_no_evidence(noisy: bool) -> None:
    """Ten copies of everybody: 60% and 50% false violations where the rows count as independent."""
    above, below, power = rates(400, (10,), 1, noisy=noisy, tables=8)
    assert above <= 0.1
    assert below <= 0.1
    assert power >= 0.5


@pytest.mark.long
@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize(
    ("homes", "sizes", "shared"),
    [(800, (3,), 1), (400, (10,), 1), (300, (4,), 0.5), (500, (1, 1, 2, 4, 12), 1), (60, (4,), 0.5)],
)
def test_error_rates_hold_whatever_belongs_together(
    homes: int, sizes: tuple[int, ...], shared: float, noisy: bool
) -> None:
    tables = 300
    above, below, power = rates(homes, sizes, shared, noisy=noisy, tables=tables)
    most = 0.05 + 2 * np.sqrt(0.05 * 0.95 / tables)
    assert above <= most
    assert below <= most
    assert power > 0 or homes < 100


def test_kinds_are_proposed_as_if_everybody_were_there_once() -> None:
    once, often = (dataset_of(copied(120, copies), belongs_to="home") for copies in (1, 4))
    assert propose(often) == propose(once) != propose(dataset_of(copied(120, 4)))
    answers = np.random.default_rng(0).random(120)
    assert propose(often, np.repeat(answers, 4)) == propose(once, answers)
