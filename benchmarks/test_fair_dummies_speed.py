"""Cost of the equalized odds test: dummies against predicting anew, and whole audits of up to a million rows.

Run with ``pytest benchmarks``; numbers in README.md.
"""

import json
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from core.audits.equalized_odds.learners import learn
from core.audits.equalized_odds.resampling import in_units, swapped

ROWS = 10_000
DUMMIES = 10_000
ANEW = 5
"""Dummies for which r̂ is asked anew."""
SIZES = (10_000, 100_000, 1_000_000)

AUDITED = """
import gc, json, sys
from time import perf_counter
import numpy as np, pandas as pd
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.base.files import FileStore
from core.models import PredictionColumns
from core.run import find, run_audit

def memory(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))

def table(n, answers):
    rng = np.random.default_rng(0)
    yes = rng.random(n) < 0.4
    chance = np.clip(0.2 + 0.5 * yes + 0.1 * rng.standard_normal(n), 0, 1)
    names = np.array(["no", "yes"])
    return pd.DataFrame({
        "sex": np.array(["f", "m"])[rng.integers(2, size=n)],
        "race": np.array(["a", "b", "c"])[rng.choice(3, p=[0.6, 0.3, 0.1], size=n)],
        "x": rng.standard_normal(n),
        "hired": names[yes.astype(int)],
        "given": names[(chance > 0.45).astype(int)] if answers == "labels" else chance,
        "cost": (cost := rng.gamma(3.0, 10.0, n)),
        "estimated": cost + 6 * rng.standard_normal(n),
    })

HOLDS = {"labels": "labels", "scores": "probability", "numbers": "number"}

def audit(frame, asks, answers, protected):
    given = "estimated" if answers == "numbers" else "given"
    outcome = {"outcome": "cost", "outcome_type": "number"} if answers == "numbers" else {
        "outcome": "hired", "favourable": "yes"}
    roles = Roles(**outcome, protected=protected, features=("x",), predictions=(given,))
    data = Dataset.build(frame, roles)
    source = PredictionColumns(columns=(given,), holds=HOLDS[answers])
    groups = asks == "groups and subgroups"
    chosen = GroupFairness() if groups else EqualizedOdds(asks=asks)
    result = run_audit(source.load(FileStore(), data), data, chosen, seed=1)
    finding = find(result, GroupFairnessDecision() if groups else EqualizedOddsDecision())
    return finding.sentence, finding.verdict

n, asks, answers, protected = int(sys.argv[1]), *sys.argv[2:]
protected = tuple(protected.split(","))
audit(table(1_000, answers), asks, answers, protected)
frame = table(n, answers)
gc.collect()
before = memory("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
started = perf_counter()
audit(frame, asks, answers, protected)
print(json.dumps([perf_counter() - started, memory("VmHWM") - before]))
"""
"""A whole audit, from the table to the sentence with its bounds, in a process of its own: seconds and MB added."""

WORKLOADS = {
    "labels, two and three groups": ("equalized odds", "labels", "sex,race"),
    "scores, two and three groups": ("equalized odds", "scores", "sex,race"),
    "labels, demographic parity, two groups": ("demographic parity", "labels", "sex"),
    "labels, groups and subgroups": ("groups and subgroups", "labels", "sex,race"),
    "numbers, two and three groups": ("equalized odds", "numbers", "sex,race"),
}


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_million_rows_take_seconds(benchmark, workload) -> None:
    def measured() -> list[tuple[float, float]]:
        found = []
        for size in SIZES:
            command = [sys.executable, "-c", AUDITED, str(size), *WORKLOADS[workload]]
            ran = subprocess.run(  # noqa: S603
                command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
            )
            found.append(tuple(json.loads(ran.stdout)))
        return found

    curve = benchmark.pedantic(measured, rounds=1)
    seconds, megabytes = zip(*curve, strict=True)
    benchmark.extra_info.update(seconds=seconds, megabytes=megabytes, ratio=seconds[-1] / seconds[0])
    told = "; ".join(f"{n:,} rows {s:.2f} s and {mb:.0f} MB" for n, (s, mb) in zip(SIZES, curve, strict=True))
    print(
        f"\n{workload}: {told}; {seconds[-1] / seconds[0]:.1f} times as long for {SIZES[-1] // SIZES[0]} times the rows"
    )
    assert seconds[-1] < (60 if "numbers" in workload else 20)
    assert megabytes[-1] < 500
    assert seconds[-1] < 40 * seconds[0]


def test_dummies_cost_a_hundredth_of_predicting_anew(benchmark) -> None:
    """Two groups given a number, r̂ a random forest, processor time: its predictions are counted in on our side."""
    rng = np.random.default_rng(0)
    codes, given = rng.integers(2, size=ROWS), rng.standard_normal((ROWS, 1))
    score = rng.standard_normal(ROWS) + given[:, 0]
    chance = 0.2 + 0.6 / (1 + np.exp(-given[:, 0]))
    predict = learn("forest", np.eye(2)[codes], given, score, 0)

    def ours() -> np.ndarray:
        guess = np.stack([predict(np.tile(one, (ROWS, 1)), given) for one in np.eye(2)], axis=1)
        losses, unit = in_units((score[:, None] - guess) ** 2)
        chances = np.stack([1 - chance, chance], axis=1)
        return swapped(losses, codes, chances, DUMMIES, rng=np.random.default_rng(1)) * unit

    def authors() -> list[float]:
        found = []
        for _ in range(ANEW):
            drawn = (rng.random(ROWS) < chance).astype(np.int64)
            found.append(((score - predict(np.eye(2)[drawn], given)) ** 2).sum())
        return found

    ours()
    start = process_time()
    sums = ours()
    each = (process_time() - start) / DUMMIES
    start = process_time()
    anew = authors()
    theirs = (process_time() - start) / ANEW
    assert np.abs(np.array(anew) - sums.mean()).max() < 8 * max(sums.std(), np.std(anew))
    benchmark.extra_info.update(ratio=theirs / each, seconds=each * DUMMIES, anew_seconds=theirs * DUMMIES)
    print(f"\n{each * DUMMIES:.2f} s against {theirs * DUMMIES:,.0f} s: {theirs / each:,.0f}x")
    benchmark.pedantic(ours, rounds=1)
    assert theirs / each >= 100
