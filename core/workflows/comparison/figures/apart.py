"""How every model differs from the baseline, with intervals: what is shown first, and of that the largest."""

from dataclasses import replace

from core.claims import Claim
from core.claims_shown import row_of
from core.figures import interval_rows, theme
from core.figures.chart import Chart, Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.language.phrases import lower_first, p_value, upper_first
from core.language.told import say
from core.workflows.comparison.rates import AtErrorRate, Rate, largest_first, rates, sized
from core.workflows.comparison.result import ComparisonResult

_FEW = 3
"""Models whose accuracy stands before all else; of more it would leave no room."""


def draw(plan: AtErrorRate, result: ComparisonResult) -> Drawing:
    """The differences of shares from the baseline; filled where they are shown, hollow where not."""
    every = largest_first(result, plan.alpha)
    shares = [pair for pair in every if pair[0].largest is not None] or list(every)
    right = [pair for pair in shares if pair[0].key == "accuracy"] if len(result.others) <= _FEW else []
    found = [*right, *(pair for pair in shares if pair not in right)][: theme.MOST_ROWS]
    alone = len(result.others) == 1
    rows = [_row(rate, claim, claim.p_value <= plan.alpha, alone=alone) for rate, claim in found]
    unit = found[0][1].unit
    baseline, other = result.names[result.baseline], result.names[result.others[0]]
    title = (
        say("how {model} differs from {baseline}", model=theme.literal(other, 40), baseline=theme.literal(baseline, 40))
        if alone
        else say("difference from {baseline}", baseline=theme.literal(baseline, 40))
    )
    return interval_rows.draw(
        rows,
        Axis(unit.axis(title), [Line(0.0, "")]),
        what=say("Differences from {baseline}:", baseline=baseline),
        closing=say("Hollow marks: the difference may be chance."),
    )


def _row(rate: Rate, claim: Claim, certain: bool, *, alone: bool) -> Row:
    """One difference, which way in words; the baseline, which is that of all, is named once."""
    which = rate.towards(claim)
    about = say("{what}, {which}", what=rate.what, which=which)
    who, detail = (upper_first(which), rate.what) if rate.attribute else (about, "")
    who, detail = (who, detail) if alone else (claim.who, about)
    row = row_of(replace(sized(claim), who=who, against="", people=0), ("person", "people"), detail=detail)
    told = f", p {p_value(claim.p_value)}"
    colour, symbol = (theme.BLUE, "diamond") if certain else (theme.GREY, "diamond-open")
    under, called = (rate.what, which) if rate.attribute else (say("Right answers"), lower_first(about))
    return replace(
        row,
        told=f"{row.told}{told}",
        alt=f"{row.alt}{told}",
        colour=colour,
        symbol=symbol,
        under=under,
        called=called if alone else f"{claim.who}: {called}",
    )


APART = Chart(
    say("Differences from the baseline, accuracy first, then the largest"),
    say(
        "Each row is one model beside the baseline, on the same people, and says which way they differ; the bar is its "
        "interval. Filled marks: the difference is shown not to be chance, for all differences together; hollow ones: "
        "it may be chance."
    ),
    draw,
    lambda plan, result: bool(rates(result)),
    slide="sure",
)
