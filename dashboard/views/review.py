"""Step 5: how thorough the tests are, whether they can run, how long they take; and the button that runs them."""

import streamlit as st

from core.audits import AuditReading
from core.audits.gradient_flow import GradientFlow
from core.audits.transport import ByMetric, DifferOnlyIn, Transport, TransportReading
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.study import Study
from core.words import count, lower_first, number, percent
from dashboard import jobs, session, stepper
from dashboard.messages import show_facts
from dashboard.pages import open_page
from dashboard.session import Draft
from dashboard.views import review_estimate, review_settings, review_transport
from dashboard.views.metric import CHOICES
from dashboard.views.tests import TESTS

_EXPECT = {"gradient_flow": review_estimate.show, "transport": review_transport.show}


def page() -> None:
    """Choose the settings, see what they mean, run."""
    draft = session.draft()
    if (place := stepper.header(draft, "review")) is None:
        return
    st.title("Review and run")
    draft, problem = review_settings.show(draft)
    if not problem:
        _show_summary(draft.study)
        problem = _expect(draft)
    if stepper.footer(place, draft, "review", problem, final=True):
        job = jobs.submit("audit", {"study": draft.study.model_dump(mode="json")}, again=True)
        open_page("audit", audit=job.id)


def _expect(draft: Draft) -> str:
    """What each test will cost and can find; returns why the audit cannot be run."""
    problems = []
    for kind in draft.tests:
        title = lower_first(TESTS[kind].title)
        st.subheader(f"What to expect of the {title}" if len(draft.tests) > 1 else "What to expect")
        problems.append(_EXPECT[kind](draft))
    return " ".join(problem for problem in problems if problem)


def _show_summary(study: Study) -> None:
    """What will be run, in words."""
    first = study.plans[0]
    facts = {
        "Table": first.data.title,
        "Outcome": f"{first.roles.outcome} (good: {first.roles.favourable})",
        "Protected": ", ".join(first.roles.protected),
        **_model(first.model),
    }
    for plan in study.plans:
        facts |= _facts_of(plan)
    if len(study.plans) > 1:
        facts["Two tests"] = "their p-values are adjusted (Holm)"
    st.subheader("What will be run")
    show_facts(facts)


def _model(model: ModelSource) -> dict[str, str]:
    if isinstance(model, PredictionColumns):
        return {"Predictions": ", ".join(model.columns)}
    return {"Model": model.file.name}


def _facts_of(plan: AuditPlan) -> dict[str, str]:
    confidence = f"with {percent(1 - plan.reading.alpha)} confidence"
    if isinstance(plan.audit, GradientFlow):
        return {
            "Gradient-flow test": f"similar people: “{CHOICES[plan.audit.metric.kind][0]}”; tolerated: ratio "
            f"{number(plan.reading.delta)}, {confidence}"
        }
    return {
        "Transport test": f"{_similar(plan)}; tolerated: {_rise(plan.reading)}, {confidence}",
        **_rules(plan.audit),
    }


def _rise(reading: AuditReading) -> str:
    if isinstance(reading, TransportReading) and reading.loss == "0-1":
        return f"the error rate rises by {100 * reading.delta:g} percentage points"
    return f"the mean loss rises by {reading.delta:g}"


def _similar(plan: AuditPlan) -> str:
    audit = plan.audit
    if not isinstance(audit, Transport):
        return ""
    if isinstance(audit.similarity, DifferOnlyIn):
        names = audit.similarity.columns or plan.roles.protected
        if audit.asks_for_everybody(plan.roles.protected):
            return f"everybody is compared with themselves in every other group of {', '.join(names)}"
        return f"similar people differ only in {', '.join(names)}"
    if isinstance(audit.similarity, ByMetric):
        return f"similar by a fair metric: “{CHOICES[audit.similarity.metric.kind][0]}”"
    return f"similar by the costs in {audit.similarity.file.name}"


def _rules(audit: Transport) -> dict[str, str]:
    parts = [
        count(len(audit.forbidden), "forbidden comparison") if audit.forbidden else "",
        count(len(audit.limits), "limit for groups", "limits for groups") if audit.limits else "",
        count(len(audit.label_budgets), "budget by outcome", "budgets by outcome") if audit.label_budgets else "",
    ]
    told = ", ".join(part for part in parts if part)
    return {"Rules of your own": told} if told else {}
