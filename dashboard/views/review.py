"""Step 4: how thorough the test is, whether it is stable, how long it takes; and the button that runs it."""

import streamlit as st

from core.audits.gradient_flow import GradientFlow
from core.audits.gradient_flow.presets import PRESETS
from core.plan import AuditPlan
from core.reading import Reading
from core.words import number, percent
from dashboard import forms, jobs, session, stepper
from dashboard.messages import show_facts
from dashboard.pages import open_page
from dashboard.session import Draft
from dashboard.views import review_estimate
from dashboard.views.metric import CHOICES


def page() -> None:
    """Choose the settings, see what they mean, run."""
    draft = session.draft()
    if (place := stepper.header(draft, "review")) is None:
        return
    st.title("Review and run")
    st.write("Choose how thorough the search is. More search finds more, and takes longer.")
    draft = _choose_preset(draft)
    draft, problem = _choose_settings(draft)
    if not problem:
        _show_summary(draft.plan)
        problem = review_estimate.show(draft.plan)
    if stepper.footer(place, draft, "review", problem, final=True):
        job = jobs.submit("audit", {"plan": draft.plan.model_dump(mode="json")}, again=True)
        open_page("audit", audit=job.id)


def _choose_preset(draft: Draft) -> Draft:
    fitting = [name for name, preset in PRESETS.items() if preset.fits(draft.audit)]
    with st.container(horizontal=True, key="presets"):
        for name, preset in PRESETS.items():
            if st.button(
                preset.title,
                key=f"preset_{name}",
                icon=":material/check:" if name in fitting[:1] else None,
                type="primary" if name in fitting[:1] else "secondary",
                help=preset.text,
            ):
                forms.forget("review.audit")
                session.change(audit=preset.apply(draft.audit))
                st.rerun()
    st.caption(" ".join(PRESETS[name].text for name in fitting[:1]) or "Own settings.")
    return draft


def _choose_settings(draft: Draft) -> tuple[Draft, str]:
    """The draft with every setting as the forms say, and why it cannot be run."""
    with st.expander("Every setting of the search", icon=":material/tune:"):
        values = dict(draft.audit) | {"metric": draft.metric}
        audit = forms.draw(GradientFlow, values, "review.audit")
        seed = st.number_input("Seed", min_value=0, value=draft.seed, step=1, key="review.seed", help=_help("seed"))
    with st.expander("How the result is read", icon=":material/rule:"):
        st.caption("You can change these on the results page too, without another run.")
        reading = forms.draw(Reading, dict(draft.reading), "review.reading", fields=("delta", "alpha", "statistic"))
    if audit is None or reading is None or seed is None:
        return draft, "A setting is not valid yet."
    chosen = {"audit": audit, "seed": int(seed), "reading": reading}
    if any(getattr(draft, name) != value for name, value in chosen.items()):
        draft = session.change(**chosen)
    return draft, ""


def _help(name: str) -> str | None:
    return AuditPlan.model_fields[name].description


def _show_summary(plan: AuditPlan) -> None:
    """What will be run, in words."""
    file = getattr(plan.model, "file", None)
    st.subheader("What will be run")
    show_facts(
        {
            "Table": plan.data.title,
            "Outcome": f"{plan.roles.outcome} (good: {plan.roles.favourable})",
            "Protected": ", ".join(plan.roles.protected),
            "Model": file.name if file is not None else ", ".join(getattr(plan.model, "columns", ())),
            "Fair metric": CHOICES[plan.audit.metric.kind][0],
            "Tolerance": f"ratio {number(plan.reading.delta)}, with {percent(1 - plan.reading.alpha)} confidence",
        }
    )
