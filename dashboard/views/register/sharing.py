"""Links to an entry: made, told once, listed, revoked."""

import time
from ipaddress import ip_address
from urllib.parse import urlencode, urljoin, urlsplit

import streamlit as st

from core.language.told import say, say_as
from core.register.entry import Entry, Link, Status
from core.register.links import DAYS, MOST_DAYS, revoke, share
from core.register.register import Register
from core.register.timeline import day
from dashboard.messages import say_next
from dashboard.visitor import visitor

_MADE, _MADE_HERE = "link_made", "link_made_here"


def show(register: Register, entry: Entry) -> None:
    """The section, folded until somebody opens it."""
    panel = st.expander(say_as("a link", "Share"), icon=":material/share:", key="share_panel", on_change="rerun")
    with panel:
        st.write(
            say(
                "Whoever has the link reads the verdict, the statement and the signed report and record of this "
                "one entry, without signing in. They see nothing else, and write nothing but comments, where you let "
                "them."
            )
        )
        if not is_reachable():
            st.caption(say("This dashboard answers on this computer only. The link opens for nobody else."))
        with st.container(horizontal=True, vertical_alignment="bottom", key="entry_share"):
            days = st.number_input(say("Days until it ends"), 1, MOST_DAYS, DAYS, key="link_days")
            draft = entry.status is Status.DRAFT
            comments = st.checkbox(
                say("lets them write comments, and sends it to review") if draft else say("lets them write comments"),
                key="link_comments",
                help=say(
                    "While the entry is in review. They read its report and record then, too. Nobody checks the name "
                    "that they give."
                ),
                disabled=entry.status in (Status.SIGNED, Status.WITHDRAWN),
            )
            if st.button(say("Make a link"), key="link_make", icon=":material/add_link:"):
                make(register, entry, int(days), comments=comments)
                if comments and draft:
                    say_next(say("It is in review now. Comments can be written through the link."))
                st.session_state[_MADE_HERE] = entry.id
                st.rerun()
        if st.session_state.get(_MADE_HERE) == entry.id:
            show_made(entry)
        for number, link in enumerate(entry.links, start=1):
            _show_link(register, entry, number, link)


def make(register: Register, entry: Entry, days: int = DAYS, *, comments: bool) -> None:
    """Make a link, which is shown until the session ends; one for comments sends a draft to review."""
    if comments and entry.status is Status.DRAFT:
        register.send_to_review(entry.id, visitor())
    secret = share(register, entry.id, visitor(), days, comments=comments)
    st.session_state[_MADE] = {entry.id: _address(entry, secret)}
    st.session_state.pop(_MADE_HERE, None)


def show_made(entry: Entry) -> None:
    """The link that was just made; nothing where none was."""
    if made := st.session_state.get(_MADE, {}).get(entry.id, ""):
        st.write(say("Copy this link now; it is not shown again."))
        st.code(made, language=None, wrap_lines=True)


def is_reachable() -> bool:
    """Whether others could open this dashboard under the address under which this browser did."""
    host = urlsplit(_own_address()).hostname or ""
    return bool(host) and host != "localhost" and not host.endswith(".localhost") and not _is_own_machine(host)


def _own_address() -> str:
    return str(st.context.url or "")


def _is_own_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _show_link(register: Register, entry: Entry, number: int, link: Link) -> None:
    ended = link.ends <= time.time()
    if link.revoked:
        stands = say("revoked on {day}", day=day(link.revoked))
    elif ended:
        stands = say("ended on {day}", day=day(link.ends))
    else:
        stands = say("ends on {day}", day=day(link.ends))
    with st.container(horizontal=True, vertical_alignment="center", key=f"link_{number}"):
        lets = say("for reading and comments") if link.comments else say("for reading")
        told = say("Link {number}, made on {made}, {stands}", number=number, made=day(link.made), stands=stands)
        st.write(f"{told}, {lets}")
        if not (link.revoked or ended) and st.button(
            say("Revoke link {number}", number=number), key=f"link_revoke_{number}", icon=":material/link_off:"
        ):
            revoke(register, entry.id, visitor(), link)
            st.session_state.pop(_MADE, None)
            say_next(say("Link {number} was revoked. It shows nothing any more.", number=number))
            st.rerun()


def _address(entry: Entry, secret: str) -> str:
    """The link as people send it, beginning as the address of this dashboard does."""
    return urljoin(_own_address(), f"shared?{urlencode({'entry': entry.id, 'key': secret})}")
