"""The form of a comparison of fairer models: the table, how fairness is bought, the kind of model, and how strongly."""

import streamlit as st

from core.language.phrases import count, whole
from core.language.told import say
from core.workflows.mitigation.planning import MitigationPilot
from core.workflows.mitigation.settings import Method, MitigationParts, MitigationPlan, name_of_method
from core.workflows.mitigation.wording import what_is_fitted
from dashboard import forms, main_button, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.job import Needs
from dashboard.needed import show_memory, too_large
from dashboard.text import literal
from dashboard.views.fairer import draft as mitigation_draft
from dashboard.views.fairer.choices import choose_attribute, choose_base, choose_methods
from dashboard.views.fairer.draft import MitigationDraft
from dashboard.views.plan_form import choose_table, put_to_work
from dashboard.waiting import answer, duration, foretold

_TRIED = 0.5
"""The weight that is tried for the estimate, whichever are chosen."""


def show() -> None:
    """Choose a table, a method and strengths, and put them to work."""
    st.title(say("What would a fairer model cost?"), anchor=False)
    st.write(
        say(
            "Evenhand trains a model on your table as usual, the baseline. Then it trains others that give fairness "
            "more and more weight: people with the same outcome shall get the same answers, whatever group they "
            "belong to. All of them are tried on the same people, whom none of them has seen."
        )
    )
    draft = session.draft()
    problem = choose_table(draft, mitigation_draft.problem_of_table(draft))
    draft = session.draft()
    if problem := problem or mitigation_draft.problem_of_table(draft):
        st.info(f"{say('The method comes next.')} {literal(problem)}", icon=":material/lock:")
        return
    plan = _choose(draft, session.load_of_page("fairer", MitigationDraft))
    _offer_run(plan)


def _choose(draft: Draft, chosen: MitigationDraft) -> MitigationPlan | None:
    """The plan as the widgets say, which are kept where they are valid; None where one of them is not."""
    values = chosen.values(draft)
    attribute = choose_attribute(draft, values["attribute"])
    metric, why = mitigation_draft.metric_for(draft, attribute)
    values |= {"attribute": attribute, "metric": metric}
    chosen = choose_methods(chosen)
    if not chosen.methods:
        st.info(say("Choose one method or more."), icon=":material/info:")
        return None
    base = choose_base(chosen)
    st.header(say("How strongly"), anchor=False)
    above = st.container()
    with st.expander(say("Every setting of the method, the parts of the rows and the test"), icon=":material/tune:"):
        methods = [_settings_of(method, named=len(chosen.methods) > 1) for method in chosen.methods]
        parts = forms.draw(MitigationParts, dict(chosen.parts), "fairer.parts")
        if base is None or None in methods or parts is None:
            return None
        values |= {"base": base, "methods": tuple(methods), "parts": parts, "splits": chosen.splits}
        tested = forms.draw(MitigationPlan, values, "fairer", fields=("alpha", "dummies"))
    if tested is None:
        return None
    with above:
        plan = forms.draw(MitigationPlan, dict(tested), "fairer", fields=("strengths", "splits", "seed"))
    if plan is None:
        return None
    if plan.compares_similar and why:
        st.info(literal(why), icon=":material/info:")
    session.save_of_page("fairer", mitigation_draft.of_plan(plan))
    if plan.seed != draft.seed:
        session.change(seed=plan.seed)
    return plan


def _settings_of(method: Method, *, named: bool) -> Method | None:
    """The settings of a method as the widgets say; None where one of them is not valid."""
    if named and forms.drawable(type(method)):
        st.subheader(name_of_method(method.kind), anchor=False)
    return forms.draw(type(method), dict(method), f"fairer.{method.kind}")


def _offer_run(plan: MitigationPlan | None) -> None:
    """What it will take, and the button that puts the comparison to work as soon as nothing speaks against it."""
    reason, needs = say("A setting is not valid yet."), Needs()
    if plan is not None:
        st.caption(literal(what_is_fitted(plan)))
        about = plan.model_copy(update={"strengths": (_TRIED,), "splits": 1}).model_dump(mode="json")
        asked = {"plan": about, "source": about["data"]}
        tried = answer("pilot_fairer", asked, say("Trying the models for a moment"))
        if tried is not None:
            pilot = unpack(tried["tried"], MitigationPilot)
            memory = pilot.memory(tried["memory"], len(plan.models), plan.splits)
            needs = Needs(pilot.seconds(len(plan.strengths), plan.splits), memory)
            _show_pilot(plan, pilot, needs)
            reason = too_large(needs)
        else:
            reason = say("The comparison cannot be run like this.")
    if (
        main_button.clicked("fairer", say("Fit the models"), reason, key="fairer_run", icon=":material/play_arrow:")
        and plan is not None
    ):
        put_to_work("fairer", "fairer", plan, needs)


def _show_pilot(plan: MitigationPlan, pilot: MitigationPilot, needs: Needs) -> None:
    models = 1 + len(plan.models)
    fewest = int(pilot.rows[2, 1:].argmin())
    with st.container(horizontal=True, key="estimate_fairer"):
        st.metric(
            say("Models"), f"{models}", border=True, help=say("The baseline, and one of each method and strength.")
        )
        most = any(method.kind == "reductions" for method in plan.methods)
        bound = say("at most {time}", time=duration(needs.seconds)) if most else foretold(needs.seconds)
        st.metric(say("Time it will take"), bound, border=True)
        show_memory(needs)
        st.metric(say("Rows to try them on"), whole(int(pilot.rows[2, 0])), border=True)
        st.metric(
            say("Smallest group among these"),
            count(int(pilot.rows[2, 1 + fewest]), "person", "people"),
            border=True,
            help=f"{literal(plan.protected)}: {literal(pilot.groups[fewest])}",
        )
