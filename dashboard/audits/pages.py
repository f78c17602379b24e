"""What a kind of test shows on the pages: typed parts, each with a default (:mod:`dashboard.audits.generic`)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.caveats.assumptions import is_proposed
from core.claims_told import MOST_TIMES, rounded_up
from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings
from core.language.phrases import count
from core.language.told import say
from core.plan import AuditPlan
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.views.results.view import AbstractView


@dataclass(frozen=True)
class Tile:
    """One number of the card on the review page.

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
        mend: What a button says that helps against that.
        on_mend: Takes it.
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
    mend: str = ""
    on_mend: Callable[[], None] = lambda: None
    warning: str = ""
    proposal: str = ""


def so_many(needed: int, known: int, one: str, several: str = "") -> str:
    """How many people, rows or texts are needed, to two digits; or that it is more than anybody may bring.

    Args:
        needed: How many.
        known: How many there are.
        one: What one of them is called, as :func:`core.language.phrases.count` takes it.
        several: And several.
    """
    if needed > MOST_TIMES * known:
        return say("more than {people}", people=count(rounded_up(MOST_TIMES * known), one, several))
    return say("about {people}", people=count(rounded_up(needed), one, several))


def proposal(decision: DecisionSettings, tolerance: str) -> str:
    """That the tolerance is nothing but a proposal; empty where somebody has chosen another."""
    if not is_proposed(decision):
        return ""
    return say(
        "The tolerance of {tolerance} is a proposal, no legal threshold. You choose your own above.",
        tolerance=tolerance,
    )


@dataclass(frozen=True)
class Pages:
    """What a kind of test shows on the pages, the ``PAGES`` of ``dashboard.audits.<kind>.pages``.

    A room that shows only some of it otherwise than :func:`dashboard.audits.generic.generic` replaces those parts.

    Attributes:
        setup: Shows who is compared with whom, and lets people choose it; returns why the next step is shut.
        settings: The test's own settings as the widgets of the review page say; None where one is not valid.
        facts: What will be run, in words.
        expectation: What the pilot of its :class:`core.finding.Room` says.
        view: Its part of the results page.
        problem: Why the test cannot be tried, with what is known before that; empty where nothing speaks against it.
    """

    setup: Callable[[Draft], str]
    settings: Callable[[Draft], AbstractAudit | None]
    facts: Callable[[AuditPlan], dict[str, str]]
    expectation: Callable[[Draft, Any], Expectation]
    view: AbstractView[Any, Any, Any]
    problem: Callable[[Draft], str] = lambda draft: ""
