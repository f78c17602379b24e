"""How every model differs from the baseline, with intervals: what is shown first, and of that the largest."""

from dataclasses import replace

from core.claims import Claim
from core.claims_shown import row_of
from core.figures import interval_rows, theme
from core.figures.chart import Chart, Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.language.phrases import p_value
from core.language.told import say
from core.workflows.comparison.rates import AtErrorRate, largest_first, rates
from core.workflows.comparison.result import ComparisonResult


def draw(plan: AtErrorRate, result: ComparisonResult) -> Drawing:
    """The differences of shares from the baseline; filled where they are shown, hollow where not."""
    every = largest_first(result, plan.alpha)
    found = [pair for pair in every if pair[0].largest is not None][: theme.MOST_ROWS] or list(every)
    rows = [_row(claim, claim.p_value <= plan.alpha) for _, claim in found]
    unit = found[0][1].unit
    baseline = result.names[result.baseline]
    title = unit.axis(say("difference from {baseline}", baseline=theme.literal(baseline, 40)))
    return interval_rows.draw(
        rows,
        Axis(title, [Line(0.0, "")]),
        what=say("Differences from {baseline}:", baseline=baseline),
        closing=say("Hollow marks: no difference is shown."),
    )


def _row(claim: Claim, certain: bool) -> Row:
    """One difference; the baseline, which is that of all, is named once."""
    row = row_of(replace(claim, against="", people=0), ("person", "people"), detail=claim.what)
    told = f", p {p_value(claim.p_value)}"
    colour, symbol = (theme.BLUE, "diamond") if certain else (theme.GREY, "diamond-open")
    return replace(row, told=f"{row.told}{told}", alt=f"{row.alt}{told}", colour=colour, symbol=symbol)


APART = Chart(
    say("Differences from the baseline"),
    say(
        "Each row is one model beside the baseline, on the same people; the bar is its interval. Right of the dotted "
        "line the model has more. Filled marks: the difference is shown, for all differences together; hollow ones: it "
        "may be chance."
    ),
    draw,
    lambda plan, result: bool(rates(result)),
    slide="sure",
)
