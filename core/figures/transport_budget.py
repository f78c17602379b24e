"""What the budget changes: the rise of the mean loss, and the price of a unit of budget, both exact at every ε."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.audits.transport.reading import TransportReading
from core.figures import theme
from core.result import TransportResult
from core.words import number, percent
from core.words_transport import MEASURES

BUDGETS = 9
"""Budgets at which the bounds are computed, the reading's own among them."""
_NEARLY_ALL = 0.98
"""The axis ends where so much of the largest rise is reached, or at twice the reading's budget."""


def applies(result: TransportResult, reading: TransportReading) -> bool:
    """Whether another budget could change the value: not where every useful move is free."""
    return reading.loss in result.detail.losses and result.detail.budget_matters(reading)


def draw(result: TransportResult, reading: TransportReading) -> go.Figure:
    """The rise against ε: the exact curve, one-sided bounds at a few budgets, δ, and a marker at the reading's ε."""
    detail, measure = result.detail, MEASURES[reading.loss]
    curve, budget = detail.curve(reading), detail.budget(reading)
    end = axis_end(result, reading)
    grid = np.unique(np.append(np.linspace(0.0, end, BUDGETS - 1), budget))
    known = [detail.estimate(reading.model_copy(update={"budget": float(one)})) for one in grid]
    lower = measure.factor * np.array([one.lower_bound(reading.alpha) for one in known])
    upper = measure.factor * np.array([one.upper_bound(reading.alpha) for one in known])
    figure = theme.blank(340)
    finite = np.isfinite(lower) & np.isfinite(upper)
    figure.add_scatter(
        name="bounds",
        x=np.concatenate([grid[finite], grid[finite][::-1]]),
        y=np.concatenate([upper[finite], lower[finite][::-1]]),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor="rgba(10, 132, 204, 0.22)",
        hoverinfo="skip",
    )
    figure.add_scatter(
        name="lower bound",
        x=grid[finite],
        y=lower[finite],
        mode="lines+markers",
        line={"color": theme.BLUE, "dash": "dot", "width": 2},
        marker={"size": 5},
        hovertemplate="lower bound %{y:.4g}<br>at a budget of %{x:.4g}<extra></extra>",
    )
    budgets = np.append(curve.budgets, max(end, curve.budgets[-1]))
    values = measure.factor * np.append(curve.values, curve.values[-1])
    figure.add_scatter(
        name="estimate",
        x=budgets,
        y=values,
        mode="lines",
        line={"color": theme.BLUE, "width": 2.5},
        hovertemplate="rise %{y:.4g}<br>at a budget of %{x:.4g}<extra></extra>",
    )
    now = measure.factor * float(curve.at(np.array([budget]))[0])
    figure.add_scatter(
        name="this reading",
        x=[budget],
        y=[now],
        mode="markers",
        marker={"symbol": "diamond", "size": 12, "color": theme.BLUE},
        hovertemplate="this reading: rise %{y:.4g}<br>at a budget of %{x:.4g}<extra></extra>",
    )
    theme.tolerance_level(figure, measure.factor * reading.delta)
    figure.update_yaxes(
        title=measure.axis,
        range=theme.padded([0.0, measure.factor * reading.delta, now, *lower[finite], *upper[finite]]),
    )
    return figure.update_xaxes(title=f"budget ε (read at {number(budget)})", range=(-0.02 * end, 1.02 * end))


def alt(result: TransportResult, reading: TransportReading) -> str:
    """The curve in words: at half, once and twice the reading's budget, and at most."""
    detail, measure = result.detail, MEASURES[reading.loss]
    curve, budget = detail.curve(reading), detail.budget(reading)
    points = [0.0, budget / 2, budget, 2 * budget, float(curve.budgets[-1])]
    values = measure.factor * curve.at(np.array(points))
    told = ", ".join(
        f"{number(value)} at {number(point)}" for point, value in dict(zip(points, values, strict=True)).items()
    )
    estimate = detail.estimate(reading)
    low = number(measure.factor * estimate.lower_bound(reading.alpha))
    high = number(measure.factor * estimate.upper_bound(reading.alpha))
    return (
        f"{measure.axis[0].upper()}{measure.axis[1:]}, against the budget: {told}; the last is the largest possible. "
        f"At the budget read, {number(budget)}, the {percent(1 - reading.alpha)} bounds are {low} and {high}; the "
        f"tolerance is {number(measure.factor * reading.delta)}."
    )


def draw_price(result: TransportResult, reading: TransportReading) -> go.Figure:
    """The price ν, the rise for a unit more of budget, as a step function of ε, and its interval at the reading's ε."""
    measure = MEASURES[reading.loss]
    budgets, prices = steps(result, reading)
    end, budget = axis_end(result, reading), result.detail.budget(reading)
    solution = result.detail.solution(reading)
    figure = theme.blank(300)
    figure.add_scatter(
        name="price",
        x=np.append(budgets, max(end, budgets[-1])),
        y=np.append(prices, 0.0),
        mode="lines",
        line={"shape": "hv", "color": theme.BLUE, "width": 2.5},
        hovertemplate="%{y:.4g} for a unit of budget<br>from a budget of %{x:.4g} on<extra></extra>",
    )
    figure.add_scatter(
        name="this reading",
        x=[budget],
        y=[measure.factor * solution.price_low],
        mode="markers",
        marker={"symbol": "diamond", "size": 12, "color": theme.BLUE},
        hovertemplate="this reading: %{y:.4g} for a unit more<extra></extra>",
    )
    figure.add_vline(x=budget, line={"color": theme.GREY, "width": 1.5, "dash": "dot"})
    shown = prices[budgets <= end]
    figure.update_yaxes(title=f"price of budget ν,<br>{measure.unit.strip() or 'rise'} per unit", rangemode="tozero")
    figure.update_yaxes(range=theme.padded([0.0, *shown], 0.06))
    return figure.update_xaxes(title=f"budget ε (read at {number(budget)})", range=(-0.02 * end, 1.02 * end))


def alt_price(result: TransportResult, reading: TransportReading) -> str:
    """The price in words."""
    measure = MEASURES[reading.loss]
    budgets, prices = steps(result, reading)
    now = number(measure.factor * result.detail.solution(reading).price_low)
    return (
        f"Price of budget, the rise of {measure.name}{measure.unit and ' in' + measure.unit} for a unit of it: "
        f"{number(prices[0])} for the first, {now} at the budget read, {number(result.detail.budget(reading))}, "
        f"0 from {number(budgets[-1])} on."
    )


def steps(result: TransportResult, reading: TransportReading) -> tuple[np.ndarray, np.ndarray]:
    """The price between breakpoints: budgets from which it holds, and the price, 0 after the last; both shape (p,)."""
    curve = result.detail.curve(reading)
    slopes = np.diff(curve.values) / np.diff(curve.budgets)
    return curve.budgets, MEASURES[reading.loss].factor * np.append(slopes, 0.0)


def axis_end(result: TransportResult, reading: TransportReading) -> float:
    """Where the axis of budgets ends, so that the part that matters fills it."""
    curve, budget = result.detail.curve(reading), result.detail.budget(reading)
    rise = curve.values - curve.values[0]
    nearly = float(np.interp(_NEARLY_ALL * rise[-1], rise, curve.budgets))
    return max(nearly, 2 * budget) or 1.0
