"""One entry as its link shows it: the verdict, what is stated, the signed files, comments where the link takes them."""

from functools import partial

import streamlit as st

from core.language.told import say
from core.register.entry import Entry, Link, Status
from core.register.links import (
    LONGEST_COMMENT,
    LONGEST_NAME,
    comment,
    comments_through,
    link_of,
    opened,
    shared_file,
    takes_comments,
)
from core.register.register import Register
from core.report.stated import stated_fields
from dashboard.messages import say_next, show_facts
from dashboard.views.register import frozen, reviewing, words
from dashboard.views.register.one import show_found

_SENT = "comments_sent"


def page() -> None:
    """Show the entry, or say in a sentence why its link shows nothing."""
    st.title(say("An audit, shared with you"), anchor=False)
    register = Register()
    name, secret = st.query_params.get("entry", ""), st.query_params.get("key", "")
    entry = opened(register, name, secret)
    link = link_of(entry, secret)
    st.header(words.title(entry), anchor=False)
    st.caption(words.details(entry))
    st.markdown(f"{words.verdict(entry)} · {words.status(entry)}")
    show_found(entry, numbers=False)
    stated = {field.label: field.value for field in stated_fields(entry.statement).values() if field.value}
    if stated:
        st.header(say("Statement"), anchor=False)
        show_facts(stated)
    if entry.documents:
        st.header(say("Signed files"), anchor=False)
        st.markdown(reviewing.who_signed(entry))
        frozen.offer(entry, partial(shared_file, register, name, secret))
    elif takes_comments(entry, link):
        st.info(say("You are asked to review it. Read the report in the packet, then write what you think of it."))
        reviewing.offer_packet(entry)
    else:
        st.info(say("It is not signed yet. Once it is, its report and its record can be read here."))
    if link.comments:
        _show_comments(register, entry, link, secret)
    if takes_comments(entry, link):
        st.caption(say("You can read and save what stands here, write comments, and change nothing else."))
    else:
        st.caption(say("You can read and save what stands here, and change nothing."))


def _show_comments(register: Register, entry: Entry, link: Link, secret: str) -> None:
    """What was written through this link, and the form while something can be."""
    st.header(say("Comments"), anchor=False)
    reviewing.show_written(comments_through(entry, link))
    if not takes_comments(entry, link):
        st.info(
            say("It is not in review yet. Comments can be written as soon as it is.")
            if entry.status is Status.DRAFT
            else say("The review has ended. No more comments can be written.")
        )
        return
    sent_before = st.session_state.get(_SENT, 0)
    with st.form(f"comment_{sent_before}", enter_to_submit=False):
        who = st.text_input(say("Your name"), max_chars=LONGEST_NAME, key=f"comment_name_{sent_before}")
        text = st.text_area(say("Your comment"), max_chars=LONGEST_COMMENT, key=f"comment_text_{sent_before}")
        st.caption(say("The auditor reads it. Nobody checks who you are, so that it is marked as not verified."))
        sent = st.form_submit_button(say("Send the comment"), icon=":material/send:")
    if sent:
        comment(register, entry.id, secret, who, text)
        st.session_state[_SENT] = sent_before + 1
        say_next(say("Your comment was sent."))
        st.rerun()
