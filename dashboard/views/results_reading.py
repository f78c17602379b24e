"""The reading of a result: tolerance, error rate, stopping time and statistic, kept in the page's address."""

from typing import Any, get_args

import streamlit as st
from pydantic.fields import FieldInfo

from core.plan import AuditPlan
from core.reading import Reading, Statistic
from core.result import AuditResult
from core.words import percent

ERROR_RATES = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2)


def widget_key(field: str, plan: AuditPlan) -> str:
    """Key of a widget and its name in the address; each result has its own, so that no reading strays to another."""
    return f"{field}-{plan.result_fingerprint[:6]}"


def controls(plan: AuditPlan, result: AuditResult) -> Reading:
    """Draw the four widgets and return what they say: the plan's reading, until somebody moves one.

    A refresh of the browser keeps them, for they stand in the address.
    """
    start = plan.reading
    symbols = st.session_state.get("symbols", False)
    left, right = st.columns(2)
    with left:
        delta = st.slider(
            _label("delta", symbols),
            1.0,
            _largest_delta(start, result),
            start.delta,
            0.01,
            key=widget_key("delta", plan),
            help=_help("delta"),
            bind="query-params",
        )
        statistic = st.segmented_control(
            _label("statistic", symbols),
            get_args(Statistic),
            default=start.statistic,
            required=True,
            key=widget_key("statistic", plan),
            help=_help("statistic"),
            bind="query-params",
        )
    with right:
        alpha = st.select_slider(
            _label("alpha", symbols),
            sorted({*ERROR_RATES, start.alpha}),
            start.alpha,
            format_func=percent,
            key=widget_key("alpha", plan),
            help=_help("alpha"),
            bind="query-params",
        )
        stop_at = _stopping_time(plan, result, symbols)
    return Reading(delta=delta, alpha=alpha, stop_at=stop_at, statistic=statistic or start.statistic)


def _stopping_time(plan: AuditPlan, result: AuditResult, symbols: bool) -> int | None:
    """The length chosen; None for the whole search."""
    steps = [int(step) for step in result.detail.steps]
    if len(steps) == 1:
        st.caption("The search was recorded at one length only, so it cannot be read as if it had stopped earlier.")
        return None
    chosen: int = st.select_slider(
        _label("stop_at", symbols),
        steps,
        steps[result.detail.at(plan.reading.stop_at)],
        format_func=lambda step: f"{step:,} steps",
        key=widget_key("stop", plan),
        help=_help("stop_at"),
        bind="query-params",
    )
    return None if chosen == steps[-1] else chosen


def _largest_delta(start: Reading, result: AuditResult) -> float:
    """Upper end of the slider: past every bound of the whole search, and 2 at least; it stays put for a result."""
    found = [result.detail.estimate(Reading(statistic=statistic)) for statistic in get_args(Statistic)]
    bounds = [estimate.two_sided(0.05).high for estimate in found if not estimate.undefined]
    return float(min(max(2.0, start.delta, *(1.25 * bound for bound in bounds)), 100.0))


def _label(field: str, symbols: bool) -> str:
    info = Reading.model_fields[field]
    symbol = _extra(info).get("symbol")
    return f"{info.title} {symbol}" if symbols and symbol else str(info.title)


def _help(field: str) -> str:
    info = Reading.model_fields[field]
    symbol = _extra(info).get("symbol")
    return f"{info.description}" + (f" Symbol: {symbol}." if symbol else "")


def _extra(info: FieldInfo) -> dict[str, Any]:
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
