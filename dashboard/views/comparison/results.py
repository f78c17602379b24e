"""Models beside each other: which differ in what, every test of every model, and the record."""

import streamlit as st

from core.language.told import say
from core.workflows.comparison.figures.apart import APART
from core.workflows.comparison.figures.tradeoff import TRADE_OFF
from core.workflows.comparison.page import facts, rates_tables, tests_tables
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import caveats as told_apart
from core.workflows.comparison.tests import drawings, tested
from core.workflows.comparison.wording import headline, sentence
from dashboard.drawings import show_chart
from dashboard.messages import show_remarks, show_warnings
from dashboard.text import literal
from dashboard.views.downloads import show_repeatable
from dashboard.views.results.tables import show_captioned


def show(plan: ComparisonPlan, result: ComparisonResult) -> None:
    """Show a finished comparison."""
    st.title(say("Compare models"), anchor=False)
    st.caption(
        say(
            "{names} on {table}",
            names=literal(", ".join(result.names), 200),
            table=literal(plan.data.title, 80),
        )
    )
    st.info(f"## :material/compare_arrows: {literal(headline(plan, result))}\n{literal(sentence(plan, result))}")
    found = tested(plan, result)
    caveats = (*told_apart(found, result.baseline, plan.alpha), *result.caveats)
    show_warnings(caveats)
    apart, tests, record = st.tabs(
        [say("Differences"), say("Tests"), say("Record")], key="comparison_view", bind="query-params"
    )
    with apart:
        show_remarks(caveats)
        for name, chart in (("apart", APART), ("tradeoff", TRADE_OFF)):
            if chart.applies(plan, result):
                show_chart(chart, chart.draw(plan, result), f"comparison_{name}")
        for place, table in enumerate(rates_tables(plan, result)):
            show_captioned(table, f"comparison_rates_{place}")
    with tests:
        for name, chart, drawing in drawings(found):
            show_chart(chart, drawing, f"comparison_{name}")
        for place, table in enumerate(tests_tables(plan, result, found)):
            show_captioned(table, f"comparison_tests_{place}")
    with record:
        show_repeatable(COMPARISON, plan, result, "comparison", facts(result))
