"""What a test does not read costs it no row, and changes nothing it finds."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits import KINDS
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, Transport
from core.base.errors import DataError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.formats.safetensors.source import TorchMLP
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.report.model import build
from core.report.multiple_tests import Together
from core.run import find, run_audit
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.proposing import default_settings

ROLES = Roles(
    outcome="repaid",
    favourable="yes",
    protected=("sex",),
    features=("region", "income"),
    predictions=("answer", "other"),
)
ODDS = EqualizedOdds(dummies=199)
BY_REGION = Transport(columns=(CellColumn(name="region"), CellColumn(name="sex")), draws=200)
TESTS: dict[str, tuple[Any, Any]] = {
    "equalized odds": (ODDS, EqualizedOddsDecision(delta=0.1)),
    "groups": (GroupFairness(), GroupFairnessDecision(delta=0.1)),
    "transport": (BY_REGION, TransportDecision(delta=0.1)),
}


def applicants(seed: int, n: int, gap: float = 0.04) -> pd.DataFrame:
    """Of people who repay, women are approved more often by ``gap``; the income of women turned down is often empty."""
    rng = np.random.default_rng(seed)
    woman, repays = rng.random(n) < 0.5, rng.random(n) < 0.5
    approved = rng.random(n) < np.where(repays, np.where(woman, 0.5 + gap, 0.5), 0.3)
    income = rng.normal(size=n).round(2)
    income[rng.random(n) < np.where(woman & ~approved, 0.35, 0.02)] = np.nan
    return pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "region": rng.choice(["north", "south"], n),
            "income": income,
            "repaid": np.where(repays, "yes", "no"),
            "answer": np.where(approved, "yes", "no"),
            "other": np.where(rng.random(n) < 0.5, "yes", None),
        }
    )


def found(frame: pd.DataFrame, audit: Any, decision: Any, seed: int = 0, roles: Roles = ROLES) -> Any:
    source = PredictionColumns(columns=("answer",), holds="labels")
    dataset = source.dataset(frame, roles)
    return find(run_audit(source.load(FileStore(), dataset), dataset, audit, seed=seed), decision)


class OfRegion(AbstractModel):
    """Everybody of one region is approved."""

    name, kind, fingerprint, no_gradients = "by region", "by region", "by region", "It has no slope."
    classes = ("no", "yes")

    def __init__(self, dataset: Dataset) -> None:
        self.encoder = Encoder.fit(dataset.frame, ("region",))

    def answers(self, data: EncodedDataset) -> np.ndarray:
        return np.column_stack([1 - data.x[:, 0], data.x[:, 0]])


@pytest.mark.parametrize("name", TESTS)
def test_a_gap_in_a_column_that_is_not_read_changes_nothing(name: str) -> None:
    """Law: the same rows, estimates, bounds and words whatever is blank elsewhere."""
    frame = applicants(0, 1200)
    gaps = found(frame, *TESTS[name])
    whole = found(frame.assign(income=1.0, other="yes"), *TESTS[name])
    assert (gaps.result.data.rows_audited, gaps.result.data.rows_left_out) == (1200, 0)
    assert gaps.result.data.left_out == ()
    assert gaps.statistics == whole.statistics
    assert (gaps.verdict, gaps.sentence) == (whole.verdict, whole.sentence)


@pytest.mark.parametrize(
    ("audit", "reads"),
    [
        (EqualizedOdds(dummies=99, asks="demographic parity", given=("income",)), True),
        (EqualizedOdds(dummies=99, asks="demographic parity", given=("region",)), False),
        (BY_REGION, False),
        (Transport(columns=(CellColumn(name="income", edges=(0.0,)),), draws=200), True),
        (Transport(columns=(CellColumn(name="region"),), similarity=DifferOnlyIn(columns=("income",))), True),
        (Transport(draws=200), True),
        (BY_REGION.model_copy(update={"similarity": ByMetric(metric=SensitiveSubspace())}), True),
    ],
)
def test_a_test_reads_the_columns_its_settings_name(audit: Any, reads: bool) -> None:
    frame = applicants(1, 1200)
    source = PredictionColumns(columns=("answer",))
    dataset = source.dataset(frame.assign(other="yes"), ROLES)
    rows = audit.rows(source.load(FileStore(), dataset), dataset)
    assert len(rows) == (frame["income"].notna().sum() if reads else 1200)


@pytest.mark.parametrize("kind", [kind for kind, known in KINDS.items() if known.reads != "texts"])
def test_every_kind_of_test_reads_what_the_model_reads(kind: str) -> None:
    dataset = Dataset.build(applicants(1, 400), ROLES)
    model, audit = OfRegion(dataset), default_settings(kind)
    assert "region" in audit.reads(model, ROLES)
    rows = audit.rows(model, dataset)
    assert len(rows) == (400 if kind != "transport" else applicants(1, 400)["income"].notna().sum())
    assert "other" not in rows.frame


def test_a_model_that_reads_one_feature_loses_no_row_for_another() -> None:
    frame = applicants(2, 1500)
    dataset = Dataset.build(frame, ROLES)
    result = run_audit(OfRegion(dataset), dataset, ODDS, seed=0)
    assert (result.data.rows_audited, result.data.gaps) == (1500, ())
    lost = frame.assign(region=frame["region"].mask(np.random.default_rng(0).random(1500) < 0.2))
    again = Dataset.build(lost, ROLES)
    other = run_audit(OfRegion(again), again, ODDS, seed=0)
    gone = int(lost["region"].isna().sum())
    assert (other.data.rows_left_out, other.data.gaps) == (gone, (("region", gone),))
    told = next(caveat for caveat in other.caveats if "missing cells" in caveat.what)
    assert told.level == "warning"
    assert f"'region' ({gone})" in told.what


def test_a_model_in_a_file_reads_no_column_of_answers() -> None:
    """Half of the second predictions are empty, and of the first in this table all but a few."""
    frame = applicants(2, 300).assign(answer=lambda one: one["answer"].where(one.index < 8), income=1.0)
    dataset = TorchMLP(file=FileStore().put(b"not read here", "model.safetensors")).dataset(frame, ROLES)
    assert len(ODDS.rows(OfRegion(dataset), dataset)) == 300


def test_features_with_hardly_a_value_stop_no_test_of_predictions() -> None:
    frame = applicants(3, 600).assign(income=lambda one: one["income"].where(one.index < 12))
    result = found(frame, *TESTS["equalized odds"])
    assert result.result.data.rows_audited == 600
    with pytest.raises(DataError, match="usable rows"):
        found(frame, Transport(draws=200), TransportDecision())


def test_an_outcome_that_only_rows_with_gaps_have_is_known() -> None:
    frame = applicants(4, 900)
    frame.loc[:59, ["repaid", "income"]] = ["partly", None]
    frame.loc[:19, "answer"] = "partly"
    result = found(frame, ODDS, EqualizedOddsDecision(delta=0.1))
    assert result.result.model.classes == ("no", "partly", "yes")
    assert result.result.model.confusion.sum() == 900


def test_every_place_tells_for_each_test_how_many_rows_it_lost_and_why() -> None:
    files = FileStore()
    frame = applicants(5, 1500).drop(columns="other")
    gone = int(frame["income"].isna().sum())
    data = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv"))
    shared = {
        "data": data,
        "roles": ROLES.model_copy(update={"predictions": ("answer",)}),
        "model": PredictionColumns(columns=("answer",)),
    }
    by_income = Transport(columns=(CellColumn(name="income", edges=(0.0,)),), draws=200)
    study = Study(plans=tuple(AuditPlan(**shared, audit=audit) for audit in (ODDS, by_income)))
    results = AUDITS.run(study, files)
    assert [one.data.rows_left_out for one in results] == [0, gone]
    assert results[0].data.fingerprint == results[1].data.fingerprint
    assert results[0].model.fingerprint == results[1].model.fingerprint
    together = Together.of(study, results)
    report = build(study, together)
    facts = {str(fact.label): str(fact.value) for fact in report.tested}
    odds, transport = together.names
    with_gaps = f"{odds}: 0 rows; {transport}: {gone} rows with gaps in 'income' ({gone})"
    assert facts["Left out for missing values"] == with_gaps
    assert facts["Audited"] == f"{odds}: 1,500 rows; {transport}: {1500 - gone:,} rows"
    assert [str(table.caption).startswith(transport) for table in report.left_out] == [True]
    line = AUDITS.lines(study, results)[1]
    assert f"{odds}: 1,500 rows in the table, 0 left out for missing values, 1,500 audited" in line
    assert f"{gone} left out for missing values, {1500 - gone:,} audited. Empty: 'income' ({gone})" in line
    tests = AUDITS.document(study, results)["tests"]
    assert [test["data"]["rows_left_out"] for test in tests] == [0, gone]
    assert [list(map(list, test["data"]["gaps"])) for test in tests] == [[], [["income", gone]]]
    assert f"{odds}: 1,500 rows" in " ".join(map(str, AUDITS.slides(study, results).deck.slides[1].points))


class TestSimulation:
    """Women who were turned down have no income on file in 35 of 100 cases, others in 2; the gap in truth is 4 points.

    With rows lost for the income of which no test reads anything, the gap among the rest is 14 points.
    """

    def judge(self, name: str, tables: int, n: int, gap: float) -> list[Any]:
        return [found(applicants(seed, n, gap), *TESTS[name], seed=seed) for seed in range(tables)]

    @pytest.mark.parametrize("name", TESTS)
    def test_nobody_is_accused_for_a_gap_that_no_test_reads(self, name: str) -> None:
        each = self.judge(name, 3, 6000, 0.04)
        assert all(one.result.data.rows_audited == 6000 for one in each)
        assert all(one.verdict is not Verdict.VIOLATION for one in each)

    @pytest.mark.long
    @pytest.mark.parametrize("name", TESTS)
    def test_error_rates_and_power(self, name: str) -> None:
        tables = 200
        fair = self.judge(name, tables, 12_000, 0.04)
        assert (
            sum(one.verdict is Verdict.VIOLATION for one in fair) / tables <= 0.05 + 2 * (0.05 * 0.95 / tables) ** 0.5
        )
        limit = self.judge(name, tables, 12_000, 0.1)
        cleared = sum(one.verdict is Verdict.NO_VIOLATION for one in limit) / tables
        if name != "transport":
            assert cleared <= 0.05 + 2 * (0.05 * 0.95 / tables) ** 0.5
            assert sum(one.verdict is Verdict.NO_VIOLATION for one in fair) / tables >= 0.9
            unfair = self.judge(name, tables, 12_000, 0.16)
            assert sum(one.verdict is Verdict.VIOLATION for one in unfair) / tables >= 0.9
