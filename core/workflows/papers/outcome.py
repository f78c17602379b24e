"""What came out of a table or figure, beside what is printed: as a table, a page, JSON and CSV."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.base.errors import RecordError
from core.base.tables import NOT_GIVEN, Table
from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.language.phrases import number
from core.language.told import localized, say, say_count
from core.records.repeat import unwritable
from core.report.html import ReportFigure, environment
from core.workflows.papers.cells import Cell, CellVerdict, Printed
from core.workflows.papers.items import Curves, Item, Piece, Results
from core.workflows.papers.table import ITEMS
from core.workflows.papers.table import item as item_of

STORED = Path(__file__).parents[3] / "assets" / "papers"


@dataclass(frozen=True)
class Reproduction:
    """A table or figure that was computed again.

    Attributes:
        item: Which.
        results: What its pieces found.
        splits: For how many random splits.
        quick: Whether it is the quick version.
        version: The version of Evenhand.
    """

    item: Item
    results: Results
    splits: int
    quick: bool
    version: str

    @classmethod
    def of(cls, item: Item, results: Results, splits: int, quick: bool) -> Reproduction:
        """What was computed by this version."""
        return cls(item, results, splits, quick, version("evenhand"))

    @cached_property
    def _found(self) -> Counter[CellVerdict]:
        return Counter(cell.agreement for cell in self.cells)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every number beside the printed one, in the reader's language."""
        return self.item.cells(self.results)

    @property
    def headline(self) -> str:
        """How many numbers agree."""
        found = self._found
        return say(
            "{agree} of {all} printed numbers and statements agree",
            agree=found[CellVerdict.AGREES],
            all=found[CellVerdict.AGREES] + found[CellVerdict.DIFFERS],
        )

    @property
    def sentence(self) -> str:
        """How often it was run, and what is not to be had."""
        ran = say_count(
            "Ours is of {n} random split; the paper made {printed}.",
            "Ours is of {n} random splits; the paper made {printed}.",
            self.splits,
            printed=self.item.printed,
        )
        missing = self._found[CellVerdict.NO_DATA]
        told = say_count("{n} number is not to be had.", "{n} numbers are not to be had.", missing) if missing else ""
        quick = say("This is the quick version, whose numbers are rough.") if self.quick else ""
        about = ran if max(self.splits, self.item.printed) > 1 else ""
        return " ".join(part for part in (about, told, quick) if part)

    @property
    def rule(self) -> str:
        """When two numbers agree."""
        return say(
            "Two numbers agree where their difference could be chance at 95% (Welch's interval of both means, widened "
            "by the rounding of the printed one)."
        )

    @property
    def table(self) -> Table:
        """The cells, a row each."""
        rows = tuple(
            (
                cell.row,
                cell.column,
                cell.printed.told if cell.printed else NOT_GIVEN,
                cell.printed.source if cell.printed else NOT_GIVEN,
                ours(cell),
                cell.agreement.words,
                reason(cell),
            )
            for cell in self.cells
        )
        header = (
            "",
            say("Number"),
            say("Printed"),
            say("Where"),
            say("Ours"),
            say("Verdict"),
            say("What is known of it"),
        )
        return Table(self.rule, header, rows)

    @property
    def charts(self) -> tuple[tuple[Chart[...], Drawing], ...]:
        """The lines of a figure, drawn."""
        return tuple(
            (Chart(one.title, one.caption, draw), draw(one)) for one in self.item.curves(self.results) if one.lines
        )

    @property
    def command(self) -> str:
        """The command that computes it again."""
        how = (
            " --quick"
            if self.quick
            else f" --splits {self.splits}"  # verbatim
            if self.splits != self.item.splits
            else ""  # verbatim
        )  # verbatim
        return f"python -m core paper {self.item.name}{how} --out DIR"  # verbatim

    @property
    def page(self) -> str:
        """The whole as one HTML page that needs no network."""
        figures = tuple(
            ReportFigure("paper", f"{self.item.name} {place}", chart, drawing)
            for place, (chart, drawing) in enumerate(self.charts)
        )
        template = environment().get_template("paper.html")
        return template.render(
            page={
                "title": self.item.title,
                "paper": self.item.paper,
                "headline": self.headline,
                "sentence": self.sentence,
                "notes": self.item.notes,
                "table": self.table,
                "figures": figures,
                "command": self.command,
                "source": say("Computed by Evenhand {version}.", version=self.version),
            }
        )

    @property
    def json(self) -> bytes:
        """Everything: each cell, and what each piece of work found."""
        content = {
            "name": self.item.name,
            "paper": self.item.paper,
            "version": self.version,
            "splits": self.splits,
            "quick": self.quick,
            "cells": [_written(cell) for cell in self.cells],
            "units": [
                {
                    "given": dict(unit.given),
                    "found": {name: [*map(_shortened, values)] for name, values in found.items()},
                }
                for unit, found in self.results.found
            ],
        }
        lines = [f"{json.dumps(name)}: {_in_lines(value)}" for name, value in content.items()]
        return ("{\n" + ",\n".join(lines) + "\n}\n").encode()

    def write(self, out: Path) -> tuple[str, ...]:
        """Write page, JSON and CSV into a folder; returns their names.

        Raises:
            RecordError: The folder cannot be written.
        """
        name = self.item.name
        files = {f"{name}.html": self.page.encode(), f"{name}.json": self.json, f"{name}.csv": self.table.csv}
        try:
            out.mkdir(parents=True, exist_ok=True)
            for file, content in files.items():
                (out / file).write_bytes(content)
        except OSError as error:
            raise unwritable(out, error) from error
        return tuple(files)


def _shortened(value: float) -> float:
    """To five significant digits, which no verdict needs more of."""
    return float(f"{value:.5g}")


def _in_lines(value: object) -> str:
    """JSON with a line for each entry of a list."""
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in value) + "\n]"


@cache
def stored() -> dict[str, Reproduction]:
    """The outcomes that come with Evenhand, by name, in the order of the papers."""
    found = {path.stem: read(path.read_bytes()) for path in STORED.glob("*.json")}
    return {name: found[name] for name in ITEMS if name in found}


def read(content: bytes) -> Reproduction:
    """An outcome that was written as JSON; its words and verdicts are made anew from its numbers.

    Raises:
        RecordError: It is none.
        SettingsError: It is of a table that this version does not know.
    """
    try:
        kept: Mapping[str, Any] = json.loads(content)
        item = item_of(str(kept["name"]))
        found = tuple((Piece(_not_again, one["given"]), one["found"]) for one in kept["units"])
        return Reproduction(item, Results(found), int(kept["splits"]), bool(kept["quick"]), str(kept["version"]))
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(
            say("This file is no outcome of a paper's table or figure."),
            advice=say("Compute it again."),
        ) from error


def _not_again(given: object) -> dict[str, list[float]]:
    raise NotImplementedError


def ours(cell: Cell) -> str:
    """Our number as people read it: as many decimals as printed, the standard deviation, the repetitions."""
    if cell.ours is None:
        return NOT_GIVEN
    decimals = None
    if isinstance(cell.printed, Printed):
        decimals = max(0, round(-math.log10(2 * cell.printed.rounding))) + 1
    told = number(cell.ours.value, decimals)
    if math.isfinite(cell.ours.spread):
        told = f"{told} ± {number(cell.ours.spread, decimals)}"
    return f"{told} (n = {localized(str(cell.ours.repeats))})" if cell.ours.repeats > 1 else told


def reason(cell: Cell) -> str:
    """Why two numbers differ, as far as it is known."""
    if cell.agreement is CellVerdict.DIFFERS and not cell.reason:
        return say("The reason is not known.")
    return str(cell.reason)


def _written(cell: Cell) -> dict[str, Any]:
    printed = cell.printed
    return {
        "row": str(cell.row),
        "column": str(cell.column),
        "printed": printed.told if printed else None,
        "source": printed.source if printed else None,
        "repeats printed": printed.repeats if isinstance(printed, Printed) else None,  # verbatim
        "ours": cell.ours.value if cell.ours else None,
        "spread": cell.ours.spread if cell.ours and math.isfinite(cell.ours.spread) else None,
        "repeats": cell.ours.repeats if cell.ours else None,
        "verdict": cell.agreement.value,
        "reason": reason(cell),
    }


def draw(curves: Curves) -> Drawing:
    """All lines in one chart."""
    figure = theme.blank(420)
    for place, line in enumerate(curves.lines):
        figure.add_scatter(
            name=theme.literal(line.name, 48),
            x=line.x,
            y=line.y,
            mode="lines+markers",
            line=marks.one_of_several(place),
            marker={"size": 4},
        )
    figure.update_xaxes(title=curves.across, type="log" if curves.log_across else "linear")
    figure.update_yaxes(title=curves.up, type="log" if curves.log_up else "linear")
    marks.names_below(figure, 110)
    ends = "; ".join(f"{line.name}: {number(line.y[0])} … {number(line.y[-1])}" for line in curves.lines)
    return Drawing(figure, say("From left to right: {ends}.", ends=ends))
