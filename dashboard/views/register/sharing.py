"""Links to an entry: made, told once, listed, revoked."""

import time
from urllib.parse import urlencode, urljoin

import streamlit as st

from core.language.told import say, say_as
from core.register.entry import Entry, Link
from core.register.links import DAYS, MOST_DAYS, revoke, share
from core.register.register import Register
from core.register.timeline import day
from dashboard.messages import say_next
from dashboard.visitor import visitor

_MADE = "link_made"


def show(register: Register, entry: Entry) -> None:
    """The section, folded unless a link was just made."""
    made = st.session_state.get(_MADE, {}).get(entry.id, "")
    with st.expander(say_as("a link", "Share"), icon=":material/share:", expanded=bool(made)):
        st.write(
            say(
                "Whoever has the link reads the verdict, the statement and the signed report and record of this "
                "one entry, without signing in. They see nothing else, and change nothing."
            )
        )
        with st.container(horizontal=True, vertical_alignment="bottom", key="entry_share"):
            days = st.number_input(say("Days until it ends"), 1, MOST_DAYS, DAYS, key="link_days")
            if st.button(say("Make a link"), key="link_make", icon=":material/add_link:"):
                secret = share(register, entry.id, visitor(), int(days))
                st.session_state[_MADE] = {entry.id: _address(entry, secret)}
                st.rerun()
        if made:
            st.write(say("Copy this link now; it is not shown again."))
            st.code(made, language=None, wrap_lines=True)
        for number, link in enumerate(entry.links, start=1):
            _show_link(register, entry, number, link)


def _show_link(register: Register, entry: Entry, number: int, link: Link) -> None:
    ended = link.ends <= time.time()
    if link.revoked:
        stands = say("revoked on {day}", day=day(link.revoked))
    elif ended:
        stands = say("ended on {day}", day=day(link.ends))
    else:
        stands = say("ends on {day}", day=day(link.ends))
    with st.container(horizontal=True, vertical_alignment="center", key=f"link_{number}"):
        st.write(say("Link {number}, made on {made}, {stands}", number=number, made=day(link.made), stands=stands))
        if not (link.revoked or ended) and st.button(
            say("Revoke link {number}", number=number), key=f"link_revoke_{number}", icon=":material/link_off:"
        ):
            revoke(register, entry.id, visitor(), link)
            st.session_state.pop(_MADE, None)
            say_next(say("Link {number} was revoked. It shows nothing any more.", number=number))
            st.rerun()


def _address(entry: Entry, secret: str) -> str:
    """The link as people send it, beginning as the address of this dashboard does."""
    return urljoin(st.context.url or "", f"shared?{urlencode({'entry': entry.id, 'key': secret})}")
