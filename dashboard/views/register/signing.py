"""The way to a signature: what is still missing, sent to review, signed with record and report, withdrawn."""

import time
from dataclasses import replace
from functools import partial

import streamlit as st

from core.caveats.assumptions import SIGNED_TOLERANCE, whose_tolerance
from core.language.phrases import count
from core.language.told import retold, say
from core.register.comparison import plan_of
from core.register.entry import Entry, Status, verdict_words
from core.register.links import DAYS, MOST_DAYS
from core.register.project import Member
from core.register.register import Register
from core.register.rights import Right
from core.report.statement import is_same_person, missing
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.messages import say_next, say_over
from dashboard.text import literal
from dashboard.views.register import frozen, reviewing, sharing, stating, words
from dashboard.visitor import four_eyes, people_sign_in, person, visitor

_ASKED = "asked_to_sign"


def show(register: Register, entry: Entry, rights: frozenset[Right]) -> None:
    """What is stated, and the buttons that this entry's status and the visitor's rights allow."""
    st.header(say("Statement and signature"), anchor=False)
    others = register.reviewers(entry)
    own = visitor() in entry.authors
    elsewhere = own and not stating.is_alone(register, entry)
    deleted = jobs.find(entry.job) is None
    in_review = entry.status is Status.IN_REVIEW
    may_sign = "sign" in rights and (in_review or (entry.status is Status.DRAFT and not (elsewhere or deleted)))
    stating.show(
        register,
        entry,
        may="state" in rights,
        sign=_begin if may_sign else None,
        stopped=elsewhere or deleted,
    )
    if may_sign:
        _ask(register, entry, own=own)
        st.caption(
            f"{say('Signing freezes entry, record and report together. It cannot be undone, only withdrawn.')} "
            f"{retold(SIGNED_TOLERANCE)}"
        )
    if entry.status is Status.DRAFT:
        if "state" in rights:
            _offer_to_send(register, entry)
    elif in_review:
        _show_review(register, entry, rights, others, elsewhere=elsewhere, deleted=deleted)
    else:
        st.markdown(reviewing.who_signed(entry))
        frozen.offer(entry, partial(register.document, entry.id, visitor()), to_print=True)
    if entry.status is Status.SIGNED and "sign" in rights:
        sure = st.checkbox(say("It no longer holds"), key="entry_unsound")
        if st.button(say("Withdraw"), key="entry_withdraw", icon=":material/block:", disabled=not sure):
            register.withdraw(entry.id, visitor())
            _done(say("It was withdrawn. What was signed can still be read."))


def _begin(entry: Entry, signs: bool) -> None:
    """Ask whether to sign what was just saved, if *Sign* was pressed and nothing is missing."""
    st.session_state.pop(_ASKED, None)
    if not signs:
        return
    if lacking := missing(entry.statement, stating.signable_of(entry)):
        fields = count(len(lacking), "field")
        told = say("It was saved, not signed: {fields} to fill in, marked in the form.", fields=fields)
        say_over(told, more_to_do=True)
    else:
        st.session_state[_ASKED] = (entry.id, entry.revision)


def _offer_to_send(register: Register, entry: Entry) -> None:
    with_link = sharing.is_reachable() and not people_sign_in()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        days = DAYS
        if with_link:
            days = int(st.number_input(say("Days until the link ends"), 1, MOST_DAYS, DAYS, key="send_days"))
        sent = st.button(say("Send to review"), key="entry_send", icon=":material/rate_review:")
    if sent:
        register.send_to_review(entry.id, visitor())
        if with_link:
            sharing.make(register, entry, days, comments=True)
        _done(say("It is in review now. Whoever signs it reads it first."))
    st.caption(
        say("Reviewers of its project find it in their register. For others there is a packet to send.")
        if people_sign_in()
        else say("You get a packet to send to the reviewer: the report, the record, and how to check both.")
        + (f" {say('You also get a link through which they write comments.')}" if with_link else "")
    )


def _show_review(
    register: Register,
    entry: Entry,
    rights: frozenset[Right],
    others: tuple[Member, ...],
    *,
    elsewhere: bool,
    deleted: bool,
) -> None:
    if "state" in rights:
        reviewing.show_ways(entry, others)
    if deleted:
        st.warning(say("The result was deleted, so that there is nothing to sign."), icon=":material/warning:")
    if elsewhere:
        st.info(
            say(
                "You ran this audit or stated something of it, so that somebody else signs it: a reviewer of its "
                "project who did neither."
            )
        )
    if "state" in rights and st.button(say("Back to draft"), key="entry_return", icon=":material/undo:"):
        register.take_back(entry.id, visitor())
        _done(say("It is a draft again."))


def _ask(register: Register, entry: Entry, *, own: bool) -> None:
    """Ask once whether that is meant, and as whom; what is signed is what stood here when *Sign* was pressed."""
    asked, seen = st.session_state.get(_ASKED, ("", 0))
    if asked != entry.id:
        return
    with st.container(border=True, key="entry_sign_asked"):
        st.markdown(f"**{say('Sign this audit for good?')}**")
        st.markdown("\n".join(f"- {sentence}" for sentence in _what_signing_means(entry, own=own)))
        typed = ""
        if not people_sign_in():
            typed = st.text_input(say("Your name"), key="entry_sign_name", autocomplete="off", width=420)
        with st.container(horizontal=True):
            sure = st.button(say("Yes, sign it"), key="entry_sign_yes", type="primary", icon=":material/signature:")
            if st.button(say("Not yet"), key="entry_sign_no"):
                st.session_state.pop(_ASKED)
                st.rerun()
        if sure and not (people_sign_in() or _is_name_of(typed, entry.statement.reviewer)):
            name = literal(entry.statement.reviewer)
            st.error(say("It is not signed: type the reviewer's name, {name}, if it is yours.", name=name))
        elif sure:
            st.session_state.pop(_ASKED)
            _sign(register, entry, seen)


def _is_name_of(typed: str, reviewer: str) -> bool:
    """Whether somebody typed the reviewer's name, with or without the organisation behind its comma."""
    own, whole = (" ".join(name.casefold().split()) for name in (typed, reviewer))
    return bool(own) and own in (whole, whole.partition(",")[0].rstrip())


def _what_signing_means(entry: Entry, *, own: bool) -> list[str]:
    stated, signed_in = entry.statement, person() if people_sign_in() else None
    told = [
        say(
            "The verdict is: {verdict}. The decision is: {decision}.",
            verdict=f"**{literal(verdict_words(entry.summary.verdict))}**",
            decision=f"**{literal(reviewing.decision_of(entry))}**",
        ),
        say(
            "You sign in the name of {reviewer}. Let them sign if that is not you. Your identity is **not verified**, "
            "because nobody signs in here. The report says so.",
            reviewer=f"**{literal(stated.reviewer)}**",
        )
        if signed_in is None
        else say("You sign as {name}, as you signed in.", name=f"**{literal(signed_in.known_as)}**"),
    ]
    told += [literal(one) for one in (words.not_settled(entry), words.others_ended_worse(entry)) if one]
    if stated.despite and stated.decision == "accept":
        told.append(
            say("A violation was found. The system is used all the same, because: {why}", why=literal(stated.despite))
        )
    plan = plan_of(entry)
    if isinstance(plan, Study):
        told += [
            say(
                "Tolerance of the {test}: {whose}.",
                test=literal(name),
                whose=f"**{literal(whose_tolerance(one.decision, stated.chooses(key)))}**",
            )
            for key, name, one in zip(plan.keys, plan.names, plan.plans, strict=True)
        ]
    if is_same_person(stated):
        told.append(say("Auditor and reviewer are the same person. The report says that nobody else reviewed it."))
    elif own:
        told.append(say("You worked on the audit. The report says that nobody else is known to have reviewed it."))
    if entry.comments:
        told.append(say("It has {comments}, below.", comments=count(len(entry.comments), "comment")))
    told.append(say("After that it can be withdrawn, but not changed or sent to review."))
    return told


def _sign(register: Register, entry: Entry, seen: int) -> None:
    """Sign the entry as of the revision that was ``seen``."""
    signed_in = person() if people_sign_in() else None
    signer = "" if signed_in is None else signed_in.known_as
    with st.spinner(say("Writing record and report")):
        signature = entry.signature_of(visitor(), signer, time.time())
        documents = frozen.documents(entry, replace(signature, others=words.others_ended_worse(entry)))
    register.sign(entry.id, visitor(), seen, documents, signer=signer, four_eyes=four_eyes())
    _done(say("Signed. Record and report are kept as they are now."))


def _done(what: str) -> None:
    say_next(what)
    st.rerun()
