"""When the tests behind ``long`` last passed: ``python -m tests.ledger`` lists the files whose tests are due.

``python -m tests.ledger run`` runs them, each file alone, and writes what came of it into ``ledger.csv``;
``run FILES`` runs these. What a simulation measured, it notes by ``record_property(*measured(...))``; a run writes that
into ``measured.csv`` and into the tables of ``core/METHODS.md``, and ``handbook`` writes these tables alone.

A file is due if it has not passed, or if it or a module that it imports, in however many steps, differs from the commit
on which it passed, by more than its docstrings and what it says. Of a room that a test imports anything of, the parts
that are loaded by name count too. Data, translations and sample models do not.
"""

import argparse
import ast
import csv
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

from tests.imports import REPOSITORY, imported, modules
from tests.measured import Measured

LEDGER = REPOSITORY / "tests" / "ledger.csv"
MEASURED = REPOSITORY / "tests" / "measured.csv"
HANDBOOK = REPOSITORY / "core" / "METHODS.md"
BLOCK = re.compile(r"(<!-- measured: (\S+) -->\n).*?(<!-- end of measured -->)", re.DOTALL)
"""Where the handbook shows the simulations whose files begin so."""
BY_NAME = "room"
"""The part of a room that is loaded by name, so that no import tells of it."""
TOLD = re.compile(r"\d+ (?:passed|failed|skipped|errors?)\b")


@dataclass(frozen=True)
class Line:
    """What came of a file's long tests.

    Attributes:
        file: The file, relative to the repository.
        commit: What was tested.
        day: When.
        seconds: How long it took.
        outcome: Such as ``89 passed``.
    """

    file: str
    commit: str
    day: str
    seconds: int
    outcome: str

    @property
    def passed(self) -> bool:
        return "passed" in self.outcome and "failed" not in self.outcome and "error" not in self.outcome


def read_measured(table: Path = MEASURED) -> dict[str, tuple[Measured, ...]]:
    """What the last run of every file measured, in the order of its tests."""
    found: dict[str, tuple[Measured, ...]] = {}
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name, design = row.pop("file"), row.pop("design")
            counts = {key: int(row.pop(key)) for key in ("n", "repeats")}
            rates = {key: float(value) if value else None for key, value in row.items()}
            found[name] = (*found.get(name, ()), Measured(design, **counts, **rates))  # type: ignore[arg-type]
    return found


def write_measured(file: str, found: Sequence[Measured], table: Path = MEASURED) -> None:
    """Put what a file's simulations measured in the place of what they measured before."""
    lines = {**read_measured(table), file: tuple(found)}
    with table.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerow(("file", *(one.name for one in fields(Measured))))
        writer.writerows((name, *astuple(one)) for name in sorted(lines) for one in lines[name])


def read(ledger: Path = LEDGER) -> dict[str, Line]:
    """The last line of every file."""
    with ledger.open(encoding="utf-8", newline="") as file:
        rows = [{**row, "seconds": int(row["seconds"])} for row in csv.DictReader(file)]
    return {row["file"]: Line(**row) for row in rows}


def write(line: Line, ledger: Path = LEDGER) -> None:
    """Put a file's last line in the place of the one before."""
    lines = {**read(ledger), line.file: line}
    with ledger.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("file", "commit", "day", "seconds", "outcome"))
        writer.writerows(astuple(lines[name]) for name in sorted(lines))


def long_files() -> list[str]:
    """Every file with a test behind ``long``."""
    ran = _pytest("--collect-only", "-q", "tests")
    return sorted({line.split("::")[0] for line in ran.stdout.splitlines() if "::" in line})


def reached_from(file: str) -> list[str]:
    """The file and every module that it imports, in however many steps; ``conftest.py`` files count."""
    known = modules("core", "dashboard", "tests", "sample_models")
    conftests = (folder / "conftest.py" for folder in (REPOSITORY / file).parents)
    waiting = [REPOSITORY / file, *(path for path in conftests if path.exists())]
    reached: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            names = imported(path.read_text(encoding="utf-8"), known)
            if path.is_relative_to(REPOSITORY / "tests"):
                rooms = {".".join(name.split(".")[:3]) for name in names if name.startswith("core.audits.")}
                names |= {f"{room}.{BY_NAME}" for room in rooms} & known.keys()
            waiting += [known[name] for name in names]
    return sorted(str(path.relative_to(REPOSITORY)) for path in reached)


def why_due(file: str, line: Line | None) -> str | None:
    """Why a file's long tests should run again; none where they need not."""
    if line is None:
        return "never ran"
    if not line.passed:
        return f"{line.outcome} on {line.commit}"
    try:
        differ = _git("diff", "--name-only", line.commit, "--", *reached_from(file)).split()
        changed = [path for path in differ if wordless(_then(line.commit, path)) != wordless(_now(path))]
    except subprocess.CalledProcessError:
        return f"{line.outcome} on {line.commit}, which is not in this history"
    return f"changed since {line.commit}: {len(changed)} files, such as {changed[0]}" if changed else None


class _Wordless(ast.NodeTransformer):
    """Takes docstrings away, and what calls of ``say`` and its like say."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in {"say", "say_as", "say_count"}:
            node.args = [one for one in node.args if not isinstance(one, ast.Constant)]
        return self.generic_visit(node)


def wordless(source: str) -> str:
    """The code of a module without its words."""
    return ast.dump(_Wordless().visit(ast.parse(source)))


def run(file: str) -> tuple[Line, tuple[Measured, ...]]:
    """Run a file's long tests; what came of it, and what they measured.

    Raises:
        SystemExit: Something is changed that is not committed, so that nobody could say what was tested.
    """
    if _git("status", "--porcelain", "--", "*.py").strip():
        raise SystemExit("Commit what is changed first: a line names the commit that was tested.")
    commit, started = _git("rev-parse", "--short=8", "HEAD").strip(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        ran = _pytest("-q", file, f"--junitxml={report}")
        found = measured_in(report.read_text(encoding="utf-8")) if report.exists() else ()
    told = ran.stdout.splitlines()[-1] if ran.stdout else ""
    outcome = ", ".join(TOLD.findall(told)) or f"ended with {ran.returncode}"
    if not (line := Line(file, commit, date.today().isoformat(), round(time.monotonic() - started), outcome)).passed:
        print(ran.stdout[-4000:])
    return line, found


def measured_in(report: str) -> tuple[Measured, ...]:
    """What the tests of a JUnit report measured."""
    properties = ElementTree.fromstring(report).iter("property")  # noqa: S314
    return tuple(Measured(**json.loads(one.attrib["value"])) for one in properties if one.attrib["name"] == "measured")


def handbook(text: str, lines: dict[str, Line], found: dict[str, tuple[Measured, ...]]) -> str:
    """The handbook with the tables of what the ledger holds between its markers."""

    def block(match: re.Match[str]) -> str:
        of = {name: line for name, line in lines.items() if name.startswith(match[2]) and "/e2e/" not in name}
        return f"{match[1]}\n{_rates(of, found)}{_others(of, found)}{match[3]}"

    return BLOCK.sub(block, text)


def write_handbook() -> None:
    """Bring the tables of the handbook up to date."""
    HANDBOOK.write_text(handbook(HANDBOOK.read_text(encoding="utf-8"), read(), read_measured()), encoding="utf-8")


def _rates(lines: dict[str, Line], found: dict[str, tuple[Measured, ...]]) -> str:
    def share(rate: float | None) -> str:
        return "" if rate is None else f"{rate:.3f}"

    rows = [
        f"| {one.design} | {one.n:,} | {one.repeats:,} | {one.alpha:g} | {share(one.false_violations)} "
        f"| {share(one.false_clearings)} | {share(one.power)} | {_when(line)} |\n"
        for name, line in lines.items()
        for one in found.get(name, ())
    ]
    head = "| design | n | tables | α | false violations | false clearings | power | measured on |\n"
    return f"{head}|---|--:|--:|--:|--:|--:|--:|---|\n{''.join(rows)}\n" if rows else ""


def _others(lines: dict[str, Line], found: dict[str, tuple[Measured, ...]]) -> str:
    rows = [
        f"| `{name}` | {line.outcome} | {line.commit}, {line.day} |\n"
        for name, line in lines.items()
        if not found.get(name)
    ]
    return f"| other long tests | outcome | run on |\n|---|---|---|\n{''.join(rows)}\n" if rows else ""


def _when(line: Line) -> str:
    return f"{line.commit}, {line.day}" if line.passed else f"{line.commit}, {line.day}: {line.outcome}"


def _pytest(*given: str) -> "subprocess.CompletedProcess[str]":
    command = (sys.executable, "-m", "pytest", "-n", "0", "-m", "long", *given)
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)


def _then(commit: str, path: str) -> str:
    return _git("show", f"{commit}:{path}") if _git("ls-tree", commit, path) else ""


def _now(path: str) -> str:
    return (REPOSITORY / path).read_text(encoding="utf-8")


def _git(*given: str) -> str:
    return subprocess.run(("git", *given), cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout


def main(given: Sequence[str] | None = None) -> None:
    """List what is due, or run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", nargs="?", choices=("due", "run", "handbook"), default="due")
    parser.add_argument("files", nargs="*")
    chosen = parser.parse_args(given)
    lines = read()
    if chosen.act == "handbook":
        write_handbook()
        return
    due = {file: why for file in chosen.files or long_files() if (why := why_due(file, lines.get(file)))}
    for file, why in due.items():
        print(f"{file}: {why}", flush=True)
        if chosen.act == "run":
            line, found = run(file)
            write(line)
            write_measured(file, found)
            write_handbook()
            print(f"  {line.outcome} in {line.seconds} s", flush=True)


if __name__ == "__main__":
    main()
