"""The work behind Table 1 and Figures 1 to 4 of papers/faith.md: COMPAS, 70/30 splits, δ = 0.0365."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import CellColumn, Transport
from core.audits.transport.verdict import TransportFinding
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.inference.estimate import Verdict
from core.inference.evidence import Estimated
from core.inference.transport.draws import Draws
from core.inference.transport.methods import as_published, default_size
from core.result import AuditResult
from core.run import find, run_audit
from core.sources.public.compas import FAITH_FEATURES, Compas
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import AdversarialPenalty, Base
from core.workflows.papers.differences import SignedDifferences, against_privileged
from core.workflows.papers.items import Found, Given, Piece
from core.workflows.selection.result import SelectionResult, transport_result
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import LogisticPath, Parts, SelectionPlan

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

    from core.models.module import ModuleModel

SOURCE = Compas(preparation="FaiTH paper")
AUDIT = Transport(columns=tuple(CellColumn(name=name) for name in FAITH_FEATURES), space="all groups", draws=1_000)
READING = TransportDecision()
STRENGTHS = np.geomspace(1e-3, 10, 41)
"""1/λ of the l1 path; the paper chose 0.0145."""
SPLITS = 50
METHODS = ("LR", "ADB", "RWT", "RLR")
COLUMNS = ("FaiTH", "CI2 low", "CI2 high", "CI1 low", "accuracy", "AOD", "EOD", "SPD")


@cache
def encoder() -> Encoder:
    """Indicators of every value of the five columns."""
    whole = SOURCE.model_copy(update={"part": "all"}).load(FileStore())
    return Encoder.fit(whole, FAITH_FEATURES)


def rows(part: str, split: int) -> Dataset:
    """The 70% of a split for training, or the 30% for the audit."""
    frame = SOURCE.model_copy(update={"part": part, "split_seed": split}).load(FileStore())
    return Dataset.build(frame, SOURCE.roles(frame))


def fit(training: Dataset, classifier: LogisticRegression, weights: np.ndarray | None = None) -> ModuleModel:
    """A fitted scikit-learn regression as a model; it predicts "not charged again", the favourable outcome."""
    from core.models.layers import linear
    from core.models.module import ModuleModel

    x, y = encoder().transform(training.frame), training.label_codes(training.labels)
    classifier.fit(x, y, sample_weight=weights)
    return ModuleModel(linear(classifier.coef_, classifier.intercept_), encoder(), training.labels, "LR")


def people(training: Dataset, attribute: str) -> PreparedRows:
    """Rows as the fitted methods of :mod:`core.workflows.mitigation` read them."""
    codes, groups = training.groups(attribute)
    x, y = encoder().transform(training.frame), training.label_codes(training.labels)
    return PreparedRows(x, y, codes, 2, len(groups))


def reweighing(training: Dataset) -> np.ndarray:
    """The weights of RWT by race, shape (n,)."""
    from core.workflows.mitigation.reweighing import weights_of

    return weights_of(people(training, "race"), 1.0)


def debiased(training: Dataset, seed: int) -> ModuleModel:
    """Adversarial debiasing (ADB) of a linear model against race."""
    from core.models.module import ModuleModel
    from core.workflows.mitigation.adversarial import fit_adversarial
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.networks import Training

    prepared = people(training, "race")
    baseline = fit_baseline(prepared, Base(), seed, ignore_progress, "")
    fitted = fit_adversarial(AdversarialPenalty(), Training(prepared, baseline, 0.9, Base(), seed))
    return ModuleModel(fitted.module, encoder(), training.labels, "ADB")


def selection(seed: int, files: FileStore) -> SelectionResult:
    """What :mod:`core.workflows.selection` makes of the path (sec. 5.2), on its own split 50/20/30 of all rows."""
    plan = SelectionPlan(
        data=SOURCE.model_copy(update={"part": "all"}),
        roles=SOURCE.roles(pd.DataFrame()),
        candidates=LogisticPath(points=len(STRENGTHS), span=STRENGTHS[-1] / STRENGTHS[0]),
        parts=Parts(training=0.5, validation=0.2, audit=0.3),
        audit=AUDIT,
        seed=seed,
    )
    return run_selection(plan, files)


def chosen_of(result: SelectionResult, files: FileStore) -> tuple[ModuleModel, Dataset]:
    """The model that was chosen, and its audit rows."""
    from core.models.module import ModuleModel

    if result.audit is None:
        raise ValueError("No model of the path may be chosen.")
    audited = Dataset.build(result.audit.data.load(files), result.audit.roles)
    model = result.audit.model.load(files, audited)
    if not isinstance(model, ModuleModel):
        raise TypeError("The path is made of linear models.")
    return model, audited


@dataclass(frozen=True)
class AuditedRow:
    """One model on one split: its audit, and the group metrics by race (Caucasian is privileged) and by sex (women)."""

    result: AuditResult
    race: SignedDifferences
    sex: SignedDifferences

    def as_published(self, decision: TransportDecision) -> Estimated:
        """The estimate with the paper's own m-out-of-n bootstrap, m = n^(3/4)."""
        detail, finding = self.result.detail, TransportFinding(transport_result(self.result), decision)
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


def measure(model: ModuleModel, audited: Dataset, seed: int, audit: Transport = AUDIT) -> AuditedRow:
    """Audit a model on these rows."""
    data = model.encode(audited)
    decided, outcome = model.predict_proba(data).argmax(axis=1) == 1, data.y == 1
    race, sex = (
        against_privileged(outcome, decided, (audited.frame[name] == privileged).to_numpy())
        for name, privileged in (("race", "Caucasian"), ("sex", "Female"))
    )
    return AuditedRow(run_audit(model, audited, audit, seed=seed), race, sex)


def table_unit(given: Given) -> Found:
    """One method on one split: its row of Table 1; of RLR the choice and the ends of the path too, of one split all."""
    from sklearn.linear_model import LogisticRegression

    method, split = str(given["method"]), int(given["split"])
    if method == "RLR":
        with TemporaryDirectory(prefix="evenhand-") as folder:
            files = FileStore(Path(folder))
            result = selection(split, files)
            model, audited = chosen_of(result, files)
            return {**_row(model, audited, split), **_path(result, drawn=split == 0)}
    training, audited = rows("train", split), rows("test", split)
    if method == "ADB":
        return _row(debiased(training, split), audited, split)
    weights = reweighing(training) if method == "RWT" else None
    return _row(fit(training, LogisticRegression(max_iter=1_000), weights), audited, split)


def _row(model: ModuleModel, audited: Dataset, split: int) -> Found:
    row = measure(model, audited, split)
    values = row.numbers(row.as_published(READING), READING)
    rejected = find(row.result, READING).verdict is Verdict.VIOLATION
    return {**{name: [value] for name, value in zip(COLUMNS, values, strict=True)}, "rejected": [float(rejected)]}


def _path(result: SelectionResult, *, drawn: bool) -> Found:
    path, chosen = result.path, result.chosen
    if path is None or chosen is None:
        raise ValueError("No model of the path may be chosen.")
    values = [one.unfairness.value for one in result.candidates]
    bounds = [one.unfairness.lower_bound(READING.alpha) for one in result.candidates]
    found = {
        "chosen": [float(path.strengths[chosen])],
        "strongest penalty": values[:1],  # verbatim
        "weakest penalty": bounds[-1:],  # verbatim
        **{
            f"uses {name}": [float(used)]  # verbatim
            for name, used in zip(path.encoder.names, path.used[chosen], strict=True)  # verbatim
        },  # verbatim
    }
    if not drawn:
        return found
    names = [f"coefficient {name}" for name in path.encoder.names]  # verbatim
    return {
        **found,
        "strengths": [float(one) for one in path.strengths],
        "accuracies": [one.accuracy for one in result.candidates],
        "values": values,
        "bounds": bounds,
        **{name: [float(one) for one in path.coefficients[:, 0, place]] for place, name in enumerate(names)},
    }


def units(splits: int, quick: bool, methods: Sequence[str] = METHODS) -> tuple[Piece, ...]:
    """One method on one split each."""
    return tuple(
        Piece(table_unit, {"table": "faith", "method": method, "split": split}, Compas.published)
        for split, method in product(range(splits), methods)
    )


FIGURE_2_SPLIT = 17
"""The paper does not say which split it draws; of 50, this one has exactly its counts."""


def figure_1_unit(given: Given) -> Found:
    """The sampling distribution of √n (ψ(f_n) − ψ(f_*)), its limit, and the bootstrap's approximation to it."""
    from sklearn.linear_model import LogisticRegression

    count, split = int(given["draws"]), int(given["split"])
    result = measure(fit(rows("train", split), LogisticRegression(max_iter=1_000)), rows("test", split), 0).result
    finding = TransportFinding(transport_result(result), READING.model_copy(update={"method": "closed form"}))
    envelope, truth, n = finding.part.envelope, finding.part.sample.masses, finding.part.sample.n
    rng, size = np.random.default_rng(0), default_size(n)

    def roots(masses: np.ndarray, people: int) -> np.ndarray:
        drawn = rng.multinomial(people, masses / masses.sum(), size=count) / people
        centre = float(envelope.value(masses, finding.budget))
        return np.sort(np.sqrt(people) * (envelope.value(drawn, finding.budget) - centre))

    sampled = roots(truth, n)
    bootstrap = roots(rng.multinomial(n, truth / truth.sum()) / n, size)
    seen = finding.seen
    limit = (seen.upper_bound(0.16) - seen.value) / 0.994457883 * np.sqrt(n)
    levels = np.linspace(0.01, 0.99, 99)
    return {
        "sampled": [float(one) for one in np.quantile(sampled, levels)],
        "bootstrap": [float(one) for one in np.quantile(bootstrap, levels)],
        "levels": [float(one) for one in levels],
        "limit over sampled": [float(limit / sampled.std())],  # verbatim
        "bootstrap over sampled": [float(bootstrap.std() / sampled.std())],  # verbatim
    }


def figure_2_unit(given: Given) -> Found:
    """How many people the transport moves, by what Figure 2 draws of them."""
    from sklearn.linear_model import LogisticRegression

    split = int(given["split"])
    model, audited = fit(rows("train", split), LogisticRegression(max_iter=1_000)), rows("test", split)
    moved = moves(measure(model, audited, 0).result)
    old = moved[moved["charged"] & (moved["age_cat"] == "Greater than 45") & (moved["sex"] == "Male")]  # verbatim
    young = moved[~moved["charged"] & (moved["age_cat"] == "Less than 25")]  # verbatim
    return {
        "Black men": [float(old.loc[old["race"] == "African-American", "people"].sum())],  # verbatim
        "white men": [float(old.loc[old["race"] == "Caucasian", "people"].sum())],  # verbatim
        "old to women": [float((old["sex to"] == "Female").mean())],  # verbatim
        "young to Black men": [  # verbatim
            float(((young["sex to"] == "Male") & (young["race to"] == "African-American")).mean())  # verbatim
        ],  # verbatim
        "of middle age": [float(moved.loc[moved["age_cat"] == "25 - 45", "people"].sum())],  # verbatim
        "one to three priors": [float(moved.loc[moved["priors"] == "1 to 3", "people"].sum())],  # verbatim
    }


def moves(result: AuditResult) -> pd.DataFrame:
    """The optimal transport plan, a row a move: whence, whither ("sex to"), how many people, whether charged again."""
    detail = result.detail
    plan, frame = TransportFinding(transport_result(result), READING).solution.plan, detail.cells.frame
    origin = frame.iloc[plan.source].reset_index(drop=True)
    target = frame.iloc[plan.target].reset_index(drop=True).add_suffix(" to")
    charged = np.array(detail.cells.labels)[detail.cells.label[plan.source]] == "1"
    people = np.rint(plan.mass * result.data.rows_audited).astype(int)
    moved: pd.DataFrame = pd.concat([origin, target], axis=1)
    return moved.assign(people=people, charged=charged)


def one_split(work: object, splits: int, quick: bool, **given: int) -> tuple[Piece, ...]:
    """One piece, on the split that Figure 2 draws."""
    return (Piece(work, {**given, "split": FIGURE_2_SPLIT}, Compas.published),)  # type: ignore[arg-type]
