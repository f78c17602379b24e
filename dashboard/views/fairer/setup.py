"""The form of a comparison of fairer models: the table, how fairness is bought, the kind of model, and how strongly."""

from typing import Any

import streamlit as st

from core.phrases import count
from core.workflows.mitigation.planning import MitigationPilot
from core.workflows.mitigation.settings import METHODS, Base, MitigationParts, MitigationPlan
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.text import literal
from dashboard.views.fairer import draft as mitigation_draft
from dashboard.views.fairer.draft import MitigationDraft
from dashboard.views.one_plan import can_run, choose_table, put_to_work
from dashboard.waiting import answer, duration

_TRIED = 0.5
"""The weight that is tried for the estimate, whichever are chosen."""
_METHODS = {
    "fair dummies": (
        "Fair dummies",
        "A second network tells people's true groups from drawn ones, by the model's answers; the model learns to "
        "leave it nothing to see. For classes and numbers, any number of groups.",
    ),
    "adversarial": (
        "Adversarial debiasing",
        "A second network guesses people's group from answer and outcome; the model learns to fool it. For classes "
        "and numbers. At λ = 0 it is not quite the baseline.",
    ),
    "HGR": (
        "HGR correlation",
        "The model pays for every dependence of its answers on the group, measured by densities. For classes and "
        "numbers; the fewer rows a group has, the rougher they are.",
    ),
    "reductions": (
        "Reductions",
        "Linear models are fitted again and again, each to differently weighted people. For two classes, where one of "
        "several models is drawn for every answer, so that there is no model file. For numbers it bounds each "
        "group's error, which is not equalized odds. Not for three classes or more.",
    ),
}


def show() -> None:
    """Choose a table, a method and strengths, and put them to work."""
    st.title("What would a fairer model cost?", anchor=False)
    st.write(
        "Evenhand fits a baseline to your table, which is a model without a fairness constraint, and others that give "
        "fairness more and more weight: people with the same outcome shall get the same answers in every group "
        "(equalized odds). Then it tries all of them on the same people, whom no model was fitted to."
    )
    draft = session.draft()
    problem = choose_table(draft, mitigation_draft.problem_of_table(draft))
    draft = session.draft()
    if problem := problem or mitigation_draft.problem_of_table(draft):
        st.info(f"The method comes next. {problem}", icon=":material/lock:")
        return
    plan = _choose(draft, session.load_of_page("fairer", MitigationDraft))
    _offer_run(plan)


def _choose(draft: Draft, chosen: MitigationDraft) -> MitigationPlan | None:
    """The plan as the widgets say, which are kept where they are valid; None where one of them is not."""
    values = chosen.values(draft)
    values["attribute"] = _choose_attribute(draft, values["attribute"])
    st.subheader("How fairness is bought", anchor=False)
    names = list(METHODS)
    kind = st.radio(
        "Method",
        names,
        index=names.index(chosen.method.kind),
        format_func=lambda name: _METHODS[name][0],
        captions=[_METHODS[name][1] for name in names],
        key=forms.key_of("fairer.method"),
    )
    if kind != chosen.method.kind:
        chosen = chosen.model_copy(update={"method": METHODS[kind]()})
    base = _choose_base(chosen)
    st.subheader("How strongly", anchor=False)
    above = st.container()
    with st.expander("Every setting of the method, the parts of the rows and the test", icon=":material/tune:"):
        settings: type[Any] = METHODS[kind]
        method = forms.draw(settings, dict(chosen.method), f"fairer.{kind}")
        parts = forms.draw(MitigationParts, dict(chosen.parts), "fairer.parts")
        if base is None or method is None or parts is None:
            return None
        values |= {"base": base, "method": method, "parts": parts}
        tested = forms.draw(MitigationPlan, values, "fairer", fields=("alpha", "dummies"))
    if tested is None:
        return None
    with above:
        plan = forms.draw(MitigationPlan, dict(tested), "fairer", fields=("strengths", "seed"))
    if plan is None:
        return None
    session.save_of_page("fairer", mitigation_draft.of_plan(plan))
    if plan.seed != draft.seed:
        session.change(seed=plan.seed)
    return plan


def _choose_attribute(draft: Draft, before: str) -> str:
    """The attribute, among several; the only one without a question."""
    known = draft.roles.protected
    if len(known) == 1:
        return known[0]
    chosen: str = st.selectbox(
        str(MitigationPlan.model_fields["attribute"].title),
        known,
        known.index(before) if before else 0,
        format_func=literal,
        key=forms.key_of("fairer.attribute"),
        help=MitigationPlan.model_fields["attribute"].description,
    )
    return chosen


def _choose_base(chosen: MitigationDraft) -> Base | None:
    """The kind of model; reductions know one only."""
    st.subheader("What is fitted", anchor=False)
    linear_only = chosen.method.kind == "reductions"
    options = {"kind": ("linear",)} if linear_only else None
    values = dict(chosen.base) | ({"kind": "linear"} if linear_only else {})
    base = forms.draw(Base, values, f"fairer.base{'.linear' if linear_only else ''}", fields=("kind",), options=options)
    if base is None or base.kind == "linear":
        return base
    with st.expander("Every setting of the network", icon=":material/tune:"):
        fields = tuple(name for name in Base.model_fields if name != "kind")
        return forms.draw(Base, dict(base), "fairer.network", fields=fields)


def _offer_run(plan: MitigationPlan | None) -> None:
    """The time it will take, and the button that puts the comparison to work as soon as nothing speaks against it."""
    reason = "A setting is not valid yet."
    if plan is not None:
        about = plan.model_copy(update={"strengths": (_TRIED,)}).model_dump(mode="json")
        asked = {"plan": about, "source": about["data"]}
        tried = answer("pilot_fairer", asked, "Trying the models for a moment")
        reason = "The comparison cannot be run like this."
        if tried is not None:
            reason = ""
            _show_pilot(plan, unpack(tried, MitigationPilot))
    if can_run("fairer", "Fit the models", reason) and plan is not None:
        put_to_work("fairer", "fairer", plan)


def _show_pilot(plan: MitigationPlan, pilot: MitigationPilot) -> None:
    models = 1 + len(plan.strengths)
    fewest = int(pilot.rows[2, 1:].argmin())
    with st.container(horizontal=True, key="estimate_fairer"):
        st.metric("Models", f"{models}", border=True, help="The baseline, and one for each strength.")
        bound = "at most" if plan.method.kind == "reductions" else "about"
        st.metric("Time it will take", f"{bound} {duration(pilot.seconds(len(plan.strengths)))}", border=True)
        st.metric("Rows to try them on", f"{pilot.rows[2, 0]:,}", border=True)
        st.metric(
            "Smallest group among these",
            count(int(pilot.rows[2, 1 + fewest]), "person", "people"),
            border=True,
            help=f"{literal(plan.protected)}: {literal(pilot.groups[fewest])}",
        )
