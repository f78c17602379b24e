"""What the decision settings of all tests have in common: names for widgets and address, labels, and the error rate."""

import math
from collections.abc import Callable
from typing import Any

import streamlit as st
from pydantic.fields import FieldInfo

from core.decision import DecisionSettings
from core.phrases import percent
from core.plan import AuditPlan
from core.study import Study
from dashboard.text import literal

ERROR_RATES = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2)

SLIDER_STEPS = 200
"""Places of a slider."""

ErrorRate = Callable[[], float]
"""Draws the widget of the error rate where it is called, or, where that is drawn already, only says what it says."""


def widget_key(field: str, read: AuditPlan | Study) -> str:
    """Key of a widget and its name in the address; each result has its own, so that no reading strays to another."""
    return f"{field}-{read.result_fingerprint[:6]}"


def symbols() -> bool:
    """Whether the paper's symbols are to be shown."""
    return bool(st.session_state.get("symbols", False))


def label(kind: type[DecisionSettings], field: str) -> str:
    """The field's plain-language name, with its symbol where symbols are shown."""
    info = kind.model_fields[field]
    symbol = _extra(info).get("symbol")
    return f"{info.title} {symbol}" if symbols() and symbol else str(info.title)


def tip(kind: type[DecisionSettings], field: str) -> str:
    """What the field does, for the tooltip."""
    info = kind.model_fields[field]
    symbol = _extra(info).get("symbol")
    return f"{info.description}" + (f" Symbol: {symbol}." if symbol else "")


def error_rate(study: Study) -> float:
    """The error rate of all tests together, one widget for the study; the plans' smallest, until somebody moves it."""
    start = min(plan.decision.alpha for plan in study.plans)
    chosen: float = st.select_slider(
        label(DecisionSettings, "alpha"),
        sorted({*ERROR_RATES, start}),
        start,
        format_func=percent,
        key=widget_key("alpha", study),
        help=tip(DecisionSettings, "alpha"),
        bind="query-params",
    )
    return chosen


def share_slider(start: DecisionSettings, plan: AuditPlan, field: str, unit: str) -> float:
    """A tolerance in percent; the slider ends at 50, or a half above the plan's own where that is larger."""
    kind, kept = type(start), float(getattr(start, field))
    first = 100 * kept
    end = max(50.0, min(100.0, float(math.ceil(1.5 * first))))
    chosen: float = st.slider(
        f"{label(kind, field)} ({unit})",
        0.0,
        end,
        first,
        end / SLIDER_STEPS,
        key=widget_key(field, plan),
        help=tip(kind, field),
        bind="query-params",
    )
    return kept if chosen == first else chosen / 100


def choose_attribute(start: DecisionSettings, plan: AuditPlan, names: list[str], index: int, field: str) -> str:
    """One of the attributes, ``index`` until somebody moves it; a choice only where there are several."""
    if len(names) == 1:
        return str(getattr(start, field))
    kind = type(start)
    chosen: str = st.selectbox(
        label(kind, field),
        names,
        index,
        format_func=literal,
        key=widget_key(field, plan),
        help=tip(kind, field),
        bind="query-params",
    )
    return chosen


def _extra(info: FieldInfo) -> dict[str, Any]:
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
