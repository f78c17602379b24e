"""How every model differs from the baseline, with intervals, the most certain differences first."""

from core.figures import interval_rows, theme
from core.figures.chart import Chart, Drawing
from core.figures.interval_rows import Line, Row
from core.language.phrases import p_value
from core.language.told import say
from core.workflows.comparison.rates import AtErrorRate, differences, rates
from core.workflows.comparison.result import ComparisonResult


def draw(plan: AtErrorRate, result: ComparisonResult) -> Drawing:
    """The differences of shares from the baseline; filled where they are shown, hollow where not."""
    every = differences(result, plan.alpha)
    shares = [pair for pair in every if pair[0].largest is not None]
    found = sorted(shares, key=lambda pair: pair[1].p_value)[: theme.MOST_ROWS] or list(every)
    rows = []
    for rate, claim in found:
        unit, certain = claim.unit, claim.p_value <= plan.alpha
        low, high = claim.ends
        said = f"{unit.number(claim.estimate)} ({unit.interval(low, high)}), p {p_value(claim.p_value)}"
        name = f"{claim.who}: {rate.title}"
        rows.append(
            Row(
                f"<b>{theme.literal(claim.who, 24)}</b><br>{theme.literal(rate.title, 90)}",
                f"{theme.literal(name)}<br>{said}",
                value=unit.shown(claim.estimate),
                low=unit.shown(low),
                high=unit.shown(high),
                alt=f"{name}: {said}",
                colour=theme.BLUE if certain else theme.GREY,
                symbol="diamond" if certain else "diamond-open",
                who=name,
            )
        )
    unit = found[0][1].unit
    baseline = result.names[result.baseline]
    title = unit.axis(say("difference from {baseline}", baseline=theme.literal(baseline, 40)))
    return interval_rows.draw(
        rows,
        [Line(0.0, "")],
        title,
        what=say("Differences from {baseline}:", baseline=baseline),
        closing=say("Hollow marks: no difference is shown."),
    )


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
