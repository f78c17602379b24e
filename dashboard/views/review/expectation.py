"""What to expect of a test: how long it takes, what it can find and how many rows that needs, tried on a few rows."""

from dataclasses import replace

import streamlit as st

from core.audits import KINDS
from core.finding import room_of
from core.language.phrases import lower_first
from core.language.told import say
from dashboard import forms, pace, session
from dashboard.audits import ROOMS
from dashboard.audits.generic import pages_of
from dashboard.audits.pages import Expectation, Tile
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.job import Needs
from dashboard.needed import show_memory, too_large
from dashboard.text import literal
from dashboard.waiting import answer, foretold, is_waiting


def show(draft: Draft, kind: str, said: set[str]) -> tuple[str, Needs]:
    """The card of one test; returns why it cannot be run, and what it will take.

    Args:
        draft: What is to be run.
        kind: The test's kind.
        said: Sentences that the cards above have, which this one does not repeat and adds its own to.
    """
    room, pages, decision = ROOMS[kind], pages_of(KINDS[kind]), draft.decisions[kind]
    if problem := pages.problem(draft):
        return problem, Needs()
    tries = room_of(room.kind).pilot
    if tries is None:
        st.caption(say("There is nothing to try of this test before it is run."))
        return "", Needs()
    foreseen_by = None if room.foreseen_by is None else set(room.foreseen_by)
    arguments = draft.about_model | {
        "audit": draft.audits[kind].model_dump(mode="json"),
        "decision": decision.model_dump(mode="json", include=foreseen_by),
        "seed": draft.seed,
    }
    tried = answer("pilot", arguments, say("Trying the test on a few rows"))
    if tried is None and is_waiting():
        return say("The test has to be tried on a few rows first."), Needs()
    if tried is None:
        _offer_to_leave_out(draft, kind)
        return say("The {title} cannot be run like this.", title=lower_first(draft.title(kind))), Needs()
    told = pages.expectation(draft, unpack(tried["tried"], tries.gives))
    for plan in draft.study.plans:
        if plan.audit.kind == kind:
            pace.expect(plan.result_fingerprint, told.seconds)
    needs = Needs(told.seconds * pace.correction(kind), tried["memory"])
    told = draft.told(told)
    again = told.proposal in said
    said.add(told.proposal)
    _show(replace(told, proposal="") if again else told, needs, pace.correction(kind), f"estimate_{kind}")
    if told.mend and st.button(literal(told.mend), key=f"mend_{kind}", icon=":material/auto_fix_high:"):
        told.on_mend()
        st.rerun()
    return too_large(needs), needs


def _offer_to_leave_out(draft: Draft, kind: str) -> None:
    """A way on without a test that cannot be run."""
    others = tuple(one for one in draft.tests if one != kind)
    without = say("Go on without the {title}", title=lower_first(draft.title(kind)))
    if others and st.button(without, key=f"leave_out_{kind}", icon=":material/remove_circle:"):
        session.change(tests=others)
        forms.forget("tests")
        st.rerun()


def _show(told: Expectation, needs: Needs, correction: float, key: str) -> None:
    learned = say("Corrected by how long this test took on this machine before.") if correction != 1 else ""
    time = Tile(
        say("Time it will take"),
        foretold(needs.seconds),
        " ".join(filter(None, (told.seconds_help, learned))),
    )
    found = Tile(say("Size it finds four times in five"), told.found, told.found_help)
    with st.container(horizontal=True, key=key):
        for tile in (*told.rows, time):
            tile.show()
        show_memory(needs)
        for tile in (*((found,) if told.found else ()), *told.more):
            tile.show()
    if told.tried:
        estimated = say("Estimated from {tried}.", tried=told.tried)
        if told.needed:
            often = say("A violation this large is found four times in five, a smaller one less often.")
            estimated = f"{estimated} {often} {told.needed}"
        st.caption(estimated)
    if told.info:
        st.info(told.info, icon=":material/info:")
    if told.warning:
        st.warning(told.warning, icon=":material/warning:")
    if told.proposal:
        st.caption(told.proposal)
