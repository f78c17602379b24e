"""The form in which a person states what was audited, why the tolerance is acceptable, and what was decided."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import streamlit as st

from core.base.settings import help_of, name_of_choice
from core.language.told import say
from core.register.comparison import plan_of
from core.register.entry import Entry, Status
from core.register.register import Register
from core.report.stated import signable, stated_fields
from core.report.statement import LONGEST_TEXT, Decision, Signable, Statement, missing, required, undecided
from core.study import Study
from dashboard import forms
from dashboard.fields import example_of
from dashboard.messages import say_over, show_facts
from dashboard.text import literal
from dashboard.visitor import four_eyes, visitor

Way = Literal["save", "send", "sign"]
"""What the form does with what it says: save it; send it to review too, or ask whether to sign it."""

_LL144_ONLY = ("unknown", "distributed")
_MARKED = "fields_marked"
"""The entry for whose signature something was missing, which is said below each field since."""


def show(
    register: Register,
    entry: Entry,
    *,
    may: bool = True,
    ways: tuple[Way, ...] = ("save",),
    then: Callable[[Entry, Way], None] | None = None,
    above: Callable[[], None] | None = None,
    stopped: bool = False,
) -> None:
    """The form, or what was stated where it cannot be changed or not by them.

    What the decision lacks is said below its field; where *Sign* was pressed too early, what else is missing, too.

    Args:
        register: Where it is kept.
        entry: Of what.
        may: Whether the visitor may state something.
        ways: The buttons of the form, as for :func:`ask`.
        then: Given the entry when it was saved, and what was pressed.
        above: Draws what stands right above the buttons.
        stopped: Whether *Sign* is shut.
    """
    stated = entry.statement
    if not may or entry.status in (Status.SIGNED, Status.WITHDRAWN):
        show_facts({field.label: field.value for field in stated_fields(stated).values() if field.value})
        return
    of = signable_of(entry)
    marked = (missing if st.session_state.get(_MARKED) == entry.id else undecided)(stated, of)
    key = f"{entry.id}.{stated.fingerprint}"
    said, pressed = ask(stated, key, of, marked=marked, ways=ways, above=above, shut=stopped)
    if said is not None:
        entry = register.change(entry.id, visitor(), statement=said)
        say_over(
            say("The statement was saved. A packet from before does not have it: send it anew.")
            if entry.status is Status.IN_REVIEW
            else say("The statement was saved.")
        )
    if pressed is not None:
        if pressed == "sign":
            st.session_state[_MARKED] = entry.id
        if then is not None:
            then(entry, pressed)
        st.rerun()


def is_alone(register: Register, entry: Entry) -> bool:
    """Whether nobody but the visitor, who made it, is known here who could review an entry."""
    return visitor() in entry.authors and not (four_eyes() or register.reviewers(entry))


def signable_of(entry: Entry) -> Signable:
    """What its statement is about."""
    plan = plan_of(entry)
    return signable(plan, violation=entry.summary.violation) if isinstance(plan, Study) else Signable()


def ask(
    stated: Statement,
    key: str,
    of: Signable,
    *,
    marked: Mapping[str, str] | None = None,
    ways: tuple[Way, ...] = ("save",),
    above: Callable[[], None] | None = None,
    shut: bool = False,
) -> tuple[Statement | None, Way | None]:
    """The form: what it says when it was saved and says something else than before, None otherwise; and what to do.

    No name is filled in: whoever signs types their own, also where that is the auditor's.

    Args:
        stated: What is stated so far.
        key: Of the form.
        of: What it is about.
        marked: What is said to be missing, by field.
        ways: Its buttons in order; the first is the main one, unless it only saves.
        above: Draws what stands right above them.
        shut: Whether *Sign* cannot be pressed.
    """
    needed = required(stated, of)
    below = {name: _needed_with(decision) for name, decision in of.by_decision.items()}
    below |= {name: f":material/edit: **{literal(told)}**" for name, told in (marked or {}).items()}
    left_out = set() if stated.standard == "ll144" else set(_LL144_ONLY)
    if "despite" not in of.by_decision and not stated.despite:
        left_out.add("despite")
    if of.tests and not stated.tolerance_reason:
        left_out.add("tolerance_reason")
    asked = tuple(name for name in forms.drawable(Statement) if name not in left_out)
    with st.form(f"statement_{key}", enter_to_submit=False):
        st.caption(say("What is marked with \\* has to be filled in before the report is signed."))
        first = tuple(name for name in asked if name in needed or name in of.by_decision)
        drawn = partial(
            forms.draw, Statement, key=f"stated.{key}", required=needed, unfolded=("decision",), below=below
        )
        people = first.index("auditor")
        audited = drawn(dict(stated), fields=first[:people])
        reasons = _ask_for_reasons(stated, key, of, below)
        said = drawn(dict(audited or stated), fields=first[people:])
        said = None if audited is None else said
        with st.expander(say("More, where the report should say it")):
            more = tuple(name for name in asked if name not in first)
            whole = forms.draw(Statement, dict(said or stated), f"stated.{key}", fields=more)
            said = None if said is None else whole
        if said is not None and reasons != {test: stated.tolerance_reasons.get(test, "") for test in of.tests}:
            said = said.model_copy(update={"tolerance_reasons": {**stated.tolerance_reasons, **reasons}})
        if above is not None:
            above()
        with st.container(horizontal=True):
            pressed = [way for way in ways if _press(way, main=way == ways[0], shut=shut)]
    if said is None or pressed in ([], ["save"] if said == stated else []):
        return None, None
    return None if said == stated else said, pressed[0]


def _needed_with(decision: Decision) -> str:
    """Said below a field that one decision asks for, whichever is chosen: a form draws nothing until it is sent."""
    return say("Needed for *{decision}*.", decision=literal(name_of_choice(Statement, "decision", decision)))


def _press(way: Way, *, main: bool, shut: bool) -> bool:
    """Draw one button of the form; whether it was pressed."""
    label, icon = {
        "save": (say("Save the statement"), ":material/save:"),
        "send": (say("Send to review"), ":material/rate_review:"),
        "sign": (say("Sign"), ":material/signature:"),
    }[way]
    return st.form_submit_button(
        label,
        key=f"entry_{way}",
        type="primary" if main and way != "save" else "secondary",
        icon=icon,
        disabled=shut and way == "sign",
    )


def _ask_for_reasons(stated: Statement, key: str, of: Signable, below: Mapping[str, str]) -> dict[str, str]:
    """Why each tolerance is acceptable, by the test's key; tests that tolerate the same are asked about once."""
    fields = Statement.model_fields
    found: dict[str, str] = {}
    for keys, called in of.reasons(stated):
        tolerance, reason = of.tolerances[keys[0]], stated.tolerance_reasons.get(keys[0], "")
        label = say("Reason for the tolerance of {tolerance}: {tests}", tolerance=tolerance, tests=literal(called))
        said = st.text_area(
            label + ("" if stated.tolerance_reason else " *"),
            reason,
            key=f"stated.{key}.reason.{keys[0]}",
            max_chars=LONGEST_TEXT,
            placeholder=stated.tolerance_reason or example_of(fields["tolerance_reason"]),
            help=help_of(fields["tolerance_reasons"]),
        )
        if told := below.get(f"tolerance_reasons {keys[0]}"):  # verbatim
            st.caption(told)
        found |= dict.fromkeys(keys, said)
    return found
