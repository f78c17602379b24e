"""Widgets that the decision settings of several tests have in common."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.base.settings import name_of_choice
from core.contracts.decision import DecisionSettings
from core.data.labels import labelled_by
from core.language.phrases import number, percent
from core.language.reader import SOURCE, language
from core.language.told import say
from core.language.units import round_up, units_of
from core.plan import AuditPlan
from core.study import Study
from dashboard.text import literal, named_turns
from dashboard.views.results.widgets import widget

T = TypeVar("T")

ERROR_RATES = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2)

SLIDER_STEPS = 200
"""Places of a slider."""

LEAST_PART = 8
"""A tolerance lies no nearer to the beginning of its slider than at this part of it, so that it can be moved."""

ErrorRate = Callable[[], float]
"""Draws the widget of the error rate where it is called, or, where that is drawn already, only says what it says."""


def end_of_slider(wanted: float, tolerance: float, without: float = 0.0) -> float:
    """Where the slider of a tolerance ends: where wanted, but not so far that the tolerance is left at its edge.

    Args:
        wanted: Past all that was found.
        tolerance: The one to begin with.
        without: The value of no difference, at which the slider begins.
    """
    return min(wanted, without + LEAST_PART * (tolerance - without)) if tolerance > without else wanted


def error_rate(study: Study) -> float:
    """The error rate of all tests together, one widget for the study; the plans' smallest, until somebody moves it."""
    start = min(plan.decision.alpha for plan in study.plans)
    rates = sorted({*ERROR_RATES, start})
    return float(widget(st.select_slider, DecisionSettings, study, "alpha", rates, start, format_func=percent))


def rooms(other: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Room for tolerance and error rate in the open, and below it one for other choices, folded.

    Args:
        other: What the other choices are of, amid a sentence.
    """
    return st.container(), st.expander(say("Change {other}", other=other), icon=":material/tune:")


def side_by_side(delta: Callable[[], float], alpha: ErrorRate) -> tuple[float, float]:
    """Tolerance and error rate as their widgets say, in two columns."""
    left, right = st.columns(2)
    with left:
        tolerated = delta()
    with right:
        return tolerated, alpha()


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


def units_slider(start: DecisionSettings, plan: AuditPlan, field: str, spread: float, unit: str) -> float:
    """A tolerance in shares of a spread, chosen in units of which the spread has so many; it ends at half a spread."""
    kept = float(getattr(start, field))
    end = round_up(spread * max(0.5, 1.5 * kept))
    first = kept * spread
    digits = {"format": "%.3g"} if end < 1 and language() == SOURCE else {}
    chosen = widget(
        st.slider, type(start), plan, field, 0.0, end, first, end / SLIDER_STEPS, more=f" ({unit})", **digits
    )
    return kept if chosen == first else float(chosen) / spread


def tolerated_difference(start: DecisionSettings, plan: AuditPlan, outcome: str, spread: float | None) -> float:
    """The tolerance of a difference between groups, in percentage points, or in units of an outcome that is a number.

    Args:
        start: The decision settings to begin with.
        plan: What was run.
        outcome: The name of the outcome.
        spread: Its standard deviation, of which the tolerance is a share; None where answers are no numbers.
    """
    if spread is None:
        return share_slider(start, plan, "delta", say("percentage points"))
    name = literal(outcome, 40)
    tolerated = units_slider(start, plan, "delta", spread, units_of(name, spread).name)
    st.caption(say("The standard deviation of {outcome} is {spread}.", outcome=name, spread=number(spread)))
    return tolerated


def choose_attribute(start: DecisionSettings, plan: AuditPlan, names: list[str], index: int, field: str) -> str:
    """One of the attributes; as it was run where it is ``index``, which is shown until somebody moves it."""
    as_run = str(getattr(start, field))
    if len(names) == 1:
        return as_run

    def read(name: str) -> str:
        return named_turns(labelled_by(name, plan.roles))

    chosen = str(widget(st.selectbox, type(start), plan, field, names, index, format_func=read))
    return as_run if chosen == names[index] else chosen
