"""Why: the estimate against the tolerance, both tests side by side, the spread of the ratios, and T."""

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.decision import heading_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.language.phrases import interval_text, number, p_value, percent, precision
from core.language.told import say
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.widgets import symbols


def show(finding: GradientFlowFinding) -> None:
    """The whole tab."""
    show_chart(finding, "intervals")
    st.table(_both_tests(finding, with_symbols=symbols()), border="horizontal")
    for one in finding.both:
        if one.undefined:
            st.info(f"**{heading_of(one.decision.statistic)}:** {one.undefined}", icon=":material/info:")
    show_chart(finding, "ratios")
    show_chart(finding, "sweep")


def _both_tests(finding: GradientFlowFinding, *, with_symbols: bool) -> pd.DataFrame:
    """Both tests side by side, a quantity a row; ``with_symbols`` adds the paper's."""
    confidence = percent(1 - finding.decision.alpha)
    names = {
        "estimate": (say("Estimate"), "S_n"),
        "interval": (say("{confidence} interval", confidence=confidence), "eq. 3.6"),
        "lower": (say("At least, with {confidence} confidence", confidence=confidence), "T_n"),
        "upper": (say("At most, with {confidence} confidence", confidence=confidence), "eq. 3.9"),
        "p": (say("p-value"), "p"),
        "adjusted": (say("p-value, adjusted for both statistics"), "Holm"),
        "verdict": (say("Verdict"), ""),
    }
    columns = {
        heading_of(one.decision.statistic): _column(one, adjusted)
        for one, adjusted in zip(finding.both, finding.adjusted, strict=True)
    }
    labels = [f"{name} ({symbol})" if with_symbols and symbol else name for name, symbol in names.values()]
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, labels)), name=say("Quantity")))


def _column(found: GradientFlowFinding, adjusted: float) -> list[str]:
    decimals = None if found.undefined else precision(found.interval_low, found.interval_high)
    return [
        number(found.estimate, decimals),
        interval_text(found.interval_low, found.interval_high) if not found.undefined else say("not defined"),
        number(found.lower_bound, decimals),
        number(found.upper_bound, decimals),
        literal(p_value(found.p_value)),
        literal(p_value(adjusted)),
        f"**{found.verdict.words}**",
    ]
