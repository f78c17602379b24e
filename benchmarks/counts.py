"""Time and memory of audits of people who are counted, 10^4 to 10^8, and of 10^6 rows, each in a process of its own.

Run from the repository: ``python -m benchmarks.counts``. Ratios are of one run.
"""

import subprocess
import sys

PROGRAM = """
import resource, sys, time
import numpy as np, pandas as pd
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.settings import GroupFairness
from core.audits.transport.settings import CellColumn, Transport
from core.base.files import FileStore
from core.data.roles import Roles
from core.models.predictions import PredictionColumns
from core.run import find, run_audit
from core.audits import KINDS

people, how = int(sys.argv[1]), sys.argv[2]
rng = np.random.default_rng(0)
kinds = pd.MultiIndex.from_product(
    [["f", "m"], ["a", "b", "c"], list("wxyz"), list("01234"), ["no", "yes"], ["no", "yes"]],
    names=["sex", "race", "region", "band", "repaid", "approved"],
).to_frame(index=False)
table = kinds.assign(n=rng.multinomial(people, rng.dirichlet(np.full(len(kinds), 3.0))))
roles = Roles(outcome="repaid", favourable="yes", protected=("sex", "race"), features=("region", "band"),
              predictions=("approved",), counts="n" if how == "counts" else "")
if how == "rows":
    table = table.loc[table.index.repeat(table.pop("n"))].sample(frac=1, random_state=0).reset_index(drop=True)
source = PredictionColumns(columns=("approved",))
cells = Transport(columns=(CellColumn(name="region"), CellColumn(name="band")))
def seconds(table, audit):
    started = time.process_time()
    dataset = source.dataset(table, roles)
    result = run_audit(source.load(FileStore(), dataset), dataset, audit, seed=0)
    find(result, KINDS[audit.kind].decision()).sentence
    return time.process_time() - started
audits = (GroupFairness(), EqualizedOdds(), cells)
few = kinds.assign(n=3) if how == "counts" else pd.concat([kinds] * 3, ignore_index=True)
for audit in audits:
    seconds(few, audit)
told = [seconds(table, audit) for audit in audits]
print(*(f"{one:.3f}" for one in told), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def measured(people: int, how: str) -> list[float]:
    """Processor seconds of group fairness, equalized odds and transport, and the peak of memory in MB."""
    command = [sys.executable, "-c", PROGRAM, str(people), how]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return [*map(float, ran.stdout.split())]


def main() -> None:
    """Print a line for each size."""
    print(f"{'people':>11} {'as':>6} {'groups s':>9} {'odds s':>9} {'cells s':>9} {'peak MB':>8}")
    for people, how in [(10**power, "counts") for power in range(4, 9)] + [(10**4, "rows"), (10**6, "rows")]:
        groups, odds, cells, peak = measured(people, how)
        print(f"{people:>11,} {how:>6} {groups:>9.2f} {odds:>9.2f} {cells:>9.2f} {peak:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
