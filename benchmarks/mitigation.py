"""Figures 2 to 5 of papers/fair-dummies.md on Communities and Nursery: errors, p-values, prediction sets over splits.

Not collected by pytest. ``python benchmarks/mitigation.py --splits 20 --out fairer.csv`` adds a line for each model
and split to the file and prints the table of what it holds; splits that are there are not run again. The paper's MEPS
is not to be had, so Fig. 3's trade-off over λ is that of Communities. Hyperparameters were chosen on splits 100 and
101.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.data.dataset import Dataset
from core.sources.public.communities import Communities
from core.sources.public.nursery import Nursery
from core.workflows.mitigation.baseline import fit_baseline
from core.workflows.mitigation.bench import prepare
from core.workflows.mitigation.fitting import fit
from core.workflows.mitigation.networks import Training
from core.workflows.mitigation.settings import (
    AdversarialPenalty,
    Base,
    FairDummiesPenalty,
    HGRPenalty,
    Method,
    MitigationPlan,
)

LINEAR = Base()
OF_COMMUNITIES = Base(kind="network", weight_decay=3.0, learning_rate=0.002, epochs=20)
OF_NURSERY = Base(kind="network", weight_decay=1.0, epochs=20)

DUMMIES_OF_COMMUNITIES = FairDummiesPenalty(gamma=1.0, epochs=100, batch=600, learning_rate=0.003)
DUMMIES_OF_NURSERY = FairDummiesPenalty(gamma=10.0, epochs=100, batch=0, learning_rate=0.03, looks=2)

Runs = tuple[tuple[Method, float], ...]

EXPERIMENTS: tuple[tuple[type[Communities | Nursery], Base, Runs], ...] = (
    (
        Communities,
        LINEAR,
        (
            *((DUMMIES_OF_COMMUNITIES, strength) for strength in (0.1, 0.3, 0.5, 0.7, 0.9, 0.97)),
            (AdversarialPenalty(epochs=15, batch=128, learning_rate=0.001), 0.5),
            (HGRPenalty(epochs=40, batch=600, learning_rate=0.003), 0.6),
        ),
    ),
    (
        Communities,
        OF_COMMUNITIES,
        (
            *((DUMMIES_OF_COMMUNITIES, strength) for strength in (0.3, 0.7, 0.9)),
            (AdversarialPenalty(epochs=15, batch=128, learning_rate=0.001), 0.7),
            (HGRPenalty(epochs=40, batch=600, learning_rate=0.003), 0.6),
        ),
    ),
    (
        Nursery,
        LINEAR,
        (
            (DUMMIES_OF_NURSERY, 0.99),
            (AdversarialPenalty(epochs=30, batch=512, learning_rate=0.01), 0.995),
            (HGRPenalty(epochs=20, batch=1024, learning_rate=0.02), 0.998),
        ),
    ),
    (
        Nursery,
        OF_NURSERY,
        (
            (DUMMIES_OF_NURSERY.model_copy(update={"learning_rate": 0.01}), 0.99),
            (AdversarialPenalty(epochs=30, batch=512, learning_rate=0.01), 0.998),
            (HGRPenalty(epochs=20, batch=1024, learning_rate=0.02), 0.97),
        ),
    ),
)
COLUMNS = (
    "table split base method strength error error_0 error_1 p_value gap cover_0 cover_1 size_0 size_1 seconds".split()  # noqa: SIM905
)


def main() -> None:
    """Run what is missing, then print the table."""
    import torch

    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first split")
    parser.add_argument("--out", type=Path, default=Path("fairer_models.csv"))
    parser.add_argument("--table", choices=["communities", "nursery"], help="one table only")
    parser.add_argument("--base", choices=["linear", "network"], help="one kind of model only")
    given = parser.parse_args()
    fresh = not given.out.exists()
    done = set() if fresh else {tuple(row) for row in _kept(given.out)[["table", "split", "base"]].to_numpy().tolist()}
    with given.out.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if fresh:
            writer.writeheader()
        for split in range(given.first, given.first + given.splits):
            for source, base, runs in EXPERIMENTS:
                kind = source().kind
                asked = given.table in (None, kind) and given.base in (None, base.kind)
                if asked and (kind, split, base.kind) not in done:
                    writer.writerows(rows_of(source, base, runs, split))
                    file.flush()
    sys.stdout.write(table_of(_kept(given.out)) + "\n")


def rows_of(source: type[Communities | Nursery], base: Base, runs: Runs, split: int) -> Iterator[dict[str, object]]:
    """The plain model and every fairer one of a split: 60% to train, 20% held out, 20% to test; K = 999."""
    table = source(part="all")
    plan = MitigationPlan(data=table, roles=table.roles(pd.DataFrame()), base=base, dummies=999, seed=split)
    files = FileStore(Path(tempfile.gettempdir()) / "evenhand-fairer-models")
    bench = prepare(plan, Dataset.build(table.load(files), plan.roles))
    baseline = fit_baseline(bench.rows[0], base, split, ignore_progress, "baseline")
    for method, strength in ((None, 0.0), *runs):
        started = time.perf_counter()
        row: dict[str, object] = {"table": table.kind, "split": split, "base": base.kind, "strength": strength}
        row["method"] = method.kind if method else "plain"
        try:
            model = fit(method, Training(bench.rows[0], baseline, strength, base, split)) if method else baseline
            tried = bench.tried(model, strength, plan, files, ignore_progress)
        except EvenhandError as error:
            sys.stderr.write(f"{row}: {error}\n")
            yield row
            continue
        errors = tried.losses[2] if bench.classes else np.sqrt(tried.losses[2])
        yield row | {
            "error": errors[0],
            "error_0": errors[1],
            "error_1": errors[2],
            "p_value": tried.p_value,
            "gap": tried.gap.value,
            "cover_0": tried.coverage[0],
            "cover_1": tried.coverage[1],
            "size_0": tried.sizes[0],
            "size_1": tried.sizes[1],
            "seconds": time.perf_counter() - started,
        }


def table_of(kept: pd.DataFrame) -> str:
    """Means over the splits with their standard deviations, and how the p-values are dispersed; in Markdown."""
    lines = [
        "| table | model | method | λ | splits | error | group 0 | group 1 | p: median (quartiles) | p ≤ 0.05 | gap "
        "| coverage | set size |",
        "|---" * 13 + "|",
    ]
    for (table, base, method, strength), rows in kept.groupby(["table", "base", "method", "strength"], sort=False):
        p = rows["p_value"].dropna()
        low, middle, high = p.quantile([0.25, 0.5, 0.75])
        mean = rows.mean(numeric_only=True)
        cells = (
            f"{table} | {base} | {method} | {strength:g} | {len(p)}",
            f"{mean['error']:.4f} ± {rows['error'].std():.4f} | {mean['error_0']:.4f} | {mean['error_1']:.4f}",
            f"{middle:.3f} ({low:.3f} to {high:.3f}) | {int((p <= 0.05).sum())} | {mean['gap']:.3f}",
            f"{mean['cover_0']:.3f}, {mean['cover_1']:.3f} | {mean['size_0']:.3f}, {mean['size_1']:.3f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _kept(path: Path) -> pd.DataFrame:
    return pd.read_csv(path)


if __name__ == "__main__":
    main()
