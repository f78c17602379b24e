"""What to expect of a test: how long it takes, what it can find and how many rows that needs, tried on a few rows."""

from dataclasses import dataclass

import streamlit as st

from core.caveats.limits import is_proposed
from core.contracts.decision import DecisionSettings
from core.language.told import say
from core.language.units import POINTS
from dashboard import pace
from dashboard.audits import ROOMS
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.text import literal
from dashboard.waiting import answer, duration


@dataclass(frozen=True)
class Tile:
    """One number of the card.

    Attributes:
        name: What it is.
        value: The number with its unit.
        help: The tooltip; empty for none.
    """

    name: str
    value: str
    help: str = ""

    def show(self) -> None:
        """Draw it."""
        st.metric(self.name, self.value, border=True, help=literal(self.help) or None)


@dataclass(frozen=True)
class Expectation:
    """What a room makes of its pilot; empty texts are not shown.

    Attributes:
        rows: How many people, rows or texts the test will look at, and what else is known of them.
        seconds: Estimated time of the whole test.
        found: The smallest violation it will find, with its unit.
        tried: How many people, rows or texts the pilot tried.
        needed: How many would be needed to find what, one sentence.
        found_help: What ``found`` means.
        seconds_help: What the time leaves out.
        more: What else can be expected.
        info: What makes violations hard to find.
        warning: What speaks against running the test like this.
        proposal: Where the tolerance comes from, if nobody has chosen another.
    """

    rows: tuple[Tile, ...]
    seconds: float
    found: str = ""
    tried: str = ""
    needed: str = ""
    found_help: str = ""
    seconds_help: str = ""
    more: tuple[Tile, ...] = ()
    info: str = ""
    warning: str = ""
    proposal: str = ""


def proposal(decision: DecisionSettings, tolerance: str) -> str:
    """That the tolerance is nothing but a proposal; empty where somebody has chosen another."""
    if not is_proposed(decision):
        return ""
    return say(
        "The tolerance of {tolerance} is a proposal, no legal threshold; choose your own above, or when "
        "you see the result.",
        tolerance=tolerance,
    )


def points(value: float) -> str:
    """A difference of shares in percentage points."""
    return POINTS.text(value)


def show(draft: Draft, kind: str) -> str:
    """The card of one test; returns why it cannot be run."""
    room = ROOMS[kind]
    review, decision = room.part("review"), draft.decisions[kind]
    if problem := review.problem(draft):
        return str(problem)
    arguments = draft.about_model | {
        "audit": draft.audits[kind].model_dump(mode="json"),
        "decision": decision.model_dump(mode="json", include=set(room.foreseen_by)),
        "seed": draft.seed,
    }
    tried = answer("pilot", arguments, say("Trying the test on a few rows"))
    if tried is None:
        return say("The test has to be tried on a few rows first.")
    told = review.expectation(draft, unpack(tried, room.kind.pilot))
    for plan in draft.study.plans:
        if plan.audit.kind == kind:
            pace.expect(plan.result_fingerprint, told.seconds)
    _show(draft.told(told), pace.correction(kind), f"estimate_{kind}")
    return ""


def _show(told: Expectation, correction: float, key: str) -> None:
    learned = say("Corrected by how long this test took on this machine before.") if correction != 1 else ""
    time = Tile(
        say("Time it will take"),
        say("about {time}", time=duration(told.seconds * correction)),
        " ".join(filter(None, (told.seconds_help, learned))),
    )
    found = Tile(say("Smallest violation it will find"), told.found, told.found_help)
    with st.container(horizontal=True, key=key):
        for tile in (*told.rows, time, *((found,) if told.found else ()), *told.more):
            tile.show()
    if told.tried:
        estimated = say("Estimated from {tried}.", tried=told.tried)
        if told.needed:
            estimated += f" {say('A difference this large is detected 80% of the time.')} {told.needed}"
        st.caption(estimated)
    if told.info:
        st.info(told.info, icon=":material/info:")
    if told.warning:
        st.warning(told.warning, icon=":material/warning:")
    if told.proposal:
        st.caption(told.proposal)
