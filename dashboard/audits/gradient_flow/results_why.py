"""Why: the estimate against the tolerance, both tests side by side, the spread of the ratios, and T."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.report.numbers import GradientFlowNumbers, StatisticNumbers
from core.audits.gradient_flow.result import GradientFlowResult
from core.inference.holm import holm
from core.phrases import interval, number, p_value, percent, precision
from dashboard.text import literal
from dashboard.views.results import chart as results_chart
from dashboard.views.results.decision import symbols


def show(result: GradientFlowResult, decision: GradientFlowDecision, numbers: GradientFlowNumbers) -> None:
    """The whole tab."""
    results_chart.show("intervals", result, decision)
    st.table(both_tests(numbers, decision, with_symbols=symbols()), border="horizontal")
    for found in numbers.statistics:
        if found.undefined:
            st.info(f"**{found.statistic.capitalize()}:** {found.undefined}", icon=":material/info:")
    results_chart.show("ratios", result, decision)
    results_chart.show("sweep", result, decision)


def both_tests(numbers: GradientFlowNumbers, decision: GradientFlowDecision, *, with_symbols: bool) -> pd.DataFrame:
    """Both tests side by side, a quantity a row; ``with_symbols`` adds the paper's."""
    confidence = percent(1 - decision.alpha)
    adjusted = holm(np.array([found.p_value for found in numbers.statistics]))
    names = {
        "estimate": ("Estimate", "S_n"),
        "interval": (f"{confidence} interval", "eq. 3.6"),
        "lower": (f"At least, with {confidence} confidence", "T_n"),
        "upper": (f"At most, with {confidence} confidence", "eq. 3.9"),
        "p": ("p-value", "p"),
        "adjusted": ("p-value, adjusted for both statistics", "Holm"),
        "verdict": ("Verdict", ""),
    }
    columns = {
        found.statistic.capitalize(): _column(found, float(holm_p))
        for found, holm_p in zip(numbers.statistics, adjusted, strict=True)
    }
    labels = [f"{name} ({symbol})" if with_symbols and symbol else name for name, symbol in names.values()]
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, labels))))


def _column(found: StatisticNumbers, adjusted: float) -> list[str]:
    decimals = None if found.undefined else precision(found.interval_low, found.interval_high)
    return [
        number(found.estimate, decimals),
        interval(found.interval_low, found.interval_high) if not found.undefined else "not defined",
        number(found.lower_bound, decimals),
        number(found.upper_bound, decimals),
        literal(p_value(found.p_value)),
        literal(p_value(adjusted)),
        f"**{found.verdict.value}**",
    ]
