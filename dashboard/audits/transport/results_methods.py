"""Every way to the interval side by side, with what speaks against each here."""

import pandas as pd
import streamlit as st

from core.audits.transport.decision import Method, TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.ways import METHODS, ways_at_once
from core.audits.transport.wording import MEASURES
from core.inference.resampled import Checked, ResampledEstimate
from core.phrases import interval_text, number, p_value, percent, precision, ratio
from core.plan import AuditPlan
from core.settings import name_of_choice
from dashboard.text import literal
from dashboard.views.results.decision import tip, widget_key


def show(plan: AuditPlan, result: TransportResult, decision: TransportDecision) -> None:
    """A row for each way, the one that is read in bold, and what speaks against those in doubt."""
    methods = ways_at_once(result.detail, decision.method)
    later = [name_of_choice(TransportDecision, "method", method) for method in METHODS if method not in methods]
    if later and st.toggle(f"Also the {', the '.join(later)}: this takes minutes", key=widget_key("slow", plan)):
        methods = METHODS
    against = {method: result.detail.doubts(decision.model_copy(update={"method": method})) for method in methods}
    st.caption(
        "The verdict rests on the way in bold. Where the ways agree, the result does not depend on how the uncertainty "
        f"was computed. {tip(TransportDecision, 'method')}"
    )
    st.table(side_by_side(result, decision, against), border="horizontal")
    for method, found in against.items():
        if found:
            name = name_of_choice(TransportDecision, "method", method)
            st.markdown(f":material/warning: **{literal(name)}:** {literal(' '.join(found))}")


def side_by_side(
    result: TransportResult, decision: TransportDecision, against: dict[Method, tuple[str, ...]]
) -> pd.DataFrame:
    """Interval, lower bound with its Monte-Carlo error, p-value and validity of every way, as Markdown."""
    measure, delta = MEASURES[decision.loss], decision.delta
    rows = {}
    for method, objections in against.items():
        found = result.detail.estimate(decision.model_copy(update={"method": method}))
        ends = found.two_sided(decision.alpha)
        low, high = measure.shown(ends.low), measure.shown(ends.high)
        bound = ratio(
            measure.shown(found.lower_bound(decision.alpha)),
            beside=measure.factor * delta,
            decimals=precision(low, high),
        )
        error = found.lower_error(decision.alpha) if isinstance(found, ResampledEstimate | Checked) else 0.0
        name = literal(name_of_choice(TransportDecision, "method", method))
        rows[f"**{name}**" if method == decision.method else name] = (
            literal(interval_text(low, high)),
            literal(f"{bound} ± {number(measure.factor * error)}" if error else bound),
            literal(p_value(found.p_value(delta), alpha=decision.alpha)).replace(" ", "\u00a0"),
            ":material/warning:\u00a0doubtful" if objections else ":material/check:\u00a0valid",
        )
    columns = (f"{percent(1 - decision.alpha)} interval", "Lower bound ± error of the draws", "p-value", "Here")
    return pd.DataFrame(
        list(rows.values()), columns=list(map(literal, columns)), index=pd.Index(list(rows), name="Way to the interval")
    )
