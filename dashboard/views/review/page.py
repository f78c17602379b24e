"""Step 5: how thorough the tests are, whether they can run, how long they take; and the button that runs them."""

import streamlit as st

from core.audits import KINDS
from core.base.settings import name_of_choice
from core.data.labels import condition
from core.data.roles import SELECTED, Roles
from core.language.phrases import count, lower_first
from core.language.told import retold, say
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.study import Study
from dashboard import session, stepper
from dashboard.audits.generic import pages_of
from dashboard.draft import Draft
from dashboard.fields import offer_symbols
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Needs
from dashboard.messages import show_facts
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.model.preview import preview_of
from dashboard.views.results.widgets import forget_reading
from dashboard.views.review import expectation
from dashboard.views.review import settings as review_settings

_COUNTS = {2: say("Two tests"), 3: say("Three tests")}


def page() -> None:
    """Choose the settings, see what they mean, run."""
    draft = session.draft()
    if (place := stepper.header(draft, "review")) is None:
        return
    offer_symbols()
    draft, problem = review_settings.show(draft)
    needs = Needs()
    if not problem:
        _show_summary(draft.told(draft.study))
        if draft.roles_are in ("guessed", "asking"):
            st.info(
                say(
                    "What the columns are for was guessed from names and values, except where you answered or chose. "
                    "The first step gives the reasons."
                ),
                icon=":material/psychology_alt:",
            )
        problem = _direction(draft)
        if not problem:
            problem, needs = _expect(draft)
    if stepper.footer(place, draft, "review", problem, final=True):
        asked = {"study": draft.study.model_dump(mode="json")}
        job = jobs.submit("audit", asked, again=True, after=draft.after, needs=needs)
        forget_reading()
        open_page("audit", audit=job.id)


def _direction(draft: Draft) -> str:
    """Why the audit cannot be run where answers go against the outcomes and nobody said that they are right."""
    seen = preview_of(draft)
    if seen is None or draft.model is None or draft.model.direction_confirmed:
        return ""
    direction = seen.report.direction
    if direction is None or not direction.against:
        return ""
    st.error(f"**{literal(draft.told(direction).told)}.**", icon=":material/swap_horiz:")
    return say("Say in the step of the model which way round the answers are.")


def _expect(draft: Draft) -> tuple[str, Needs]:
    """What each test will cost and can find; returns why the audit cannot be run, and what all of it will take."""
    problems, needs = [], []
    said: set[str] = set()
    for kind in draft.tests:
        title = lower_first(draft.title(kind))
        st.header(say("What to expect of the {title}", title=title) if len(draft.tests) > 1 else say("What to expect"))
        problem, taken = expectation.show(draft, kind, said)
        problems.append(problem)
        needs.append(taken)
    known = all(one.seconds for one in needs)
    seconds = sum(one.seconds for one in needs) if known else 0.0
    return " ".join(problem for problem in problems if problem), Needs(seconds, max(one.memory for one in needs))


def _show_summary(study: Study) -> None:
    """What will be run, in words."""
    first = study.plans[0]
    facts = {
        say("Table"): first.data.title,
        **_roles(first.roles),
        **_model(first.model),
    }
    for plan in study.plans:
        facts |= pages_of(KINDS[plan.audit.kind]).facts(plan)
    if (tests := len(study.plans)) > 1:
        facts[retold(_COUNTS.get(tests, count(tests, "test")))] = say(
            "several tests are several chances of a false alarm, so each has to give stronger evidence"
        )
    st.header(say("What will be run"))
    show_facts(facts)


def _model(model: ModelSource) -> dict[str, str]:
    """Which model, and how its answers are read."""
    if not isinstance(model, PredictionColumns):
        order = {say("Outcomes, in order"): ", ".join(model.classes)} if model.classes else {}
        return {say("Model"): model.title, **order}
    facts = {say("Predictions"): model.title}
    if model.holds in ("probability", "score"):
        facts[say("High values are")] = name_of_choice(PredictionColumns, "high_scores", model.high_scores)
    if model.holds == "labels" and model.meanings:
        facts[say("What each label means")] = ", ".join(f"{one.label} → {one.outcome}" for one in model.meanings)
    return facts


def _roles(roles: Roles) -> dict[str, str]:
    """What the columns are for, as far as they have a role."""
    judged = roles.outcome or roles.decision
    value = roles.favourable if roles.favourable == SELECTED else condition(judged, roles.favourable)
    good = f" ({say('good: {value}', value=value)})" if roles.favourable else ""
    number = roles.outcome_type == "number"
    if number:
        good = f" ({say('a number')})"
    facts = {
        say("Text"): roles.text,
        say("Outcome"): f"{roles.outcome}{good}" if roles.outcome else "",
        say("Good for the person"): name_of_choice(Roles, "good_end", roles.good_end) if number else "",
        say("Decision"): f"{roles.decision}{good}" if roles.decision else "",
        say("Protected"): ", ".join(roles.protected),
        say("Judged biased by people"): ", ".join(roles.annotation),
        say("Rows that belong together"): roles.belongs_to,
        say("Counts people"): roles.counts,
    }
    return {name: value for name, value in facts.items() if value}
