"""The settings of the chosen tests and how their results are read."""

import streamlit as st

from core.audits import KINDS, AuditDecision, AuditSettings
from core.base.settings import help_of
from core.caveats.assumptions import SIGNED_TOLERANCE
from core.language.told import retold, say
from core.language.units import Unit
from core.plan import AuditPlan
from dashboard import forms, session
from dashboard.audits import ROOMS
from dashboard.audits.generic import decided, pages_of
from dashboard.draft import Draft


def show(draft: Draft) -> tuple[Draft, str]:
    """The draft with every setting as the forms say, and why it cannot be run."""
    chosen: list[AuditSettings | AuditDecision | None] = [pages_of(KINDS[kind]).settings(draft) for kind in draft.tests]
    st.header(say("How much is tolerated, and how sure a verdict has to be"))
    chosen += _choose_decisions(draft)
    with st.expander(say("Random numbers"), icon=":material/casino:"):
        seed = st.number_input(
            say("Seed"), min_value=0, value=draft.seed, step=1, key="review.seed", help=_help("seed")
        )
    valid = [one for one in chosen if one is not None]
    if seed is None or len(valid) < len(chosen):
        return draft, say("A setting is not valid yet.")
    before = _units(draft)
    draft = session.keep(draft, *valid)
    if _units(draft) != before:
        st.rerun()
    return (session.change(seed=seed) if seed != draft.seed else draft), ""


def _units(draft: Draft) -> dict[str, Unit]:
    """What each test's tolerance is told in."""
    numbers = draft.roles.outcome_type == "number"
    read = {kind: draft.decisions[kind] for kind in draft.tests}
    return {kind: decision.unit(numbers=numbers) for kind, decision in read.items()}


def _choose_decisions(draft: Draft) -> list[AuditDecision | None]:
    """The decision settings of the chosen tests under one error rate; None for one that is not valid."""
    st.caption(
        f"{say('You can change these on the results page too, without another run, to see what follows.')} "
        f"{retold(SIGNED_TOLERANCE)}"
    )
    first = draft.decisions[draft.tests[0]]
    shared = forms.draw(type(first), dict(first), "review.reading.shared", fields=("alpha",))
    found: list[AuditDecision | None] = []
    units = _units(draft)
    for kind in draft.tests:
        decision = draft.decisions[kind]
        if len(draft.tests) > 1:
            st.markdown(f"**{draft.title(kind)}**")
        own = ROOMS[kind].decided
        fields = decided(type(decision)) if own is None else own
        idle = decision.idle(numbers=draft.roles.outcome_type == "number")
        asked = tuple(name for name in fields if name not in idle)
        drawn = _draw_decision(decision, kind, asked, units[kind])
        found.append(None if drawn is None or shared is None else drawn.model_copy(update={"alpha": shared.alpha}))
    return found


def _draw_decision(decision: AuditDecision, kind: str, asked: tuple[str, ...], unit: Unit) -> AuditDecision | None:
    """What is tolerated, and folded below it what else is ``asked``; None while that is not valid."""
    key = f"review.reading.{kind}"
    first = tuple(name for name in asked if name in decision.tolerances)
    rest = tuple(name for name in asked if name not in first)
    drawn = forms.draw(type(decision), dict(decision), key, fields=first, units={"delta": unit})
    if not rest or drawn is None:
        return drawn
    with st.expander(say("How else this test is read"), icon=":material/tune:"):
        return forms.draw(type(decision), dict(drawn), key, fields=rest)


def _help(name: str) -> str | None:
    return help_of(AuditPlan.model_fields[name])
