"""What the decision settings of all tests have in common: names for widgets and address, labels, and the error rate."""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st
from pydantic.fields import FieldInfo

from core.decision import DecisionSettings
from core.phrases import percent
from core.plan import AuditPlan
from core.settings import name_of_choice
from core.study import Study
from dashboard.text import literal

T = TypeVar("T")

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
    rates = sorted({*ERROR_RATES, start})
    return float(widget(st.select_slider, DecisionSettings, study, "alpha", rates, start, format_func=percent))


def widget(
    drawn: Callable[..., Any],
    kind: type[DecisionSettings],
    read: AuditPlan | Study,
    field: str,
    *given: Any,
    more: str = "",
    key: str = "",
    **settings: Any,
) -> Any:
    """What a widget of one field says; the widget has the field's label and tip, and keeps its value in the address.

    Args:
        drawn: Draws it, for example ``st.slider``.
        kind: The type of the decision settings.
        read: What is read.
        field: The field.
        given: What ``drawn`` takes after the label.
        more: What follows the label.
        key: What the widget is called in the address, if not like the field.
        settings: What else ``drawn`` takes.
    """
    return drawn(
        label(kind, field) + more,
        *given,
        key=widget_key(key or field, read),
        help=tip(kind, field),
        bind="query-params",
        **settings,
    )


def segments(start: DecisionSettings, plan: AuditPlan, field: str, offered: Sequence[T]) -> T:
    """One of few choices side by side, by their names; the plan's, until somebody moves it."""
    kind, kept = type(start), getattr(start, field)
    chosen: T | None = widget(
        st.segmented_control,
        kind,
        plan,
        field,
        offered,
        default=kept,
        required=True,
        format_func=lambda value: name_of_choice(kind, field, value),
        wrap=True,
    )
    return chosen or kept


def listed(start: DecisionSettings, plan: AuditPlan, field: str, offered: Sequence[T], first: T) -> T:
    """One of many choices in a list, by their names; ``first``, until somebody moves it."""
    kind, place = type(start), offered.index(first)
    chosen: T = widget(
        st.selectbox, kind, plan, field, offered, place, format_func=lambda value: name_of_choice(kind, field, value)
    )
    return chosen


def share_slider(start: DecisionSettings, plan: AuditPlan, field: str, unit: str, end: float = 50.0) -> float:
    """A tolerance in percent; the slider ends at ``end``, or a half above the plan's own where that is larger."""
    kept = float(getattr(start, field))
    first = 100 * kept
    end = max(end, min(100.0, float(math.ceil(1.5 * first))))
    chosen = widget(st.slider, type(start), plan, field, 0.0, end, first, end / SLIDER_STEPS, more=f" ({unit})")
    return kept if chosen == first else float(chosen) / 100


def choose_attribute(start: DecisionSettings, plan: AuditPlan, names: list[str], index: int, field: str) -> str:
    """One of the attributes, ``index`` until somebody moves it; a choice only where there are several."""
    if len(names) == 1:
        return str(getattr(start, field))
    return str(widget(st.selectbox, type(start), plan, field, names, index, format_func=literal))


def round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 … and their tenths, so that a slider's ends and steps are round."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= value * (1 - 1e-9))


def _extra(info: FieldInfo) -> dict[str, Any]:
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
