"""What the budget changes: the rise of the mean loss, and the price of a unit of budget, both exact at every ε."""

from contextlib import suppress

import numpy as np

from core.audits.transport.loss_units import LOSS_UNITS, tolerance
from core.audits.transport.verdict import TransportFinding
from core.base.errors import AuditError
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.inference.resampled import Checked
from core.inference.transport.envelope import ValueCurve
from core.language.phrases import number, percent, upper_first
from core.language.told import say

BUDGETS = 5
"""Budgets at which the bounds are computed besides the decision's own: so many evenly spaced, as many by the rise."""
_FAST = 2_000_000
"""With more numbers to a bound than this, three times each must do."""
_LIMITED = (0.0, 0.04, 0.2, 1.0)
"""With an auditor's limits every bound takes many linear programs: only at these shares of the axis."""
_LIMITED_LINE = (*_LIMITED, 0.01, 0.02, 0.08, 0.13, 0.3, 0.45, 0.6, 0.8)
TIMES = 5.0
"""The axis ends at so many times the decision's budget, or where nearly all of the rise is reached."""
MOST_POINTS = 400
"""Points of a line at most; between them it runs straight, off the exact curve by less than a pixel."""
_NEARLY_ALL = 0.98
_HIGHEST = 4.0
"""Prices above so many times the decision's own are cut off, so that the others can be told apart."""


def draw(finding: TransportFinding) -> Drawing:
    """The rise against ε: the exact curve, one-sided bounds, δ, and a marker at the decision's ε.

    The bounds are computed at the dots; between them they keep the distance to the curve that the dots on both sides
    have, in proportion.
    """
    decision, measure = finding.decision, LOSS_UNITS[finding.loss]
    curve, budget, end = curve_of(finding), finding.budget, axis_end(finding)
    grid = _grid(finding, end)
    known = [finding.under(budget=float(one)) for one in grid]
    lower, upper = np.array([one.lower_bound for one in known]), np.array([one.upper_bound for one in known])
    finite = np.isfinite(lower) & np.isfinite(upper)
    grid, lower, upper = grid[finite], lower[finite], upper[finite]
    line = _drawn(curve, end)
    figure = theme.blank(340)
    if len(grid):
        x = np.unique([*grid, *line.budgets[(line.budgets >= grid[0]) & (line.budgets <= grid[-1])]])
        low, high = (curve.at(x) + np.interp(x, grid, bound - curve.at(grid)) for bound in (lower, upper))
        marks.band(figure, x, measure.factor * low, measure.factor * high)
        figure.add_scatter(
            name=say("lower line"),
            x=x,
            y=measure.factor * low,
            mode="lines",
            line={"color": theme.BLUE, "dash": "dot", "width": 2},
            hoverinfo="skip",
        )
    figure.add_scatter(
        name=say("lower bound"),
        x=grid,
        y=measure.factor * lower,
        mode="markers",
        marker={"size": 5, "color": theme.BLUE},
        hovertemplate=say("at least %{y:.4g}<br>at a budget of %{x:.4g}<extra></extra>"),
    )
    figure.add_scatter(
        name=say("measured on the same people") if isinstance(finding.seen, Checked) else say("estimate"),
        x=line.budgets,
        y=measure.factor * line.values,
        mode="lines",
        line={"color": theme.BLUE, "width": 2.5},
        hovertemplate=say("rise %{y:.4g}<br>at a budget of %{x:.4g}<extra></extra>"),
    )
    now = measure.factor * float(curve.at(np.array([budget]))[0])
    said = say("this reading: rise %{y:.4g}<br>at a budget of %{x:.4g}")
    marks.point(figure, say("this reading"), (budget, now), said)
    theme.tolerance_level(figure, measure.factor * decision.delta, told=tolerance(decision))
    figure.update_yaxes(
        title=measure.axis,
        range=theme.padded([0.0, measure.factor * decision.delta, now, *(measure.factor * np.append(lower, upper))]),
    )
    figure.update_xaxes(
        title=say("budget ε (read at {budget})", budget=number(budget)), range=(-0.02 * end, 1.02 * end)
    )
    return Drawing(figure, _words(finding, curve))


def _words(finding: TransportFinding, curve: ValueCurve) -> str:
    """The curve at half, once and twice the decision's budget, and at most."""
    measure, budget = LOSS_UNITS[finding.loss], finding.budget
    points = [0.0, budget / 2, budget, 2 * budget, float(curve.budgets[-1])]
    values = measure.factor * curve.at(np.array(points))
    told = ", ".join(
        say("{rise} at {budget}", rise=number(value), budget=number(point))
        for point, value in dict(zip(points, values, strict=True)).items()
    )
    low, high = (number(measure.factor * bound) for bound in (finding.lower_bound, finding.upper_bound))
    return say(
        "{rise}, against the budget: {values}; the last is the largest possible. At the budget "
        "read, {budget}, the {confidence} bounds are {low} and {high}; the tolerance is {tolerance}.",
        rise=upper_first(measure.axis),
        values=told,
        budget=number(budget),
        confidence=percent(1 - finding.decision.alpha),
        low=low,
        high=high,
        tolerance=tolerance(finding.decision),
    )


def draw_price(finding: TransportFinding) -> Drawing:
    """The price ν, the rise for a unit more of budget, as a step function of ε, and at the decision's ε."""
    measure, budget, end = LOSS_UNITS[finding.loss], finding.budget, axis_end(finding)
    curve = curve_of(finding)
    line, now = _drawn(curve, end), measure.factor * finding.price
    prices = measure.factor * line.slopes
    figure = theme.blank(300)
    figure.add_scatter(
        name=say("price"),
        x=line.budgets,
        y=[*prices[:-1], prices[-2] if len(prices) > 1 else 0.0],
        mode="lines",
        line={"shape": "hv", "color": theme.BLUE, "width": 2.5},
        hovertemplate=say("%{y:.4g} for a unit of budget<br>from a budget of %{x:.4g} on<extra></extra>"),
    )
    marks.point(figure, say("this reading"), (budget, now), say("this reading: %{y:.4g} for a unit more"))
    figure.add_vline(x=budget, line={"color": theme.GREY, "width": 1.5, "dash": "dot"})
    shown = np.append(prices, now)
    highest = min(float(shown.max()), _HIGHEST * float(shown[-1]) or np.inf)
    figure.update_yaxes(
        title=say("price of budget ν,<br>{what} per unit", what=measure.unit.strip() or say("rise")),
        range=theme.padded([0.0, highest], 0.06),
    )
    if highest < shown.max():
        marks.note(figure, say("up to {price} for smaller budgets", price=_large(float(shown.max()))))
    figure.update_xaxes(
        title=say("budget ε (read at {budget})", budget=number(budget)), range=(-0.02 * end, 1.02 * end)
    )
    first = _large(measure.factor * float(curve.slopes[0]))
    return Drawing(
        figure,
        say(
            "Price of budget, the {rise} for a unit of it: {first} for the first, {now} at "
            "the budget read, {budget}, 0 from {end} on.",
            rise=say("{rise} in {unit}", rise=measure.rise, unit=measure.told_in.name)
            if measure.told_in.name
            else measure.rise,
            first=first,
            now=number(now),
            budget=number(budget),
            end=number(curve.budgets[-1]),
        ),
    )


def axis_end(finding: TransportFinding) -> float:
    """Where the axis of budgets ends, so that the part that matters fills it."""
    curve, budget = finding.curve, finding.budget
    rise = curve.values - curve.values[0]
    nearly = float(np.interp(_NEARLY_ALL * rise[-1], rise, curve.budgets))
    return min(max(nearly, 1.5 * budget), TIMES * budget or np.inf) or 1.0


def curve_of(finding: TransportFinding) -> ValueCurve:
    """The rise at every budget: exact, or with an auditor's limits exact at some budgets and straight between them."""
    curve = finding.curve
    if finding.detail.constrained is None:
        last = np.append(np.diff(curve.budgets) > 0, True)
        return ValueCurve(curve.budgets[last], curve.values[last])
    known = dict(zip(curve.budgets.tolist(), curve.values.tolist(), strict=True))
    for one in [*(axis_end(finding) * np.array(_LIMITED_LINE)), finding.budget]:
        with suppress(AuditError):
            known[float(one)] = finding.under(budget=float(one)).solution.value
    budgets = np.array(sorted(known))
    return ValueCurve(budgets, np.array([known[one] for one in budgets.tolist()]))


def _drawn(curve: ValueCurve, end: float) -> ValueCurve:
    """The part of a curve up to ``end``, of very many points some; where it stays flat a point at ``end``."""
    inside = np.flatnonzero(curve.budgets < end)
    if len(inside) > MOST_POINTS:
        inside = inside[np.linspace(0, len(inside) - 1, MOST_POINTS).astype(int)]
    budgets = np.append(curve.budgets[inside], end)
    return ValueCurve(budgets, curve.at(budgets))


def _grid(finding: TransportFinding, end: float) -> np.ndarray:
    """Where the bounds are computed: close together where the curve is steep."""
    detail, curve, budget = finding.detail, finding.curve, finding.budget
    if detail.constrained is not None:
        return np.unique([*(end * np.array(_LIMITED)), budget])
    many = BUDGETS if len(detail.cells) * detail.draws <= _FAST else 3
    heights = np.linspace(curve.values[0], float(curve.at(np.array([end]))[0]), many)
    by_rise = np.interp(heights, curve.values, curve.budgets)
    return np.unique([*np.linspace(0.0, end, many), *np.minimum(by_rise, end), budget])


def _large(price: float) -> str:
    """A price, which may be very large where two kinds of people hardly differ."""
    return number(price) if price < 1e6 else say("more than a million")
