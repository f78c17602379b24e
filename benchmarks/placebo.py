"""The placebo bench: what is said of real tables whose protected columns are shuffled, and of them as they are.

    python -m benchmarks.placebo run --out RUNS.csv          (hours; what is in RUNS.csv is not run again)
    python -m benchmarks.placebo table RUNS.csv              (writes benchmarks/placebo.csv and placebo.md)

A shuffled attribute has no bearing on anything, so that whoever is accused is accused wrongly; at most alpha of the
tables may be. What a test says of the table as it is stands beside what the textbook says (``benchmarks.textbook``).
"""

import argparse
import csv
import math
import tempfile
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from benchmarks.placebo_tables import ANSWER, TABLES, PlaceboTable
from benchmarks.registry import estimator
from benchmarks.textbook import moved
from core.audits import KINDS, AuditSettings
from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.models.formats.skops.source import SklearnFile
from core.models.predictions import PredictionColumns
from core.run import find, run_audit
from core.workflows.proposing import begun, unsuited

BY_PREDICTIONS = ("group_fairness", "equalized_odds", "transport")
BY_MODEL = ("column_sensitivity", "gradient_flow")
ALPHA = 0.05
AS_IT_IS = -1
"""The number of the shuffle that shuffles nothing."""
NOT_RUN = "not run"
TOLERATED = KINDS["column_sensitivity"].decision().delta
"""How far the answers of a refitted model may really move; one that moves further is accused rightly."""


@dataclass(frozen=True)
class Run:
    """What one test said of one table; a line of the file of runs.

    Attributes:
        table: Package and name.
        kind: Kind of test.
        shuffle: Number of the shuffle; -1 for the table as it is.
        verdict: The verdict, or "not run".
        p_value: Of the verdict; NaN where there is none.
        moves: How far a refitted model's answers really move in the other groups of the attribute they move most with;
            NaN for other tests. Chance gives every fitted model some weight on a shuffled attribute.
        named: Who is named.
        told: The sentence, or why it was not run.
        seconds: What it took.
    """

    table: str
    kind: str
    shuffle: int
    verdict: str
    p_value: float
    moves: float
    named: str
    told: str
    seconds: float


def shuffled(frame: pd.DataFrame, table: PlaceboTable, shuffle: int) -> pd.DataFrame:
    """The table with its protected columns shuffled jointly.

    Where rows belong together, whole clusters change places. If nobody's attributes vary within a cluster, each gets
    those of another one; otherwise the clusters are laid one after another in a random order, and their rows are given
    to the rows as they stand, so that neighbours stay neighbours.
    """
    names = table.protected.split()
    rng = np.random.default_rng([zlib.crc32(table.name.encode()), shuffle])
    if not table.belongs_to:
        order = rng.permutation(len(frame))
        return frame.assign(**{name: frame[name].to_numpy()[order] for name in names})
    clusters = frame[table.belongs_to]
    places = frame.groupby(clusters, sort=True).indices
    if (frame.groupby(clusters)[names].nunique() <= 1).all(axis=None):
        firsts = np.array([rows[0] for rows in places.values()])
        codes = pd.Index(places).get_indexer(clusters)
        order = rng.permutation(firsts)[codes]
        return frame.assign(**{name: frame[name].to_numpy()[order] for name in names})
    blocks = list(places.values())
    source = np.concatenate([blocks[place] for place in rng.permutation(len(blocks))])
    target = np.concatenate(blocks)
    order = np.empty(len(frame), dtype=np.int64)
    order[target] = source
    return frame.assign(**{name: frame[name].to_numpy()[order] for name in names})


def roles(table: PlaceboTable, *, model: bool = False) -> Roles:
    """What each column is for; a model reads its protected attributes too."""
    protected, features = tuple(table.protected.split()), tuple(table.features.split())
    decided = table.learner is None
    return Roles(
        outcome="" if decided else table.outcome,
        outcome_type="number" if table.numbers else "classes",
        favourable=table.favourable,
        protected=protected,
        features=(*features, *protected) if model else features,
        predictions=() if model else (table.outcome if decided else ANSWER,),
        belongs_to=table.belongs_to,
        categorical=tuple(table.whole.split()),
    )


def predictions(frame: pd.DataFrame, table: PlaceboTable, files: FileStore) -> tuple[AbstractModel, Dataset]:
    """The table and its column of predictions."""
    dataset = Dataset.build(frame, roles(table))
    return PredictionColumns(columns=dataset.roles.predictions, holds=table.holds).load(files, dataset), dataset


def fitted(frame: pd.DataFrame, table: PlaceboTable) -> tuple[Pipeline, pd.DataFrame]:
    """A logistic regression of this very table, protected attributes included, and what it reads."""
    read = frame[[*table.features.split(), *table.protected.split()]]
    words = [name for name in read if read[name].dtype.kind not in "ifu"]
    read = read.astype(dict.fromkeys(words, str))
    return estimator("logistic", read).fit(read, frame[table.outcome]), read


def refitted(
    model: Pipeline, frame: pd.DataFrame, table: PlaceboTable, files: FileStore
) -> tuple[AbstractModel, Dataset]:
    """The table and the model fitted to it, from its file."""
    import skops.io

    dataset = Dataset.build(frame.drop(columns=ANSWER, errors="ignore"), roles(table, model=True))
    source = SklearnFile(file=files.put(skops.io.dumps(model), "model.skops"))
    return source.load(files, dataset), dataset


def run(
    table: PlaceboTable, frame: pd.DataFrame, shuffle: int, kinds: tuple[str, ...], files: FileStore
) -> Iterator[Run]:
    """What each kind of test says, at the settings with which it begins and its own decision settings."""
    given = frame if shuffle == AS_IT_IS else shuffled(frame, table, shuffle)
    by_predictions = [kind for kind in kinds if kind in BY_PREDICTIONS]
    by_model = [kind for kind in kinds if kind in BY_MODEL and table.learner is not None and not table.numbers]
    if by_predictions:
        for kind, verdict, p_value, *said in _each(by_predictions, *predictions(given, table, files), shuffle):
            yield Run(table.name, kind, shuffle, verdict, p_value, math.nan, *said)
    if by_model:
        fit, read = fitted(given, table)
        moves = max(float(moved(fit, read, name, table.favourable).mean()) for name in table.protected.split())
        for kind, verdict, p_value, *said in _each(by_model, *refitted(fit, given, table, files), shuffle):
            known = moves if kind == "column_sensitivity" else math.nan
            yield Run(table.name, kind, shuffle, verdict, p_value, known, *said)


def _each(
    kinds: list[str], model: AbstractModel, dataset: Dataset, shuffle: int
) -> Iterator[tuple[str, str, float, str, str, float]]:
    """Kind, verdict, p-value, who is named, sentence, and seconds."""
    audits = begun(model, dataset)
    wrong = unsuited(audits, model, dataset)
    for kind in kinds:
        started = time.perf_counter()
        said = NOT_RUN, math.nan, "", str(wrong.get(kind, ""))
        if kind not in wrong:
            said = _said(model, dataset, audits[kind], max(shuffle, 0))
        yield kind, *said, round(time.perf_counter() - started, 2)


def _said(model: AbstractModel, dataset: Dataset, audit: AuditSettings, seed: int) -> tuple[str, float, str, str]:
    try:
        finding = find(run_audit(model, dataset, audit, seed=seed), KINDS[audit.kind].decision())
        return finding.verdict.value, float(finding.p_value), str(finding.named), str(finding.sentence)
    except EvenhandError as error:
        return NOT_RUN, math.nan, "", str(error)


def read_runs(path: Path) -> pd.DataFrame:
    """The file of runs."""
    return pd.read_csv(path, keep_default_na=False, na_values={"p_value": ["nan", ""], "moves": ["nan", ""]})


def run_all(out: Path, shuffles: int, kinds: tuple[str, ...], tables: tuple[PlaceboTable, ...]) -> None:
    """Run what the file of runs does not hold yet, and write each line as soon as it is known."""
    done = set()
    if out.exists():
        done = {(one.table, one.kind, one.shuffle) for one in read_runs(out).itertuples()}
    with out.open("a", newline="", encoding="utf-8") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.writer(file)
        if not done:
            writer.writerow([field.name for field in fields(Run)])
        frames = {table.name: table.people() for table in tables}
        for shuffle in range(AS_IT_IS, shuffles):
            for table in tables:
                open_kinds = tuple(kind for kind in kinds if (table.name, kind, shuffle) not in done)
                for one in run(table, frames[table.name], shuffle, open_kinds, FileStore(Path(folder))):
                    writer.writerow([getattr(one, field.name) for field in fields(Run)])
                file.flush()


def most_wrong(runs: int) -> float:
    """The largest number of accusations that is within alpha plus two Monte-Carlo errors."""
    return runs * (ALPHA + 2 * (ALPHA * (1 - ALPHA) / runs) ** 0.5) if runs else 0.0


def by_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Verdicts of the shuffled tables, one line a table and kind."""
    rows = []
    for (table, kind), part in runs[runs["shuffle"] != AS_IT_IS].groupby(["table", "kind"], sort=False):
        counts = Counter(part["verdict"])
        rightly = int(((part["verdict"] == Verdict.VIOLATION.value) & (part["moves"] > TOLERATED)).sum())
        ran = len(part) - counts[NOT_RUN]
        rows.append(
            {
                "table": table,
                "kind": kind,
                "shuffles": len(part),
                "ran": ran,
                "accused": counts[Verdict.VIOLATION.value] - rightly,
                "rightly": rightly,
                "cleared": counts[Verdict.NO_VIOLATION.value],
                "undecided": counts[Verdict.INSUFFICIENT.value],
                "smallest p": part["p_value"].min(),
            }
        )
    return pd.DataFrame(rows)


def by_kind(tables: pd.DataFrame) -> pd.DataFrame:
    """Verdicts of all shuffled tables together, one line a kind."""
    sums = tables.groupby("kind", sort=False)[["ran", "accused", "rightly", "cleared", "undecided"]].sum()
    sums.insert(0, "tables", tables[tables["ran"] > 0].groupby("kind").size())
    sums["at most"] = [round(most_wrong(ran), 1) for ran in sums["ran"]]
    sums["share cleared"] = (sums["cleared"] / sums["ran"].clip(lower=1)).round(3)
    return sums.reset_index()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("--out", type=Path, required=True)
    running.add_argument("--shuffles", type=int, default=50)
    running.add_argument("--kinds", nargs="+", choices=(*BY_PREDICTIONS, *BY_MODEL), default=BY_PREDICTIONS)
    running.add_argument("--tables", nargs="+", default=[table.name for table in TABLES])
    telling = commands.add_parser("table")
    telling.add_argument("runs", type=Path, nargs="+")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.command == "run":
        chosen = tuple(table for table in TABLES if table.name in given.tables)
        run_all(given.out, given.shuffles, tuple(given.kinds), chosen)
    else:
        from benchmarks.placebo_report import write

        write(pd.concat([read_runs(path) for path in given.runs]), Path(__file__).parent)


if __name__ == "__main__":
    main()
