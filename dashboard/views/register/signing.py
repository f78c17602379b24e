"""The way to a signature: what is still missing, sent to review, signed with record and report, withdrawn."""

from functools import partial

import streamlit as st

from core.language.told import say
from core.register.entry import Entry, Status
from core.register.register import Register
from core.register.rights import Right
from core.report.statement import missing
from dashboard.jobs import queue as jobs
from dashboard.messages import say_next
from dashboard.views.register import frozen, stating
from dashboard.visitor import four_eyes, visitor


def show(register: Register, entry: Entry, rights: frozenset[Right]) -> None:
    """What is stated, and the buttons that this entry's status and the visitor's rights allow."""
    st.header(say("Statement and signature"), anchor=False)
    stating.show(register, entry, may="state" in rights)
    if entry.status is Status.DRAFT:
        if "state" in rights and st.button(say("Send to review"), key="entry_send", icon=":material/rate_review:"):
            register.send_to_review(entry.id, visitor())
            _done(say("It is in review now. Whoever signs it reads it first."))
    elif entry.status is Status.IN_REVIEW:
        ready = not missing(entry.statement)
        if jobs.find(entry.job) is None:
            ready = False
            st.warning(say("The result was deleted, so that there is nothing to sign."), icon=":material/warning:")
        if four_eyes() and visitor() in entry.authors:
            ready = False
            st.info(
                say(
                    "You ran this audit or stated something of it, so that somebody else signs it: a reviewer of its "
                    "project who did neither."
                )
            )
        with st.container(horizontal=True, key="entry_review"):
            if "sign" in rights and st.button(
                say("Sign"),
                key="entry_sign",
                type="primary",
                icon=":material/verified:",
                disabled=not ready,
            ):
                _sign(register, entry)
            if "state" in rights and st.button(say("Back to draft"), key="entry_return", icon=":material/undo:"):
                register.take_back(entry.id, visitor())
                _done(say("It is a draft again."))
        st.caption(
            say(
                "Signing freezes entry, record and report together, under the tolerance that was chosen before "
                "the run. It cannot be undone, only withdrawn. To sign another tolerance, change the settings of "
                "the audit and run it."
            )
        )
    else:
        frozen.offer(entry, partial(register.document, entry.id, visitor()))
    if entry.status is Status.SIGNED and "sign" in rights:
        sure = st.checkbox(say("It no longer holds"), key="entry_unsound")
        if st.button(say("Withdraw"), key="entry_withdraw", icon=":material/block:", disabled=not sure):
            register.withdraw(entry.id, visitor())
            _done(say("It was withdrawn. What was signed can still be read."))


def _sign(register: Register, entry: Entry) -> None:
    with st.spinner(say("Writing record and report")):
        documents = frozen.documents(entry)
    register.sign(entry.id, visitor(), entry.revision, documents, four_eyes=four_eyes())
    _done(say("Signed. Record and report are kept as they are now."))


def _done(what: str) -> None:
    say_next(what)
    st.rerun()
