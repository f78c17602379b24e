"""What to expect of a test: how long it takes, what it can find and how many rows that needs, tried on a few rows."""

import streamlit as st

from core.audits import KINDS
from core.finding import room_of
from core.language.told import say
from dashboard import pace
from dashboard.audits import ROOMS
from dashboard.audits.generic import pages_of
from dashboard.audits.pages import Expectation, Tile
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.job import Needs
from dashboard.needed import show_memory, too_large
from dashboard.waiting import answer, foretold


def show(draft: Draft, kind: str) -> tuple[str, Needs]:
    """The card of one test; returns why it cannot be run, and what it will take."""
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
    if tried is None:
        return say("The test has to be tried on a few rows first."), Needs()
    told = pages.expectation(draft, unpack(tried["tried"], tries.gives))
    for plan in draft.study.plans:
        if plan.audit.kind == kind:
            pace.expect(plan.result_fingerprint, told.seconds)
    needs = Needs(told.seconds * pace.correction(kind), tried["memory"])
    _show(draft.told(told), needs, pace.correction(kind), f"estimate_{kind}")
    return too_large(needs), needs


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
