"""The way to a signature: what is still missing, sent to review, signed with record and report, withdrawn."""

import time
from dataclasses import replace
from functools import partial
from typing import NoReturn

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
from core.report.statement import is_same_person, missing, other_reviewer, undecided
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.messages import say_next, say_over
from dashboard.text import literal
from dashboard.views.register import frozen, reviewing, sharing, stating, words
from dashboard.visitor import four_eyes, people_sign_in, person, visitor

_ASKED, _DAYS = "asked_to_sign", "send_days"


def show(register: Register, entry: Entry, rights: frozenset[Right]) -> None:
    """What is stated, and the buttons that this entry's status and the visitor's rights allow."""
    st.header(say("Statement and signature"), anchor=False)
    if entry.status in (Status.DRAFT, Status.IN_REVIEW) and not people_sign_in():
        st.caption(say("Only the person named as reviewer signs."))
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
        ways=_ways(entry, rights, may_sign=may_sign),
        then=partial(_go_on, register),
        above=partial(_tell_who_signs, entry, rights),
        stopped=elsewhere or deleted,
    )
    if may_sign:
        _ask(register, entry, own=own)
        st.caption(
            f"{say('Signing freezes entry, record and report together. It cannot be undone, only withdrawn.')} "
            f"{retold(SIGNED_TOLERANCE)}"
        )
    if in_review:
        _show_review(register, entry, rights, others, elsewhere=elsewhere, deleted=deleted)
    elif entry.status is not Status.DRAFT:
        st.markdown(reviewing.who_signed(entry))
        frozen.offer(entry, partial(register.document, entry.id, visitor()), to_print=True)
    if entry.status is Status.SIGNED and "sign" in rights:
        sure = st.checkbox(say("It no longer holds"), key="entry_unsound")
        if st.button(say("Withdraw"), key="entry_withdraw", icon=":material/block:", disabled=not sure):
            register.withdraw(entry.id, visitor())
            _done(say("It was withdrawn. What was signed can still be read."))


def _ways(entry: Entry, rights: frozenset[Right], *, may_sign: bool) -> tuple[stating.Way, ...]:
    """The buttons of the form, the main one first: *Send to review* where it is for somebody else to sign."""
    sends = entry.status is Status.DRAFT and "state" in rights
    signs = may_sign and not _signer(entry)
    main: stating.Way = "sign" if signs else "send" if sends else "save"
    offered: dict[stating.Way, bool] = {"save": True, "sign": may_sign, "send": sends}
    return (main, *(way for way, offers in offered.items() if offers and way != main))


def _signer(entry: Entry) -> str:
    """Who signs in the auditor's stead, where nobody signs in; empty where nobody else is named."""
    return "" if people_sign_in() else other_reviewer(entry.statement)


def _tell_who_signs(entry: Entry, rights: frozenset[Right]) -> None:
    """Who signs, where that is not the auditor; and how long the link lasts that goes with the review."""
    sends = entry.status is Status.DRAFT and "state" in rights
    if name := literal(_signer(entry)):
        told = say("**{name} signs this audit, not the auditor.**", name=name)
        more = (say("Send it to review."),) if sends else ()
        told = " ".join((told, *more, say("*Sign* is for {name}, in this browser.", name=name)))
        st.info(told, icon=":material/signature:")
    if not sends:
        return
    if _comes_with_link():
        st.number_input(say("Days until the link ends"), 1, MOST_DAYS, DAYS, key=_DAYS, width=260)
    st.caption(
        say("Reviewers of its project find it in their register. For others there is a packet to send.")
        if people_sign_in()
        else say(
            "After *Send to review* you can save a packet to send to the reviewer: the report, the record, and how to "
            "check both."
        )
        + (f" {say('You also get a link through which they write comments.')}" if _comes_with_link() else "")
    )


def _comes_with_link() -> bool:
    return sharing.is_reachable() and not people_sign_in()


def _go_on(register: Register, entry: Entry, pressed: stating.Way) -> None:
    """What follows once the form was saved: it is sent to review, or asked whether to sign it if nothing is missing."""
    st.session_state.pop(_ASKED, None)
    if pressed == "save":
        return
    lacks = undecided if pressed == "send" else missing
    if lacking := lacks(entry.statement, stating.signable_of(entry)):
        fields = count(len(lacking), "field")
        told = (
            say("It was saved, not sent: {fields} to fill in, marked in the form.", fields=fields)
            if pressed == "send"
            else say("It was saved, not signed: {fields} to fill in, marked in the form.", fields=fields)
        )
        say_over(told, more_to_do=True)
    elif pressed == "send":
        _send(register, entry)
    else:
        st.session_state[_ASKED] = (entry.id, entry.revision)


def _send(register: Register, entry: Entry) -> NoReturn:
    entry = register.send_to_review(entry.id, visitor())
    if _comes_with_link():
        sharing.make(register, entry, int(st.session_state[_DAYS]), comments=True)
    sent = say("It is in review now. Whoever signs it reads it first.")
    lacking = len(missing(entry.statement, stating.signable_of(entry)))
    if lacking:
        sent += f" {say('Before it can be signed: {fields} to fill in.', fields=count(lacking, 'field'))}"
    if not (people_sign_in() or entry.statement.reviewer):
        sent += f" {say('Nobody is named as the reviewer yet.')}"
    say_over(sent)
    st.rerun()


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
        reviewing.show_ways(entry, others, register.log(entry.id))
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
        if name := literal(_signer(entry)):
            st.warning(
                say("{name} signs, not the auditor. If you are not {name}, press *Not yet*.", name=name),
                icon=":material/signature:",
            )
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
            st.error(
                say(
                    "It is not signed. Only the reviewer, {name}, signs it. If that is not you, press *Not yet*.",
                    name=name,
                )
            )
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
            "Only the reviewer signs: {reviewer}. Their identity is **not verified**, because nobody signs in here. "
            "The report says so.",
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
        told.append(
            say("This browser ran the audit. The report says that nobody else is known to have reviewed it.")
            if signed_in is None
            else say("You worked on the audit. The report says that nobody else is known to have reviewed it.")
        )
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


def _done(what: str) -> NoReturn:
    say_next(what)
    st.rerun()
