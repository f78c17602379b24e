"""Time and memory of audits of folders of Parquet files of 10^4 to 10^8 rows, beside the same 10^6 rows in memory.

Run from the repository: ``python -m benchmarks.folders [MOST]``. Each audit has a process of its own and runs in one
process; memory is what counting took beyond what the process held before, and what was told. The largest folder has
800 MB under the system's folder for temporary files, and is deleted. ``python -m benchmarks.folders model [ROWS]`` has
a model file asked about each of 10^7 applicants instead; memory is then with that of the model's own process.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core import load_table

ROWS_OF_A_FILE = 1_000_000
PROGRAM = """
import sys, time
from pathlib import Path
from core import audit
from core.base.progress import ignore_progress
from core.sources.folder.counting import count_kinds, memory_to_count
from core.sources.folder.listing import list_folder

def most():
    told = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(told["VmHWM"].split()[0]) * 1024

table, columns = Path(sys.argv[1]), ["sex", "race", "region", "band", "repaid", "approved"]
told, counting = 0, 0.0
if table.is_dir():
    listing = list_folder(table)
Path("/proc/self/clear_refs").write_text("5")
held, started = most(), time.perf_counter()
if table.is_dir():
    count_kinds(listing, columns, {}, ignore_progress, 1)
    told, counting = memory_to_count(listing, columns, 1), time.perf_counter() - started
taken, started = most() - held, time.perf_counter()
found = audit(table, outcome="repaid", favourable="yes", protected=["sex", "race"], predictions="approved",
              features=["region", "band"], tests=["group_fairness", "equalized_odds"], progress=False)
found.verdict
print(counting, taken / 2**20, told / 2**20, time.perf_counter() - started, most() / 2**20)
"""

ASKING = """
import sys, threading, time
from pathlib import Path
from core.api.bringing import brought_model
from core.api.choices import Choices
from core.api.folder import brought_folder
from core.api.planning import plan, read
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.language.options import in_python
from core.sources.folder.asking import ToBeAsked
from core.sources.folder.counting import count_kinds, memory_to_count
from core.sources.folder.looking import first_rows

def tree(process):
    children = Path(f"/proc/{process}/task").glob("*/children")
    return [process, *(one for path in children for child in path.read_text().split() for one in tree(child))]

def held(processes):
    total = 0
    for process in processes:
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total

table, files = Path(sys.argv[1]), FileStore(Path(sys.argv[1]).parent / "files")
with in_python():
    chosen = Choices.of({"outcome": "hired", "favourable": "yes", "protected": ["gender", "ethnicity"],
                         "numbers": "standardised", "tests": ["group_fairness", "equalized_odds"]})
    model = brought_model("sample_models/hiring_baseline.onnx", files)
    source = brought_folder(table, chosen, files)
    (first, *_) = plan(chosen, read(chosen, source, files), model, files).study.plans
source, before, most, done = first.data, held(["self"]), [0], threading.Event()

def watch():
    while not done.wait(0.2):
        most[0] = max(most[0], held(tree("self")))

threading.Thread(target=watch, daemon=True).start()
listing, started = source.listing(files), time.perf_counter()
question = ToBeAsked.of(source.asked, first_rows(listing, {}), files)
columns = [name for name in source.columns if name in ("gender", "ethnicity", "hired", source.asked.column)]
counted = count_kinds(listing, columns, {}, ignore_progress, 1, question=question)
seconds = time.perf_counter() - started
done.set()
told = memory_to_count(listing, columns, 1, source.asked)
print(seconds, (most[0] - before) / 2**20, told / 2**20, len(counted))
"""
NOISY = ("test score", "interview rating", "commute (km)")


def write_applicants(folder: Path, rows: int) -> None:
    """Files of up to a million simulated applicants each, of whom no two are alike."""
    people = load_table("hiring")
    folder.mkdir()
    for place, first in enumerate(range(0, rows, ROWS_OF_A_FILE)):
        rng, n = np.random.default_rng([rows, place]), min(ROWS_OF_A_FILE, rows - first)
        drawn = people.iloc[rng.integers(0, len(people), n)].reset_index(drop=True)
        drawn.assign(**{name: drawn[name] + rng.normal(0, 1, n) for name in NOISY}).to_parquet(
            folder / f"{place:04}.parquet", row_group_size=250_000
        )


def asked(rows: int) -> None:
    """Print seconds of asking a model about each row and counting, MB that it took and that were told."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "applicants"
        write_applicants(folder, rows)
        command = [sys.executable, "-c", ASKING, str(folder)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        seconds, taken, told, kinds = map(float, ran.stdout.split())
    print(f"{rows:,} rows asked about in {seconds:.0f} s, {kinds:.0f} kinds: took {taken:.0f} MB of {told:.0f} MB told")


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
    if sys.argv[1:2] == ["model"]:
        asked(int(float(sys.argv[2])) if len(sys.argv) > 2 else 10**7)
    else:
        main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8)
