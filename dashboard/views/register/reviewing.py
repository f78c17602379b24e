"""What reaches a reviewer: a packet to send, a list of their own, comments through links; and who signed."""

from datetime import datetime

import streamlit as st

from core.base.settings import name_of_choice
from core.language.phrases import listed
from core.language.told import say
from core.register.chain import LogLine
from core.register.entry import Comment, Entry
from core.register.packet import packet
from core.register.project import Member
from core.register.timeline import day
from core.report.names import file_stem
from core.report.statement import Statement
from dashboard import seen
from dashboard.text import literal
from dashboard.views.downloads import offer_printed
from dashboard.views.register import frozen, sharing, words
from dashboard.visitor import people_sign_in


def show_ways(entry: Entry, others: tuple[Member, ...], log: tuple[LogLine, ...]) -> None:
    """How an entry in review reaches whoever reviews it.

    Args:
        entry: In review.
        others: Members of its project who may sign it.
        log: Its lines of the log: what was changed after it was sent is in no packet from before.
    """
    with st.container(border=True, key="entry_reaches"):
        st.markdown(f"**{say('For the reviewer')}**")
        if others:
            names = listed([literal(one.name, 60) for one in others])
            st.write(say("It waits in the register of {names}, with a badge.", names=names))
        elif people_sign_in():
            st.write(say("Nobody else can sign it here. Put it into a project with a reviewer, or send the packet."))
        last = next((line for line in reversed(log) if line.action in ("sent", "changed")), None)
        if last is not None and last.action == "changed":
            st.warning(
                say(
                    "It was changed on {when}, after it was sent. A packet from before that is out of date.",
                    when=words.moment(last.at),
                ),
                icon=":material/update:",
            )
        offer_packet(entry)
        if not people_sign_in():
            st.caption(
                say("It asks the reviewer to read the report, to decide, and to sign: here with *Sign*, or on paper.")
            )
        sharing.show_made(entry)
        if not people_sign_in() and not sharing.is_reachable():
            st.caption(
                say("This dashboard answers on this computer only. A link would open for nobody else: send the packet.")
            )


def offer_packet(entry: Entry) -> None:
    """Report, record and their hashes in one file; nothing where the result is not here any more."""

    def made() -> bytes:
        others = words.others_ended_worse(entry)
        return packet(frozen.to_review(entry, others), entry.system, entry.statement, others)

    if frozen.can_be_written(entry):
        offer_printed(
            say("Packet for the reviewer (zip)"),
            made,
            f"{file_stem(entry.system, 'review', datetime.fromtimestamp(entry.made).date())}.zip",
            key="entry_packet",
            icon=":material/folder_zip:",
            help=say("The report to read and print, the record, their hashes, and how to check them in plain words."),
        )


def show_comments(entry: Entry, *, may: bool) -> None:
    """What came through links; whoever may state something has seen it now.

    Args:
        entry: Whose comments.
        may: Whether the visitor may state something of it.
    """
    if not entry.comments:
        return
    st.header(f"{say('Comments')}{words.new_comments(entry)}", anchor=False)
    numbers = {link.sha256: number for number, link in enumerate(entry.links, start=1)}
    for comment in entry.comments:
        _show_comment(comment, numbers.get(comment.link, 0))
    if may:
        seen.note_comments(entry)


def show_written(comments: tuple[Comment, ...]) -> None:
    """Comments as whoever wrote them sees them."""
    for comment in comments:
        _show_comment(comment, 0)


def who_signed(entry: Entry) -> str:
    """Who signed an entry, whether that was verified, and whether they took part in the work, as Markdown."""
    return "" if entry.signature is None else literal(" ".join(entry.signature.told))


def decision_of(entry: Entry) -> str:
    """The decision as people read it."""
    return name_of_choice(Statement, "decision", entry.statement.decision)


def _show_comment(comment: Comment, link: int) -> None:
    with st.container(border=True):
        moment = datetime.fromtimestamp(comment.at)
        through = say("through link {number}", number=link) if link else ""
        about = (say("identity not verified"), f"{day(comment.at)}, {moment:%H:%M}", through)
        st.markdown(f"**{literal(comment.name)}** · {' · '.join(filter(None, about))}")
        st.markdown("  \n".join(map(literal, comment.text.splitlines())))
