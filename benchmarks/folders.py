"""Time and memory of audits of folders of Parquet files of 10^4 to 10^8 rows, beside the same 10^6 rows in memory.

Run from the repository: ``python -m benchmarks.folders [MOST]``. Each audit has a process of its own and runs in one
process; memory is what counting took beyond what the process held before, and what was told. The largest folder has
800 MB under the system's folder for temporary files, and is deleted.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS_OF_A_FILE = 1_000_000
PROGRAM = """
import sys, time
from pathlib import Path
from core import audit
from core.base.memory import most_held
from core.base.progress import ignore_progress
from core.sources.folder.counting import count_kinds, memory_to_count
from core.sources.folder.listing import list_folder

table, columns = Path(sys.argv[1]), ["sex", "race", "region", "band", "repaid", "approved"]
held, told, counting = most_held(), 0, 0.0
if table.is_dir():
    listing, started = list_folder(table), time.perf_counter()
    count_kinds(listing, columns, {}, ignore_progress, 1)
    told, counting = memory_to_count(listing, columns, 1), time.perf_counter() - started
taken, started = most_held() - held, time.perf_counter()
found = audit(table, outcome="repaid", favourable="yes", protected=["sex", "race"], predictions="approved",
              features=["region", "band"], tests=["group_fairness", "equalized_odds"], progress=False)
found.verdict
print(counting, taken / 2**20, told / 2**20, time.perf_counter() - started, most_held() / 2**20)
"""


def write(folder: Path, rows: int) -> None:
    """Files of up to a million people each, who differ in six columns."""
    folder.mkdir()
    for place, first in enumerate(range(0, rows, ROWS_OF_A_FILE)):
        rng, n = np.random.default_rng([rows, place]), min(ROWS_OF_A_FILE, rows - first)
        sex, repaid = rng.integers(0, 2, n), rng.random(n) < 0.6
        codes = {
            "sex": (sex, "fm"),
            "race": (rng.integers(0, 3, n), "abc"),
            "region": (rng.integers(0, 4, n), "wxyz"),
            "repaid": (repaid.astype(int), ("no", "yes")),
            "approved": ((rng.random(n) < 0.5 + 0.1 * repaid - 0.03 * sex).astype(int), ("no", "yes")),
        }
        columns = {
            name: pa.DictionaryArray.from_arrays(pa.array(code, pa.int32()), pa.array([*values])).cast(pa.string())
            for name, (code, values) in codes.items()
        }
        numbers = {"band": pa.array(rng.integers(0, 5, n)), "income": pa.array(rng.normal(30_000, 9_000, n))}
        pq.write_table(pa.table(columns | numbers), folder / f"{place:04}.parquet")


def measured(table: Path) -> list[float]:
    """Seconds of counting, MB it took and MB that were told, seconds of the whole audit, and its peak in MB."""
    command = [sys.executable, "-c", PROGRAM, str(table)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return [*map(float, ran.stdout.split())]


def main(most: int) -> None:
    """Print a line for each size."""
    print(f"{'rows':>11} {'as':>7} {'count s':>8} {'took MB':>8} {'told MB':>8} {'audit s':>8} {'peak MB':>8}")
    for rows in (10**power for power in range(4, 9) if 10**power <= most):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "people"
            write(folder, rows)
            tables = [("folder", folder)]
            if rows == ROWS_OF_A_FILE:
                tables.append(("memory", folder / "0000.parquet"))
            for how, table in tables:
                counting, taken, told, seconds, peak = measured(table)
                print(
                    f"{rows:>11,} {how:>7} {counting:>8.2f} {taken:>8.0f} {told:>8.0f} {seconds:>8.2f} {peak:>8.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8)
