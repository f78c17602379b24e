"""The tables of the placebo bench: who is accused though nothing is there, and what the textbook says of what is."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.placebo import (
    ALPHA,
    AS_IT_IS,
    BY_MODEL,
    BY_PREDICTIONS,
    NOT_RUN,
    by_kind,
    by_table,
    fitted,
    most_wrong,
    predictions,
)
from benchmarks.placebo_tables import ANSWER, TABLES, PlaceboTable
from benchmarks.placebo_why import WHY
from benchmarks.textbook import (
    Difference,
    against_the_rest,
    judge,
    mantel_haenszel,
    mean_score_test,
    moved,
    paired_bootstrap,
    pairs,
    ratio_to_the_rest,
)
from core.audits import KINDS
from core.audits.transport.proposal import propose
from core.base.files import FileStore
from core.inference.estimate import Verdict
from core.workflows.proposing import begun

BINS = 10


@dataclass(frozen=True)
class Beside:
    """What a test and a textbook say of one table as it is.

    Attributes:
        table: Package and name.
        kind: Kind of test.
        verdict: The test's.
        p_value: Its p-value.
        named: Whom it names.
        textbook: The textbook's verdict at the same tolerance.
        tells: The textbook's largest difference, with one-sided limits, and its p-value of no difference at all.
        why: Where they disagree, why.
    """

    table: str
    kind: str
    verdict: str
    p_value: float
    named: str
    textbook: str
    tells: str
    why: str


@dataclass(frozen=True)
class Judged:
    """A table as the textbook reads it: whether people get the answer, and who deserves it."""

    table: PlaceboTable
    frame: pd.DataFrame
    answer: np.ndarray
    deserved: np.ndarray | None

    @classmethod
    def of(cls, table: PlaceboTable) -> "Judged":
        """Answers as 0 and 1, or as errors in the outcome's standard deviations."""
        frame = table.people()
        given = frame[ANSWER if table.learner is not None else table.outcome]
        if table.numbers:
            return cls(table, frame, (given / frame[table.outcome].std()).to_numpy(), None)
        good = given >= 0.5 if table.holds == "probability" else given == table.favourable
        known = (frame[table.outcome] == table.favourable).to_numpy() if table.learner is not None else None
        return cls(table, frame, good.to_numpy(dtype=np.float64), known)

    @property
    def clusters(self) -> np.ndarray | None:
        """Which rows belong together."""
        return self.frame[self.table.belongs_to].to_numpy() if self.table.belongs_to else None

    def groups(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each protected attribute and its values."""
        for name in self.table.protected.split():
            yield name, self.frame[name].to_numpy()

    @property
    def strata(self) -> np.ndarray:
        """The outcome; tenths of it where it is a number; nothing where there is none."""
        if self.table.learner is None:
            return np.zeros(len(self.frame), dtype=np.int64)
        outcome = self.frame[self.table.outcome]
        if self.table.numbers:
            return pd.qcut(outcome, BINS, labels=False, duplicates="drop").to_numpy()
        return outcome.to_numpy()


def two_proportions(judged: Judged, tolerance: float) -> tuple[Verdict, str]:
    """Each group against everybody else of its attribute: the share turned away, or the error of a number."""
    deserved = np.ones(len(judged.frame), bool) if judged.deserved is None else judged.deserved
    harm, clusters = 1 - judged.answer, judged.clusters
    if judged.table.numbers:
        outcome = judged.frame[judged.table.outcome]
        harm = judged.answer - (outcome / outcome.std()).to_numpy()
    found: list[Difference] = []
    ratios = []
    for name, groups in judged.groups():
        given = None if clusters is None else clusters[deserved]
        found += against_the_rest(harm[deserved], groups[deserved], given, named=f"{name} = ")
        if not judged.table.numbers:
            for one in np.unique(groups):
                ratio = ratio_to_the_rest(judged.answer[deserved], groups[deserved] == one)
                ratios.append((ratio[0], f"{name} = {one}"))
    verdict = judge(found, tolerance, both_ways=judged.table.numbers)
    told = _largest(found, both_ways=judged.table.numbers)
    if ratios:
        lowest = min(ratios)
        told += f"; lowest ratio {lowest[0]:.2f} ({lowest[1]})"
    return verdict, told


def cochran_mantel_haenszel(judged: Judged, tolerance: float) -> tuple[Verdict, str]:
    """Every two groups within every outcome, and the test of no difference within any."""
    y, found, p = judged.answer, [], 1.0
    if judged.table.numbers:
        y = y - pd.Series(y).groupby(judged.strata).transform("mean").to_numpy()
    for _, groups in judged.groups():
        strata = np.zeros(len(y), dtype=np.int64) if judged.table.numbers else judged.strata
        found += pairs(y, groups, strata, judged.clusters)
        p = min(p, mean_score_test(y, groups, judged.strata) * len(judged.table.protected.split()))
    return judge(found, tolerance, both_ways=True), f"{_largest(found, both_ways=True)}; CMH p = {p:.2g}"


def within_kinds(judged: Judged, tolerance: float) -> tuple[Verdict, str]:
    """How many more decisions were wrong if people of one kind and outcome were all treated as one group of them is.

    A group may be any other one within another outcome: a model that favours a group errs in favour of it there and at
    the cost of the others here. Kinds of people are those the transport test proposes for the same table.
    """
    if judged.table.numbers or judged.table.learner is None:
        return Verdict.INSUFFICIENT, "no outcome of classes"
    model, dataset = predictions(judged.frame, judged.table, FileStore())
    columns = begun(model, dataset)["transport"].columns or propose(dataset, judged.answer)
    kinds = _binned(judged.frame, columns, judged.table.protected.split())
    given = judged.frame[ANSWER]
    if judged.table.holds == "probability":
        other = next(one for one in judged.frame[judged.table.outcome].unique() if one != judged.table.favourable)
        given = pd.Series(np.where(given >= 0.5, judged.table.favourable, other))
    wrong = (given.to_numpy() != judged.frame[judged.table.outcome].to_numpy()).astype(np.float64)
    strata = pd.factorize(pd.Series(kinds).astype(str) + "|" + pd.Series(judged.strata).astype(str))[0]
    found, p = [], 1.0
    for name, groups in judged.groups():
        by_outcome = [
            list(rises_by_group(wrong, groups, kinds, judged.strata == one)) for one in np.unique(judged.strata)
        ]
        found += [added(f"{name} = ", parts) for parts in product(*by_outcome)]
        p = min(p, mean_score_test(wrong, groups, strata) * len(judged.table.protected.split()))
    return judge(found, tolerance), f"{_largest(found)}; CMH p = {p:.2g}"


def rises_by_group(wrong: np.ndarray, groups: np.ndarray, kinds: np.ndarray, rows: np.ndarray) -> Iterator[Difference]:
    """The rise of the error rate of all people if those of one outcome, ``rows``, were treated as each group is."""
    for one in np.unique(groups[rows]):
        inside = groups[rows] == one
        common = mantel_haenszel(str(one), wrong[rows], inside, kinds[rows])
        weight = float(rows.mean() * (1 - inside.mean()))
        yield Difference(common.who, weight * common.value, weight * common.error, common.means, common.people)


def added(named: str, parts: Iterable[Difference]) -> Difference:
    """The sum of independent differences."""
    some = list(parts)
    who = named + ", ".join(one.who for one in some)
    value, error = sum(one.value for one in some), math.sqrt(sum(one.error**2 for one in some))
    return Difference(who, value, error, some[0].means, some[0].people)


def flipped(judged: Judged, tolerance: float) -> tuple[Verdict, str]:
    """How far a logistic regression's probability moves when people are put into the other groups, on average."""
    table = judged.table
    model, read = fitted(judged.frame, table)
    told, lows, highs = [], [], []
    for name, _ in judged.groups():
        changes = moved(model, read, name, table.favourable)
        low, high = paired_bootstrap(changes, judged.clusters)
        told.append(f"{name} {changes.mean():.3f} ({low:.3f} to {high:.3f})")
        lows.append(low)
        highs.append(high)
    verdict = Verdict.NO_VIOLATION if max(highs) <= tolerance else Verdict.INSUFFICIENT
    return (Verdict.VIOLATION if max(lows) > tolerance else verdict), "; ".join(told)


TEXTBOOK = {
    "group_fairness": two_proportions,
    "equalized_odds": cochran_mantel_haenszel,
    "transport": within_kinds,
    "column_sensitivity": flipped,
}


def _largest(found: list[Difference], *, both_ways: bool = False) -> str:
    known = [one for one in found if np.isfinite(one.value + one.error)]
    if not known:
        return "nothing to compare"
    one = max(known, key=lambda some: abs(some.value) if both_ways else some.value)
    low, high = one.bounds(ALPHA)
    return f"{one.who}: {one.value:+.3f} ({low:+.3f} to {high:+.3f})"


def _binned(frame: pd.DataFrame, columns: tuple, protected: list[str]) -> np.ndarray:  # type: ignore[type-arg]
    kinds = np.zeros(len(frame), dtype=np.int64)
    for column in columns:
        if column.name in protected:
            continue
        values = frame[column.name]
        merged = dict(column.merged)
        codes = (
            np.digitize(values.to_numpy(dtype=np.float64), column.edges)
            if column.edges
            else pd.factorize(values.astype(str).map(lambda one, merged=merged: merged.get(one, one)))[0]
        )
        kinds = pd.factorize(kinds * (codes.max() + 2) + codes)[0]
    return kinds


def beside(runs: pd.DataFrame) -> pd.DataFrame:
    """What tests and textbooks say of the tables as they are."""
    tables = {table.name: table for table in TABLES}
    rows, judged = [], {}
    for one in runs[runs["shuffle"] == AS_IT_IS].itertuples():
        if one.kind not in TEXTBOOK or one.verdict == NOT_RUN:
            continue
        if one.table not in judged:
            judged[one.table] = Judged.of(tables[one.table])
        verdict, tells = TEXTBOOK[one.kind](judged[one.table], KINDS[one.kind].decision().delta)
        why = "" if verdict.value == one.verdict else WHY.get((one.table, one.kind), "")
        rows.append(Beside(one.table, one.kind, one.verdict, one.p_value, one.named, verdict.value, tells, why))
    return pd.DataFrame([asdict(row) for row in rows])


def unexplained(table: pd.DataFrame) -> pd.DataFrame:
    """Disagreements without a line that explains them."""
    return table[(table["verdict"] != table["textbook"]) & (table["why"].fillna("") == "")]


def write(runs: pd.DataFrame, folder: Path, stem: str = "placebo") -> None:
    """Write what the bench found, as CSV files and as a page."""
    shuffled, compared = by_table(runs), beside(runs)
    shuffled.to_csv(folder / f"{stem}.csv", index=False, float_format="%.3g")
    compared.to_csv(folder / f"{stem}_as_they_are.csv", index=False, float_format="%.3g")
    (folder / f"{stem}.md").write_text("\n".join(_page(shuffled, compared)) + "\n", encoding="utf-8")


def _page(shuffled: pd.DataFrame, compared: pd.DataFrame) -> Iterator[str]:
    yield "# Placebo"
    yield ""
    yield (
        "Real tables whose protected columns are shuffled jointly, by whole clusters where rows belong together, at "
        "default settings. Whoever is accused is accused wrongly. Made by `python -m benchmarks.placebo`."
    )
    yield ""
    yield from _table(by_kind(shuffled))
    yield ""
    yield "Accusations by table, and in brackets what was cleared, of all runs:"
    yield ""
    yield from _table(_by_table_wide(shuffled))
    yield ""
    few = shuffled.assign(most=[most_wrong(ran) for ran in shuffled["ran"]])
    many = few[few["accused"] > few["most"]]
    yield f"More than alpha plus two errors of one table's own runs: {len(many)} of {len(few[few['ran'] > 0])}."
    yield ""
    yield "## The tables as they are"
    yield ""
    yield (
        "Beside each verdict that of the textbook at the same tolerance: two proportions for groups, Cochran, Mantel "
        "and Haenszel for equalized odds and transport, a paired bootstrap for columns."
    )
    yield ""
    for kind in dict.fromkeys(compared["kind"]):
        part = compared[compared["kind"] == kind]
        agree = int((part["verdict"] == part["textbook"]).sum())
        yield f"### {KINDS[kind].title}: {agree} of {len(part)} agree"
        yield ""
        shown = part[["table", "verdict", "named", "textbook", "tells", "why"]]
        yield from _table(shown)
        yield ""


def _by_table_wide(shuffled: pd.DataFrame) -> pd.DataFrame:
    kinds = [kind for kind in (*BY_PREDICTIONS, *BY_MODEL) if kind in set(shuffled["kind"])]
    rows = []
    for table, part in shuffled.groupby("table", sort=False):
        row = {"table": table}
        for kind in kinds:
            one = part[part["kind"] == kind]
            ran = int(one["ran"].sum())
            row[kind] = f"{int(one['accused'].sum())} ({int(one['cleared'].sum())}) of {ran}" if ran else "not run"
        rows.append(row)
    return pd.DataFrame(rows)


def _table(frame: pd.DataFrame) -> Iterator[str]:
    yield "| " + " | ".join(frame.columns) + " |"
    yield "|" + "---|" * len(frame.columns)
    for row in frame.itertuples(index=False):
        yield "| " + " | ".join(str(cell).replace("|", "/") for cell in row) + " |"
