"""The form in which a person states what was audited, why the tolerance is acceptable, and what was decided."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from core.base.settings import help_of
from core.language.told import say
from core.register.comparison import plan_of
from core.register.entry import Entry, Status
from core.register.register import Register
from core.report.stated import signable, stated_fields
from core.report.statement import LONGEST_TEXT, Signable, Statement, missing, required
from core.study import Study
from dashboard import forms
from dashboard.fields import example_of
from dashboard.messages import say_over, show_facts
from dashboard.text import literal
from dashboard.visitor import four_eyes, visitor

_LL144_ONLY = ("unknown", "distributed")
_MARKED = "fields_marked"
"""The entry for whose signature something was missing, which is said below each field since."""


def show(
    register: Register,
    entry: Entry,
    *,
    may: bool = True,
    sign: Callable[[Entry, bool], None] | None = None,
    stopped: bool = False,
) -> None:
    """The form, or what was stated where it cannot be changed or not by them.

    Where *Sign* was pressed too early, what is missing is said below each field.

    Args:
        register: Where it is kept.
        entry: Of what.
        may: Whether the visitor may state something.
        sign: Given the entry when it was saved, and whether *Sign* was pressed; None where the form offers no *Sign*.
        stopped: Whether *Sign* is shut.
    """
    stated = entry.statement
    if not may or entry.status in (Status.SIGNED, Status.WITHDRAWN):
        show_facts({field.label: field.value for field in stated_fields(stated).values() if field.value})
        return
    of = signable_of(entry)
    marked = missing(stated, of) if st.session_state.get(_MARKED) == entry.id else {}
    key = f"{entry.id}.{stated.fingerprint}"
    said, signs = ask(stated, key, of, marked=marked, sign=sign is not None, shut=stopped)
    if said is not None:
        entry = register.change(entry.id, visitor(), statement=said)
        say_over(say("The statement was saved."))
    if said is not None or signs:
        if signs:
            st.session_state[_MARKED] = entry.id
        if sign is not None:
            sign(entry, signs)
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
    sign: bool = False,
    shut: bool = False,
) -> tuple[Statement | None, bool]:
    """The form: what it says when it was saved and says something else than before, None otherwise; and *Sign*.

    No name is filled in: whoever signs types their own, also where that is the auditor's.

    Args:
        stated: What is stated so far.
        key: Of the form.
        of: What it is about.
        marked: What is said to be missing, by field.
        sign: Whether it offers to sign what it says.
        shut: Whether that cannot be pressed.
    """
    needed = required(stated, of)
    below = {name: f":material/edit: **{literal(told)}**" for name, told in (marked or {}).items()}
    left_out = set() if stated.standard == "ll144" else set(_LL144_ONLY)
    if "despite" not in needed and not stated.despite:
        left_out.add("despite")
    if of.tests and not stated.tolerance_reason:
        left_out.add("tolerance_reason")
    asked = tuple(name for name in forms.drawable(Statement) if name not in left_out)
    with st.form(f"statement_{key}", enter_to_submit=False):
        st.caption(say("What is marked with \\* has to be filled in before the report is signed."))
        first = tuple(name for name in asked if name in needed)
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
        with st.container(horizontal=True):
            saved = st.form_submit_button(say("Save the statement"), icon=":material/save:")
            signs = sign and st.form_submit_button(
                say("Sign"), key="entry_sign", type="primary", icon=":material/signature:", disabled=shut
            )
    return said if (saved or signs) and said != stated else None, signs and said is not None


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
