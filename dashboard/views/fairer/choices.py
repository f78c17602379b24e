"""What a comparison of fairer models asks: the attribute, how fairness is bought, and the kind of model."""

import streamlit as st

from core.base.settings import help_of, title_of
from core.language.told import retold, say
from core.workflows.mitigation.settings import METHODS, Base, Method, MitigationPlan
from dashboard import forms
from dashboard.draft import Draft
from dashboard.text import named_turns
from dashboard.views.fairer.draft import MitigationDraft

_METHODS = {
    "projection": (
        say("Projection: treat similar people alike"),
        say(
            "The model is kept from seeing what may differ between similar people, as the fair metric says. Quick, and "
            "its file can be audited by every test."
        ),
    ),
    "SenSR": (
        say("SenSR: treat similar people alike"),
        say(
            "The model is trained on people moved to where it treats similar ones worst (sensitive subspace "
            "robustness). Its file can be audited by every test."
        ),
    ),
    "smoothing": (
        say("Smoothing the answers of similar people (GLIF)"),
        say(
            "Nothing is trained: the baseline's answers for people asked together are brought nearer to those of the "
            "people most similar to them. There is no model file."
        ),
    ),
    "fair dummies": (
        say("Fair dummies"),
        say(
            "A second network tells people's true groups from drawn ones, by the model's answers; the model "
            "learns to leave it nothing to see. For classes and numbers, any number of groups."
        ),
    ),
    "adversarial": (
        say("Adversarial debiasing"),
        say(
            "A second network guesses people's group from answer and outcome; the model learns to fool it. "
            "For classes and numbers. At λ = 0 it is not quite the baseline."
        ),
    ),
    "HGR": (
        say("HGR correlation"),
        say(
            "The model pays for every dependence of its answers on the group, measured by densities. For "
            "classes and numbers; the fewer rows a group has, the rougher they are."
        ),
    ),
    "reductions": (
        say("Reductions"),
        say(
            "Linear models are fitted again and again, each to differently weighted people. For two classes, "
            "where one of several models is drawn for every answer, so that there is no model file. For "
            "numbers it bounds each group's error, which is not equalized odds. Not for three classes or "
            "more."
        ),
    ),
    "reweighing": (
        say("Reweighing"),
        say(
            "The baseline is trained again with people weighted so that outcome and group are independent (Kamiran "
            "and Calders). Quick, and its file can be audited by every test. For classes."
        ),
    ),
    "thresholds": (
        say("A threshold for each group"),
        say(
            "Nothing is trained: the baseline's scores are cut at another threshold in each group, or between two at "
            "random (Hardt, Price and Srebro). It needs to know each person's group, so that there is no model file. "
            "For two classes."
        ),
    ),
}


def choose_attribute(draft: Draft, before: str) -> str:
    """The attribute, among several; the only one without a question."""
    known = draft.roles.protected
    if len(known) == 1:
        return known[0]
    chosen: str = st.selectbox(
        title_of(MitigationPlan.model_fields["attribute"]),
        known,
        known.index(before) if before else 0,
        format_func=lambda name: named_turns(draft.told(name)),
        key=forms.key_of("fairer.attribute"),
        help=help_of(MitigationPlan.model_fields["attribute"]),
    )
    return chosen


def choose_methods(chosen: MitigationDraft) -> MitigationDraft:
    """The draft with the methods that are ticked; one that was not there before starts with its defaults."""
    st.header(say("How fairness is bought"), anchor=False)
    before: dict[str, Method] = {method.kind: method for method in chosen.methods}
    methods = []
    for kind in METHODS:
        name, about = _METHODS[kind]
        if st.checkbox(retold(name), kind in before, key=forms.key_of(f"fairer.method.{kind}")):
            methods.append(before.get(kind) or METHODS[kind]())
        st.caption(retold(about))
    return chosen.model_copy(update={"methods": tuple(methods)})


def choose_base(chosen: MitigationDraft) -> Base | None:
    """The kind of model; reductions know one only."""
    st.header(say("What is fitted"), anchor=False)
    linear_only = any(method.kind == "reductions" for method in chosen.methods)
    options = {"kind": ("linear",)} if linear_only else None
    values = dict(chosen.base) | ({"kind": "linear"} if linear_only else {})
    base = forms.draw(Base, values, f"fairer.base{'.linear' if linear_only else ''}", fields=("kind",), options=options)
    if base is None or base.kind == "linear":
        return base
    with st.expander(say("Every setting of the network"), icon=":material/tune:"):
        fields = tuple(name for name in Base.model_fields if name != "kind")
        return forms.draw(Base, dict(base), "fairer.network", fields=fields)
