"""What is printed in Table 1 and Figures 1 to 4 of papers/faith.md, and ours beside it."""

from __future__ import annotations

from functools import partial

from core.language.told import say
from core.workflows.papers.cells import Cell, Printed, Said
from core.workflows.papers.faith import (
    COLUMNS,
    READING,
    SPLITS,
    figure_1_unit,
    figure_2_unit,
    one_split,
    units,
)
from core.workflows.papers.items import Curve, Curves, Item, Results

PAPER = "Xue, Yurochkin and Sun, “Auditing ML models for individual bias and unfairness”, AISTATS 2020"  # verbatim
TABLE_1 = {
    "LR": (".06 .02", ".05 .02", ".07 .03", ".05 .02", ".67 .01", "-.23 .04", "-.19 .04", "-.26 .03"),
    "ADB": (".18 .06", ".16 .05", ".20 .06", ".16 .05", ".65 .01", "-.05 .13", "-.01 .12", "-.08 .13"),
    "RWT": (".15 .02", ".13 .02", ".17 .02", ".14 .02", ".66 .01", "-.02 .04", ".01 .04", "-.06 .04"),
    "LFR": (".07 .05", ".06 .04", ".08 .05", ".06 .05", ".66 .01", "-.09 .09", "-.06 .07", "-.13 .08"),
    "RLR": (".02 .02", ".01 .02", ".02 .02", ".01 .02", ".66 .01", "-.19 .03", "-.15 .03", "-.22 .03"),
}
"""Means and standard deviations over 50 splits, in the order of ``COLUMNS``."""
NAMES = {
    "FaiTH": "FaiTH",
    "CI2 low": say("two-sided interval, lower end"),
    "CI2 high": say("two-sided interval, upper end"),
    "CI1 low": say("one-sided lower bound"),
    "accuracy": say("accuracy"),
    "AOD": say("average odds difference"),
    "EOD": say("equal opportunity difference"),
    "SPD": say("statistical parity difference"),
}
_FAIRLEARN = say("Ours is fairlearn's adversary, at λ = .9; the paper's is AIF360's, whose strength it does not state.")


def _cells(results: Results) -> tuple[Cell, ...]:
    found = []
    for method, row in TABLE_1.items():
        for column, text in zip(COLUMNS, row, strict=True):
            mean, spread = text.split()
            ours = results.ours(column, table="faith", method=method)
            reason = _FAIRLEARN if method == "ADB" else ""
            if method == "LFR":
                reason = say(
                    "None of the libraries that Evenhand uses fits learned fair representations, so they are left out."
                )
            found.append(Cell(method, NAMES[column], Printed(mean, f"Table 1, {method}", spread, 50), ours, reason))
    return tuple(found)


TABLE = Item(
    name="faith-1",
    title=say("Table 1: five classifiers of COMPAS"),
    paper=PAPER,
    minutes=6.0,
    units=units,
    splits=SPLITS,
    quick=2,
    printed=50,
    cells=_cells,
    notes=(
        say(
            "The intervals are the paper's own, by its m-out-of-n bootstrap, with the sign of equation 4.1 corrected: "
            "as printed it covers in no table."
        ),
    ),
)


def _figure_1_cells(results: Results) -> tuple[Cell, ...]:
    told = say("approximates the sampling distribution")
    return tuple(
        Cell(row, say("standard deviation, over that of the sampling distribution"), Said(told, "Fig. 1", *ends), ours)
        for row, ends, ours in (
            (say("asymptotic"), (0.9, 1.1), results.ours("limit over sampled")),
            (say("bootstrap"), (0.8, 1.2), results.ours("bootstrap over sampled")),
        )
    )


def _figure_1_curves(results: Results) -> tuple[Curves, ...]:
    names = {"sampled": say("sampling distribution"), "bootstrap": say("bootstrap")}
    lines = [
        Curve(words, results.lists(name)[0], results.lists("levels")[0])
        for name, words in names.items()
        if results.lists(name)
    ]
    title = say("Distribution of √n (ψ(f_n) − ψ(f*))")
    return (Curves(title, say("Cumulative."), "√n (ψ(f_n) − ψ(f*))", say("share below"), tuple(lines)),)


def _figure_2_cells(results: Results) -> tuple[Cell, ...]:
    where = "Fig. 2 and section 5.1"  # verbatim
    reason = say("The paper does not say which of its 50 splits it draws; this is the one with its counts.")
    over = say("over 45, rightly flagged, who would be missed")
    everybody = say("all of them")
    return (
        Cell(say("Black men"), over, Printed("31", where), results.ours("Black men"), reason),
        Cell(say("white men"), over, Printed("19", where), results.ours("white men"), reason),
        Cell(
            say("men over 45"), say("share moved to women"), Said(everybody, where, 1.0), results.ours("old to women")
        ),
        Cell(
            say("people under 25, rightly not flagged"),
            say("share moved to Black men"),
            Said(everybody, where, 1.0),
            results.ours("young to Black men"),
        ),
        Cell(say("people of 25 to 45"), say("people moved"), Printed("0", where), results.ours("of middle age")),
        Cell(
            say("people with 1 to 3 priors"),
            say("people moved"),
            Printed("0", where),
            results.ours("one to three priors"),
        ),
    )


FIGURE_1 = Item(
    name="faith-figure-1",
    title=say("Figure 1: the sampling distribution, its limit and the bootstrap"),
    paper=PAPER,
    minutes=0.5,
    units=partial(one_split, figure_1_unit, figure=1, draws=4_000),
    cells=_figure_1_cells,
    curves=_figure_1_curves,
)
FIGURE_2 = Item(
    name="faith-figure-2",
    title=say("Figure 2: whom the transport moves"),
    paper=PAPER,
    minutes=0.2,
    units=partial(one_split, figure_2_unit, figure=2),
    cells=_figure_2_cells,
)
SELECTED = (
    "priors = none",
    "priors = more than 3",  # verbatim
    "race = Caucasian",
    "age_cat = Greater than 45",  # verbatim
    "c_charge_degree = M",
    "age_cat = Less than 25",  # verbatim
)
"""The six columns of section 5.2, in the paper's order."""
_ONE_SPLIT = say("The paper speaks of one split, ours is the mean over several.")


def _figure_3_cells(results: Results) -> tuple[Cell, ...]:
    where = "Section 5.2, Fig. 3"
    chosen = results.ours("chosen", method="RLR")
    weakest = results.ours("weakest penalty", method="RLR")
    strongest = results.ours("strongest penalty", method="RLR")
    return (
        Cell("RLR", say("chosen 1/λ"), Printed("0.0145", where), chosen, _ONE_SPLIT),
        Cell(
            say("weak penalty"),
            say("lower bound of FaiTH"),
            Said(say("undesirable, above .0365"), where, low=READING.delta),
            weakest,
        ),
        Cell(say("strong penalty"), "FaiTH", Said(say("tiny"), where, high=0.005), strongest),
    )


def _figure_3_curves(results: Results) -> tuple[Curves, ...]:
    strengths = results.lists("strengths", method="RLR")
    if not strengths:
        return ()
    names = {"accuracies": say("accuracy"), "values": "FaiTH", "bounds": say("lower bound of FaiTH")}
    lines = [Curve(words, strengths[0], results.lists(name, method="RLR")[0]) for name, words in names.items()]
    title, caption = say("Accuracy and unfairness along the path"), say("Validation rows of the first split.")
    return (Curves(title, caption, "1/λ", "", tuple(lines), log_across=True),)


def _figure_4_cells(results: Results) -> tuple[Cell, ...]:
    where = "Section 5.2, Fig. 4"
    found = [
        Cell(
            name,
            say("share of splits that select it"),
            Said(say("selected"), where, low=0.5),
            results.ours(f"uses {name}", method="RLR"),
            _ONE_SPLIT,
        )
        for name in SELECTED
    ]
    ours = results.ours("uses sex = Male", method="RLR")
    reason = say("The paper speaks of one split. Of 50 splits sex is left out in about half.")
    told = Said(say("not selected"), where, high=0.5)
    return (*found, Cell("sex = Male", say("share of splits that select it"), told, ours, reason))


def _figure_4_curves(results: Results) -> tuple[Curves, ...]:
    strengths = results.lists("strengths", method="RLR")
    if not strengths:
        return ()
    lines = [
        Curve(name, strengths[0], results.lists(f"coefficient {name}", method="RLR")[0])
        for name in (*SELECTED, "sex = Male")
    ]
    title, caption = say("Coefficients along the path"), say("Training rows of the first split.")
    return (Curves(title, caption, "1/λ", say("coefficient"), tuple(lines), log_across=True),)


_of_path = partial(Item, paper=PAPER, minutes=8.0, units=partial(units, methods=("RLR",)), splits=SPLITS, quick=2)
FIGURE_3 = _of_path(
    name="faith-figure-3",
    title=say("Figure 3: accuracy and unfairness along the path of penalties"),
    cells=_figure_3_cells,
    curves=_figure_3_curves,
)
FIGURE_4 = _of_path(
    name="faith-figure-4",
    title=say("Figure 4: coefficients along the path"),
    cells=_figure_4_cells,
    curves=_figure_4_curves,
)
ITEMS = (TABLE, FIGURE_1, FIGURE_2, FIGURE_3, FIGURE_4)
