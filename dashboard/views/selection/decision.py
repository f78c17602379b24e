"""Reading a selection otherwise: another tolerance, error rate or rule, over the same candidates."""

import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.loss_units import LOSS_UNITS
from core.base.settings import help_of
from core.language.phrases import percent
from core.language.told import say
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import Rule, SelectionPlan
from core.workflows.selection.wording import decision_of
from dashboard import forms
from dashboard.fields import label_of
from dashboard.jobs.job import Needs
from dashboard.views.plan_form import put_to_work
from dashboard.views.results.decision import ERROR_RATES
from dashboard.views.results.widgets import slider_format


def controls(plan: SelectionPlan, result: SelectionResult) -> tuple[Rule, TransportDecision]:
    """The rule and the decision settings as the widgets say: the plan's own until somebody moves one; kept in the
    address.
    """
    start = decision_of(plan, result)
    unit = LOSS_UNITS[start.loss].told_in
    with st.expander(say("Read the candidates otherwise"), icon=":material/tune:"):
        left, right = st.columns(2)
        with left:
            field = TransportDecision.model_fields["delta"]
            shown = unit.shown(start.delta)
            end = unit.shown(_largest(result, start))
            entered = st.slider(
                label_of(field, unit.name),
                0.0,
                end,
                shown,
                format=slider_format(end, "%.3g" if unit.name else "%.4f"),
                step=end / 400,
                key=_key("tolerance", plan),
                help=help_of(field),
                bind="query-params",
            )
            delta = start.delta if entered == shown else unit.entered(entered)
            alpha = st.select_slider(
                say("Risk of a wrong verdict"),
                sorted({*ERROR_RATES, start.alpha}),
                start.alpha,
                format_func=percent,
                key=_key("alpha", plan),
                help=help_of(TransportDecision.model_fields["alpha"]),
                bind="query-params",
            )
        with right:
            rule = forms.draw(Rule, dict(plan.rule), _key("rule", plan)) or plan.rule
    return rule, start.model_copy(update={"delta": delta, "alpha": alpha})


def offer_another(plan: SelectionPlan, rule: Rule, decision: TransportDecision, needs: Needs, *, first: bool) -> None:
    """A button that runs the selection with these choices, and what that means for the rows of the audit."""
    if not first:
        st.caption(
            say(
                "The rows of the audit have been looked at once. A choice that is made after seeing their "
                "verdict is no longer independent of them: read its audit with care, or bring fresh rows."
            )
        )
    if st.button(say("Choose again with these"), key="selection_reread", icon=":material/refresh:"):
        chosen = decision.model_copy(update={"budget": plan.decision.budget})
        put_to_work("selection", "select", plan.model_copy(update={"rule": rule, "decision": chosen}), needs)


def _largest(result: SelectionResult, start: TransportDecision) -> float:
    """Upper end of the slider: past every candidate's interval."""
    ends = [one.unfairness.two_sided(0.05).high for one in result.candidates if not one.unfairness.undefined]
    return float(max(0.1, 1.25 * start.delta, 1.1 * max([end for end in ends if end < float("inf")], default=0.0)))


def _key(field: str, plan: SelectionPlan) -> str:
    return f"{field}-{plan.fingerprint[:6]}"
