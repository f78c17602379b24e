"""Models beside each other: how each stands and what it costs, every difference and test, and the record."""

import datetime
from collections.abc import Callable

import streamlit as st

from core.language.fitted import sentences
from core.language.told import say
from core.report.names import FileNames
from core.workflows.comparison.figures.apart import APART
from core.workflows.comparison.figures.tradeoff import TRADE_OFF
from core.workflows.comparison.overview import overview
from core.workflows.comparison.page import facts, rates_tables, tests_tables
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import caveats as told_apart
from core.workflows.comparison.tests import drawings, tested
from core.workflows.comparison.wording import advised, better_in, headline, sentence
from dashboard.drawings import show_chart
from dashboard.messages import show_remarks, show_warnings
from dashboard.text import literal
from dashboard.views.downloads import offer_report_and_record, show_how_to_repeat
from dashboard.views.results.tables import offer_csv, show_short, show_titled


def show(plan: ComparisonPlan, result: ComparisonResult, ways: Callable[[], None]) -> None:
    """Show a finished comparison; ``ways`` draws the ways to slides and register."""
    st.title(say("Compare models"), anchor=False)
    st.caption(
        say(
            "{names} on {table}",
            names=literal(", ".join(result.names), 200),
            table=literal(plan.data.title, 80),
        )
    )
    below = "\n".join(f"- {literal(one)}" for one in sentences(sentence(plan, result)))
    for step in advised(plan, result):
        below += f"\n\n**{say('What to do next')}**: {literal(step)}"
    st.info(f"## :material/compare_arrows: {literal(headline(plan, result))}\n{below}")
    table = overview(plan, result)
    show_short(table, "comparison_overview")
    st.caption(literal(table.caption))
    offer_csv(table)
    found = tested(plan, result)
    caveats = (*told_apart(found, result.baseline, plan.alpha), *result.caveats)
    show_warnings(caveats)
    names = FileNames.of(plan.data.title, "comparison", datetime.date.today())
    with st.container(horizontal=True, vertical_alignment="center", key="comparison_files"):
        offer_report_and_record(COMPARISON, plan, result, names)
        ways()
    apart, tests, record = st.tabs(
        [say("Differences"), say("Tests"), say("Record")], key="comparison_view", bind="query-params"
    )
    with apart:
        show_remarks(caveats)
        for one in better_in(plan, result):
            st.markdown(literal(one))
        if TRADE_OFF.applies(plan, result):
            show_chart(TRADE_OFF, TRADE_OFF.draw(plan, result), "comparison_tradeoff")
        if APART.applies(plan, result):
            show_chart(APART, APART.draw(plan, result), "comparison_apart", folded=True)
        for place, rates in enumerate(rates_tables(plan, result)):
            show_titled(rates, f"comparison_rates_{place}")
    with tests:
        for name, chart, drawing in drawings(found):
            show_chart(chart, drawing, f"comparison_{name}", folded=True)
        for place, of_tests in enumerate(tests_tables(plan, result, found)):
            show_titled(of_tests, f"comparison_tests_{place}")
    with record:
        show_how_to_repeat(result, names, facts(result))
