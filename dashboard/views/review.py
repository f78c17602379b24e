"""Step 4: how thorough the test is, whether it is stable, how long it takes; and the button that runs it."""

import streamlit as st

from core.plan import AuditPlan
from core.reading import Reading
from core.words import number
from dashboard import forms, jobs, session, stepper
from dashboard.messages import show_facts
from dashboard.pages import open_page
from dashboard.session import Draft
from dashboard.views import review_estimate


def page() -> None:
    """Choose the settings, see what they mean, run."""
    draft = session.draft()
    if (place := stepper.header(draft, "review")) is None:
        return
    st.title("Review and run")
    draft = _choose_settings(draft)
    problem = review_estimate.show(draft)
    _show_summary(draft)
    if stepper.footer(place, draft, "review", problem, final=True):
        job = jobs.submit("audit", {"plan": draft.plan.model_dump(mode="json")}, again=True)
        open_page("audit", audit=job.id)


def _choose_settings(draft: Draft) -> Draft:
    kind = type(draft.audit)
    with st.expander("Every setting of the search", icon=":material/tune:"):
        audit = forms.draw(kind, dict(draft.audit), "review.audit")
        seed = st.number_input("Seed", min_value=0, value=draft.seed, step=1, key="review.seed", help=_help("seed"))
    with st.expander("How the result is read", icon=":material/rule:"):
        st.caption("You can change these on the results page too, without another run.")
        reading = forms.draw(Reading, dict(draft.reading), "review.reading", fields=("delta", "alpha", "statistic"))
    if audit is None or reading is None:
        return draft
    chosen = {"audit": audit, "seed": int(seed), "reading": reading}
    if any(getattr(draft, name) != value for name, value in chosen.items()):
        return session.change(**chosen)
    return draft


def _help(name: str) -> str | None:
    return AuditPlan.model_fields[name].description


def _show_summary(draft: Draft) -> None:
    """What will be run, in words."""
    plan = draft.plan
    file = getattr(plan.model, "file", None)
    rows = {
        "Table": plan.data.title,
        "Outcome": f"{plan.roles.outcome} (good: {plan.roles.favourable})",
        "Protected": ", ".join(plan.roles.protected),
        "Model": file.name if file is not None else ", ".join(getattr(plan.model, "columns", ())),
        "Tolerance": f"{number(plan.reading.delta)} at error rate {number(plan.reading.alpha)}",
    }
    st.subheader("What will be run")
    show_facts(rows)
