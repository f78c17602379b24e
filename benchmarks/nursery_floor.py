"""The least error on UCI Nursery that equalized odds allows for finance, where no answer may depend on finance itself.

Not collected by pytest. ``python benchmarks/nursery_floor.py`` prints it. Every combination of the seven features is in
the table once with each financial standing, so six kinds of families are left: by the class they get with the one
standing and with the other. Answers, drawn at random or not, that have the same law in both groups of every class obey
linear equations in the laws of the six kinds; a linear program finds the most accurate ones.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.optimize import linprog

from core.base.files import FileStore
from core.sources.public.nursery import FEATURES, Nursery


def floors() -> tuple[float, float]:
    """The least share of wrong answers without and with equalized odds, of any model that does not read finance."""
    table = Nursery(part="all").load(FileStore())
    pairs = table.pivot(index=list(FEATURES), columns="finance", values="class").fillna("")
    kinds, people = np.unique(pairs.to_numpy(dtype=str), axis=0, return_counts=True)
    classes = sorted(set(table["class"]))
    right = people[:, None] * sum(kinds[:, [group]] == np.array(classes) for group in (0, 1))
    laws = [np.kron(row, np.ones(len(classes))) for row in np.eye(len(kinds))]
    fair = []
    for one in classes:
        shares = [people * (kinds[:, group] == one) for group in (0, 1)]
        difference = shares[0] / shares[0].sum() - shares[1] / shares[1].sum()
        fair += [np.kron(difference, answer) for answer in np.eye(len(classes))]
    best = linprog(-right.ravel(), A_eq=np.array(laws + fair), b_eq=[1.0] * len(laws) + [0.0] * len(fair))
    if best.fun is None:
        raise RuntimeError(best.message)
    return 1 - right.max(axis=1).sum() / len(table), 1 + best.fun / len(table)


if __name__ == "__main__":
    free, held = floors()
    sys.stdout.write(f"least error without finance: {free:.4f}; under equalized odds: {held:.4f}\n")
