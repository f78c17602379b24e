"""Learned metrics that know nothing of groups accuse nobody: shuffled groups, and metrics that forgive everything."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from torch import nn

from core import run
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.base.errors import MetricError
from core.base.files import FileStore
from core.contracts.metric import AbstractMetric
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.metrics import Expert, ProtectedStatus, SensitiveSubspace
from core.models.module import ModuleModel
from core.run import find, run_audit
from core.sources.public.adult import Adult
from core.sources.public.compas import Compas

QUICK = {"regularisation": 50.0, "steps": 25, "step_size": 0.04, "integrator": "etd2rk"}
STOPPED = "stopped"
ROWS = 1_500


def simulated(rng: np.random.Generator) -> tuple[pd.DataFrame, Roles]:
    """Eight correlated numbers and a job decide the outcome; sex and four races are coins, and sex is read too."""
    x = rng.standard_normal((2 * ROWS, 8)) @ (np.eye(8) + 0.3)
    job = rng.choice(list("abcd"), len(x))
    good = rng.random(len(x)) < 1 / (1 + np.exp(x[:, 1] - x[:, 0] - 0.8 * (job == "a")))
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(8)]).assign(
        job=job,
        sex=rng.choice(["f", "m"], len(x)),
        race=rng.choice(list("wbao"), len(x), p=[0.6, 0.2, 0.15, 0.05]),
        y=np.where(good, "yes", "no"),
    )
    features = tuple(name for name in frame if name not in ("race", "y"))
    return frame, Roles(outcome="y", favourable="yes", protected=("sex", "race"), features=features)


def published(source: Adult | Compas, rng: np.random.Generator) -> tuple[pd.DataFrame, Roles]:
    """A sample of a published table; everybody gets the sex and race of somebody else in it."""
    whole = source.load(FileStore())
    frame = whole.iloc[rng.permutation(len(whole))[: 2 * ROWS]].reset_index(drop=True)
    roles = source.roles(frame)
    groups = list(roles.protected)
    frame[groups] = frame[groups].to_numpy()[rng.permutation(len(frame))]
    return frame, roles


def refitted(dataset: Dataset, rows: np.ndarray) -> ModuleModel:
    """A logistic regression of these rows, as a network without a hidden layer."""
    encoder, classes = Encoder.fit(dataset.frame, dataset.roles.features), tuple(sorted(set(dataset.labels)))
    x, y = encoder.transform(dataset.frame)[rows], dataset.label_codes(classes)[rows]
    fitted = LogisticRegression(max_iter=2_000).fit(x, y)
    module = nn.Linear(x.shape[1], 2).double().requires_grad_(False)
    module.weight[:], module.bias[:] = 0.0, 0.0
    module.weight[1], module.bias[1] = torch.from_numpy(fitted.coef_[0]), float(fitted.intercept_[0])
    return ModuleModel(module, encoder, classes, "refitted")


def outcomes(table: Any, metric: AbstractMetric, repeats: int, resamples: int = 25) -> Counter[str]:
    """How audits of shuffled tables end: a verdict, or stopped before the run. The model is fitted after shuffling."""
    seen: Counter[str] = Counter()
    for seed in range(repeats):
        rng = np.random.default_rng([seed, 7])
        dataset = Dataset.build(*table(rng))
        order = rng.permutation(len(dataset))
        model, audited = refitted(dataset, order[: len(order) // 2]), dataset.take(np.sort(order[len(order) // 2 :]))
        audit = GradientFlow(metric=metric, metric_resamples=resamples, **QUICK)
        try:
            seen[find(run_audit(model, audited, audit, seed=seed), GradientFlowDecision()).verdict.value] += 1
        except MetricError:
            seen[STOPPED] += 1
    print(getattr(table, "__name__", table), type(metric).__name__, dict(seen))
    return seen


def accused(seen: Counter[str]) -> float:
    return seen[Verdict.VIOLATION.value] / seen.total()


def limit(repeats: int) -> float:
    return 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5


def test_groups_that_are_coins_teach_no_direction_and_accuse_nobody() -> None:
    seen = outcomes(simulated, SensitiveSubspace(include_protected_columns=False), 10)
    assert seen[STOPPED] >= 9
    assert accused(seen) <= limit(10)


@pytest.mark.long
@pytest.mark.parametrize("metric", [SensitiveSubspace(), ProtectedStatus(), ProtectedStatus(directions=2)])
@pytest.mark.parametrize("table", ["simulated", "adult", "compas"])
def test_shuffled_groups_accuse_nobody_at_length(table: str, metric: AbstractMetric, real_data: Path) -> None:
    tables = {
        "simulated": simulated,
        "adult": lambda rng: published(Adult(part="all"), rng),
        "compas": lambda rng: published(Compas(part="all"), rng),
    }
    assert accused(outcomes(tables[table], metric, 100)) <= limit(100)


def adult_with_more_protected() -> tuple[pd.DataFrame, Roles]:
    """Adult with every column, of which age, native country and marital status are protected too."""
    from core.sources.public.adult import _TEST, _TRAIN, _read

    raw = pd.concat([_read(_TRAIN, skip=0), _read(_TEST, skip=1)], ignore_index=True).dropna(ignore_index=True)
    frame = raw.drop(columns="fnlwgt").assign(income=raw["income"].str.removesuffix("."))
    return frame.sample(3_000, random_state=0).reset_index(drop=True), Roles(
        outcome="income",
        favourable=">50K",
        protected=("sex", "race", "age", "native-country", "marital-status"),
        features=tuple(name for name in frame if name != "income"),
    )


def compas_with_age_cat() -> tuple[pd.DataFrame, Roles]:
    """COMPAS as the paper prepares it, with the bins of age protected too."""
    source = Compas(part="all")
    frame = source.load(FileStore())
    roles = source.roles(frame)
    return frame, roles.model_copy(update={"protected": (*roles.protected, "age_cat")})


@pytest.mark.parametrize(
    ("table", "told"),
    [
        pytest.param(adult_with_more_protected, "frees 41 of the 42", marks=pytest.mark.long, id="adult"),
        pytest.param(compas_with_age_cat, "frees 2 of the 2", id="compas"),
    ],
)
def test_a_metric_that_forgives_everything_accuses_nobody(
    table: Any, told: str, real_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run stops before it starts; of a result that was saved all the same, the verdict is insufficient."""
    dataset = Dataset.build(*table())
    model = refitted(dataset, np.arange(0, len(dataset), 2))
    audit = GradientFlow(metric=SensitiveSubspace(), metric_resamples=3, **QUICK)
    with pytest.raises(MetricError, match=told):
        run_audit(model, dataset, audit, seed=0)
    monkeypatch.setattr(run, "fitted_for_a_test", lambda metric, data, rng: metric.fit(data, rng))
    finding = find(run_audit(model, dataset, audit, seed=0), GradientFlowDecision())
    assert finding.by_claims is Verdict.VIOLATION
    assert finding.verdict is Verdict.INSUFFICIENT
    assert any(told in caveat.what for caveat in finding.own_caveats)
    assert all(one.verdict is not Verdict.VIOLATION for one in finding.parts["groups"])


def reads_only_sex(dataset: Dataset, slope: float = -3.0) -> ModuleModel:
    encoder = Encoder.fit(dataset.frame, dataset.roles.features)
    module = nn.Linear(encoder.width, 2).double().requires_grad_(False)
    module.weight[:], module.bias[:] = 0.0, 0.0
    module.weight[1, [encoder.features[source] == "sex" for source in encoder.sources]] = slope
    return ModuleModel(module, encoder, ("no", "yes"), "reads only sex")


@pytest.mark.parametrize("features", [("sex",), ("sex", "x0", "job")], ids=["alone", "among others"])
def test_a_model_that_reads_only_sex_stays_a_violation(features: tuple[str, ...]) -> None:
    """What is declared free is free: all of it where nothing else is read."""
    frame, roles = simulated(np.random.default_rng(1))
    dataset = Dataset.build(frame, roles.model_copy(update={"features": features}))
    audit = GradientFlow(metric=Expert(free=("sex",)), **QUICK)
    finding = find(run_audit(reads_only_sex(dataset), dataset, audit, seed=0), GradientFlowDecision())
    assert finding.verdict is Verdict.VIOLATION


def test_a_learned_metric_accuses_a_model_of_the_protected_columns_that_it_frees() -> None:
    """The other columns tell race only: it is learned, and sex is free because it was declared protected."""
    frame, roles = simulated(np.random.default_rng(1))
    rng = np.random.default_rng(2)
    frame["race"] = np.where(frame["x7"] + rng.standard_normal(len(frame)) > 0, "w", "b")
    dataset = Dataset.build(frame, roles)
    audit = GradientFlow(metric=SensitiveSubspace(), **QUICK)
    finding = find(run_audit(reads_only_sex(dataset), dataset, audit, seed=0), GradientFlowDecision())
    assert [len(probe.directions) for probe in finding.result.metric.probes] == [0, 1]
    assert finding.verdict is Verdict.VIOLATION
    assert any("frees 1 of the 11 directions" in text for text in finding.assumptions)
