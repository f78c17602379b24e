"""The models of papers/faith.md, Table 1, trained on one of its 70/30 splits of COMPAS."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
import torch
from sklearn.linear_model import LogisticRegression

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import CellColumn, Transport
from core.audits.transport.verdict import TransportFinding
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.inference.evidence import Estimated
from core.inference.transport.draws import Draws
from core.inference.transport.methods import as_published, default_size
from core.models.module import ModuleModel
from core.result import AuditResult
from core.run import run_audit
from core.sources.public.compas import FAITH_FEATURES, Compas
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import LogisticPath, Parts, SelectionPlan
from tests.core.audits.group_fairness.privileged import SignedDifferences, against_privileged
from tests.findings import found as finding_of

SOURCE = Compas(preparation="FaiTH paper")
AUDIT = Transport(columns=tuple(CellColumn(name=name) for name in FAITH_FEATURES), space="all groups", draws=1_000)
STRENGTHS = np.geomspace(1e-3, 10, 41)
"""1/λ of the l1 path; the paper chose 0.0145."""


@cache
def encoder() -> Encoder:
    whole = SOURCE.model_copy(update={"part": "all"}).load(FileStore())
    return Encoder.fit(whole, FAITH_FEATURES)


def rows(part: str, split: int) -> Dataset:
    frame = SOURCE.model_copy(update={"part": part, "split_seed": split}).load(FileStore())
    return Dataset.build(frame, SOURCE.roles(frame))


def fit(training: Dataset, classifier: LogisticRegression, weights: np.ndarray | None = None) -> ModuleModel:
    """A fitted scikit-learn regression as a model; it predicts "not charged again", the favourable outcome."""
    x, y = encoder().transform(training.frame), training.label_codes(training.labels)
    classifier.fit(x, y, sample_weight=weights)
    layer = torch.nn.Linear(x.shape[1], 1, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(classifier.coef_))
        layer.bias.copy_(torch.from_numpy(classifier.intercept_))
    return ModuleModel(layer, encoder(), training.labels, "logistic regression")


def reweighing(training: Dataset, attributes: list[str]) -> np.ndarray:
    """Weights P(group) P(outcome) / P(group, outcome) of Kamiran and Calders (2012), shape (n,)."""
    group = training.frame[attributes].agg(" ".join, axis=1).rename("group")
    table = pd.crosstab(group, training.frame["two_year_recid"].rename("outcome"), normalize=True)
    weights = np.outer(table.sum(axis=1), table.sum(axis=0)) / table
    pairs = pd.MultiIndex.from_arrays([group, training.frame["two_year_recid"]])
    return weights.stack().reindex(pairs).to_numpy()


def select(training: Dataset, decision: TransportDecision, seed: int) -> ModuleModel:
    """Sec. 5.2: the most accurate of the l1 path's models whose one-sided lower bound is at most delta.

    Two sevenths of the training rows (20% of all) are for validation. scikit-learn's liblinear, which penalises the
    intercept too, takes up the features in the order the paper reports.
    """
    order = np.random.default_rng((7, seed)).permutation(len(training))
    fitting, validation = training.take(order[: len(order) * 5 // 7]), training.take(order[len(order) * 5 // 7 :])
    best, chosen = -1.0, None
    for strength in STRENGTHS:
        regression = LogisticRegression(l1_ratio=1.0, C=strength, solver="liblinear", random_state=0)
        model = fit(fitting, regression)
        result = run_audit(model, validation, AUDIT, seed=seed)
        passes = TransportFinding(result, decision).inference.lower_bound(decision.alpha) <= decision.delta
        if passes and result.model.accuracy > best:
            best, chosen = result.model.accuracy, model
    assert chosen is not None
    return chosen


def select_by_product(seed: int, files: FileStore) -> tuple[ModuleModel, Dataset]:
    """The model that ``core.workflows.selection`` chooses on its own split 50/20/30 of all rows, and its audit rows."""
    plan = SelectionPlan(
        data=SOURCE.model_copy(update={"part": "all"}),
        roles=SOURCE.roles(pd.DataFrame()),
        candidates=LogisticPath(points=len(STRENGTHS), span=STRENGTHS[-1] / STRENGTHS[0]),
        parts=Parts(training=0.5, validation=0.2, audit=0.3),
        audit=AUDIT,
        seed=seed,
    )
    chosen = run_selection(plan, files).audit
    assert chosen is not None
    audited = Dataset.build(chosen.data.load(files), chosen.roles)
    return chosen.model.load(files, audited), audited


@dataclass(frozen=True)
class Row:
    """One model on one split: its audit, and the group metrics by race (Caucasian is privileged) and by sex (women)."""

    result: AuditResult
    race: SignedDifferences
    sex: SignedDifferences

    def as_published(self, decision: TransportDecision) -> Estimated:
        """The estimate with the paper's own m-out-of-n bootstrap, m = n^(3/4)."""
        detail = self.result.detail
        finding = finding_of(detail, decision)
        part, draws = finding.part, Draws(finding.part.sample, detail.draws, detail.seed)
        return as_published(part.envelope, draws, finding.budget, default_size(part.sample.n))

    def numbers(self, estimate: Estimated, decision: TransportDecision) -> list[float]:
        """FaiTH, the two-sided interval, the one-sided lower bound, accuracy, and AOD, EOD and SPD by race."""
        interval = estimate.two_sided(decision.alpha)
        groups = self.race
        return [
            estimate.value,
            interval.low,
            interval.high,
            estimate.lower_bound(decision.alpha),
            groups.accuracy,
            groups.average_odds_difference,
            groups.equal_opportunity_difference,
            groups.statistical_parity_difference,
        ]


def measure(model: ModuleModel, audited: Dataset, seed: int, audit: Transport = AUDIT) -> Row:
    data = model.encode(audited)
    decided, outcome = model.predict_proba(data).argmax(axis=1) == 1, data.y == 1
    race, sex = (
        against_privileged(outcome, decided, (audited.frame[name] == privileged).to_numpy())
        for name, privileged in (("race", "Caucasian"), ("sex", "Female"))
    )
    return Row(run_audit(model, audited, audit, seed=seed), race, sex)


def count_by_hand(model: ModuleModel, audited: Dataset) -> float:
    """The audit value where only sex and race may differ, person by person and without any cells.

    Everybody is put into all four groups; somebody decided rightly counts if one of the four is decided wrongly.
    """

    def wrong(**group: str) -> np.ndarray:
        data = model.encode(replace(audited, frame=audited.frame.assign(**group)))
        return model.predict_proba(data).argmax(axis=1) != data.y

    somewhere = [wrong(sex=sex, race=race) for sex in ("Male", "Female") for race in ("Caucasian", "African-American")]
    return float((np.any(somewhere, axis=0) & ~wrong()).mean())
