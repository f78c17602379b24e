"""What was chosen: one plain sentence on top, the candidates, what they go by, and the way to a whole audit."""

from collections.abc import Callable

import streamlit as st

from core.base.files import FileRef
from core.data.labels import labelled_by
from core.inference.estimate import Verdict
from core.language.told import say
from core.study import Study
from core.workflows.selection.choice import choose
from core.workflows.selection.figures.coefficients import COEFFICIENTS
from core.workflows.selection.figures.tradeoff import CANDIDATES
from core.workflows.selection.page import audit_facts, candidate_table, question_facts
from core.workflows.selection.record import SELECTION
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import SelectionPlan
from core.workflows.selection.wording import decision_of, elsewhere, headline, sentence
from dashboard import session
from dashboard.draft import Draft
from dashboard.drawings import show_chart
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Needs
from dashboard.messages import show_caveats, show_facts, show_remarks, show_warnings
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.downloads import show_repeatable
from dashboard.views.results.card import BOXES, ICONS
from dashboard.views.results.tables import show_sortable
from dashboard.views.selection import decision as selection_decision


def show(plan: SelectionPlan, result: SelectionResult, needs: Needs, ways: Callable[[], None]) -> None:
    """Show a finished selection; reading it otherwise runs nothing and leaves the audit as it is.

    Args:
        plan: What was run.
        result: What it found.
        needs: What an audit of the chosen model will take.
        ways: Draws the ways to slides and register.
    """
    own, (plan, result) = (plan, result), labelled_by((plan, result), plan.roles)
    st.title(say("The model chosen") if result.chosen is not None else say("No model chosen"), anchor=False)
    st.caption(say("{n} candidates on {table}", n=len(result.candidates), table=literal(plan.data.title, 80)))
    verdict = Verdict.INSUFFICIENT
    if result.audited is not None:
        verdict = result.finding(decision_of(plan, result)).verdict
    BOXES[verdict](f"## {ICONS[verdict]} {literal(headline(plan, result))}\n{literal(sentence(plan, result))}")
    show_warnings(result.caveats)
    with st.container(horizontal=True, key="selection_ways"):
        ways()
    _offer_audit(own[1], needs)
    found, coefficients, details, record = st.tabs(
        [say("Candidates"), say("What they go by"), say("The audit"), say("Record")],
        key="selection_view",
        bind="query-params",
    )
    with found:
        _candidates(own[0], plan, result, needs)
    with coefficients:
        _coefficients(result)
    with details:
        show_facts({fact.label: fact.value for fact in audit_facts(plan, result)})
        if result.audited is not None:
            show_caveats(result.audited.caveats)
    with record:
        _show_record(*own)


def _candidates(own: SelectionPlan, plan: SelectionPlan, result: SelectionResult, needs: Needs) -> None:
    """The candidates as they are told; what is run is the plan with the table's own names."""
    show_remarks(result.caveats)
    rule, decision = selection_decision.controls(own, result)
    if (rule, decision) != (plan.rule, decision_of(plan, result)):
        changed = choose(result.candidates, rule, decision)
        if changed.chosen != result.chosen:
            st.info(literal(elsewhere(result, rule, decision)), icon=":material/help:")
            selection_decision.offer_another(own, rule, decision, needs, first=result.audited is None)
    show_chart(CANDIDATES, CANDIDATES.draw(result, rule, decision), "selection_candidates")
    show_sortable(candidate_table(result, rule, decision), "selection_table")
    show_facts({fact.label: fact.value for fact in question_facts(plan, result)})


def _coefficients(result: SelectionResult) -> None:
    if result.path is None:
        st.info(say("These models were brought as they are, so Evenhand does not know their coefficients."))
        return
    output, outputs = -1, result.path.coefficients.shape[1]
    if outputs > 1:
        output = st.selectbox(
            say("Outcome"),
            range(outputs),
            format_func=lambda place: result.path.classes[place] if result.path is not None else "",
            key="selection_output",
        )
    show_chart(COEFFICIENTS, COEFFICIENTS.draw(result, result.chosen, output), "selection_coefficients")


def _show_record(plan: SelectionPlan, result: SelectionResult) -> None:
    """The downloads and the command that repeats the selection."""
    show_repeatable(SELECTION, plan, result, "selection", (), model=_model_file(result))


def _offer_audit(result: SelectionResult, needs: Needs) -> None:
    """The audit of the chosen model as an audit like any other, and the same with other tests."""
    if result.audit is None:
        return
    study = Study(plans=(result.audit,))
    with st.container(horizontal=True, key="selection_audit"):
        if st.button(say("Open the audit"), key="selection_open", type="primary", icon=":material/fact_check:"):
            job = jobs.submit("audit", {"study": study.model_dump(mode="json")}, again=True, needs=needs)
            open_page("audit", audit=job.id)
        if st.button(say("Audit it with other tests too"), key="selection_more", icon=":material/add:"):
            open_page("tests", draft=session.begin(Draft.of(study)))


def _model_file(result: SelectionResult) -> FileRef | None:
    """The chosen model's file, where it was fitted here."""
    if result.path is None or result.audit is None:
        return None
    file: FileRef | None = getattr(result.audit.model, "file", None)
    return file
