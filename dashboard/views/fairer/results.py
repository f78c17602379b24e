"""What fairer models cost: one plain sentence on top, error and evidence over λ, and the models to take away."""

from collections.abc import Callable

import streamlit as st

from core.base.files import FileRef
from core.data.labels import labelled_by
from core.language.told import say
from core.report.settings_table import setting_sections
from core.workflows.mitigation.evidence import told_first
from core.workflows.mitigation.figures.answers import ANSWERS
from core.workflows.mitigation.figures.spread import SPREAD, charted
from core.workflows.mitigation.figures.tradeoff import TRADE_OFF
from core.workflows.mitigation.page import beside_figures, facts, fits_table, rates_table, sets_table, splits_table
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan, name_of_method
from core.workflows.mitigation.wording import headline, name, sentence
from dashboard.drawings import show_chart
from dashboard.messages import show_facts, show_remarks, show_warnings
from dashboard.text import literal
from dashboard.views.downloads import show_repeatable
from dashboard.views.fairer import models as mitigation_models
from dashboard.views.results.tables import show_captioned


def show(plan: MitigationPlan, result: MitigationResult, rows: FileRef, ways: Callable[[], None]) -> None:
    """Show a finished comparison.

    Args:
        plan: What was run.
        result: What it found.
        rows: The rows that no model was fitted to.
        ways: Draws the ways to slides and register.
    """
    own, (plan, result) = (plan, result), labelled_by((plan, result), plan.roles)
    st.title(say("What would a fairer model cost?"), anchor=False)
    st.caption(
        say(
            "{n} models on {table}; groups of {attribute}",
            n=len(result.fits),
            table=literal(plan.data.title, 80),
            attribute=literal(result.attribute, 40),
        )
    )
    st.info(f"## :material/balance: {literal(headline(plan, result))}\n{literal(sentence(plan, result))}")
    mitigation_models.tell_of_own(*own, rows)
    show_warnings(result.caveats)
    with st.container(horizontal=True, key="fairer_ways"):
        ways()
    repeated = (say("Over random splits"),) if result.splits is not None else ()
    found, rates, *splits, sets, models, record = st.tabs(
        [
            *(say("Cost"), say("How right, and how fair"), *repeated),
            *(say("Prediction sets"), say("Models"), say("Record")),
        ],
        key="fairer_view",
        bind="query-params",
    )
    with found:
        _cost(plan, result)
    with rates:
        for one in beside_figures(plan, result):
            show_chart(one.chart, one.drawing, f"fairer_{one.name}")
        show_captioned(rates_table(plan, result), "fairer_rates")
    for tab in splits:
        with tab:
            for measure in charted(result):
                show_chart(SPREAD, SPREAD.draw(plan, result, measure), f"fairer_splits_{measure}")
            show_captioned(splits_table(plan, result), "fairer_splits")
    with sets:
        show_captioned(sets_table(result), "fairer_sets")
    with models:
        mitigation_models.show(*own, rows)
    with record:
        show_repeatable(MITIGATION, *own, "mitigation", facts(result))
        with st.expander(say("Every setting"), icon=":material/tune:"):
            parts = setting_sections(own[0])
            show_facts({f"{part.title}: {row.label}": row.value for part in parts for row in part.rows})


def _cost(plan: MitigationPlan, result: MitigationResult) -> None:
    show_remarks(result.caveats)
    first, method = told_first(plan, result), result.methods[0]
    if len(result.methods) > 1:
        place = result.methods.index(method if first.is_baseline else first.method)
        method = st.selectbox(say("Method"), result.methods, place, format_func=name_of_method, key="fairer_drawn")
    show_chart(TRADE_OFF, TRADE_OFF.draw(result.only(method), plan.alpha), "fairer_tradeoff")
    show_captioned(fits_table(plan, result), "fairer_table")
    fits = result.fits[1:]
    place = st.selectbox(
        say("Answers of"),
        range(len(fits)),
        next((i for i, fit in enumerate(fits) if fit is first), len(fits) - 1),
        format_func=lambda i: name(fits[i]),
        key="fairer_answers_of",
    )
    if ANSWERS.applies(result, fits[place]):
        show_chart(ANSWERS, ANSWERS.draw(result, fits[place]), "fairer_answers")
