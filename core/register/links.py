"""Links that show one entry to whoever has them, until they end or are revoked; some let them write comments too.

A link names its entry and holds a random secret, of which the register keeps the hash only: who reads the register, or
guesses, opens nothing.
"""

import secrets
import time

from core.base.errors import RecordError, SettingsError
from core.language.told import say
from core.register.chain import sha256
from core.register.entry import Comment, Entry, Link, Status
from core.register.register import Register
from core.register.rows import entries_of
from core.register.schema import EntryRow
from core.register.timeline import day

DAYS = 30
"""How long a link shows an entry if nothing else is chosen."""
MOST_DAYS = 365
LONGEST_NAME = 100
"""Letters of the name under which a comment is written."""
LONGEST_COMMENT = 2_000
"""Letters of a comment."""
_MOST = 100
"""Links of one entry, ended ones among them."""
_MOST_COMMENTS = 30
"""Comments through one link."""
_DAY = 86400.0


def share(register: Register, name: str, person: str, days: int = DAYS, *, comments: bool = False) -> str:
    """Make a link to an entry.

    Args:
        register: Where it lies.
        name: The entry's id.
        person: Who makes it.
        days: After which the link ends.
        comments: Whether whoever has it may write comments while the entry is in review.

    Returns:
        The link's secret, which is told once.

    Raises:
        SettingsError: It is to last for longer than links may.
        RecordError: This visitor may not share it, or it has too many links.
    """
    if not 1 <= days <= MOST_DAYS:
        raise SettingsError(
            say("A link lasts 1 to {most} days.", most=MOST_DAYS),
            where=say("{days} days", days=days),
            advice=say("Choose another number."),
        )
    secret, now = secrets.token_urlsafe(32), time.time()

    def shared(entry: Entry) -> Entry:
        if len(entry.links) >= _MOST:
            raise RecordError(say("This entry has {most} links already.", most=_MOST), advice=say("Use one of them."))
        link = Link(sha256=sha256(secret.encode()), made=now, ends=now + days * _DAY, comments=comments)
        return entry.model_copy(update={"links": (*entry.links, link)})

    register.amend(name, person, "shared", shared)
    return secret


def revoke(register: Register, name: str, person: str, link: Link) -> None:
    """End a link now.

    Raises:
        RecordError: This visitor may not share it, or it has no such link that is not revoked.
    """

    def revoked(entry: Entry) -> Entry:
        if link.sha256 not in (one.sha256 for one in entry.links if not one.revoked):
            raise RecordError(
                say("There is no such link, or it was revoked before."), advice=say("Open the audit anew.")
            )
        links = (
            one.model_copy(update={"revoked": time.time()}) if one.sha256 == link.sha256 else one for one in entry.links
        )
        return entry.model_copy(update={"links": tuple(links)})

    register.amend(name, person, "revoked", revoked)


def opened(register: Register, name: str, secret: str) -> Entry:
    """The entry that a link shows.

    Raises:
        RecordError: There is no such link, or it was revoked, or it has ended.
    """
    with register.database.reading() as session:
        row = None if session is None else session.get(EntryRow, name)
        found = [] if session is None or row is None else entries_of(session, [row])
    link_of(found[0] if found else None, secret)
    return found[0]


def link_of(entry: Entry | None, secret: str) -> Link:
    """The link of an entry that this secret opens; raises as :func:`opened`."""
    digest = sha256(secret.encode())
    links = () if entry is None else entry.links
    link = next((one for one in links if secrets.compare_digest(one.sha256, digest)), None)
    ask = say("Ask whoever sent it to you for a new one.")
    if link is None:
        raise RecordError(say("This link shows nothing: it is not whole, or what it showed was deleted."), advice=ask)
    if link.revoked:
        raise RecordError(say("This link was revoked on {revoked}.", revoked=day(link.revoked)), advice=ask)
    if link.ends <= time.time():
        raise RecordError(say("This link ended on {ends}.", ends=day(link.ends)), advice=ask)
    return link


def takes_comments(entry: Entry, link: Link) -> bool:
    """Whether something can be written through this link now."""
    return link.comments and entry.status is Status.IN_REVIEW


def comments_through(entry: Entry, link: Link) -> tuple[Comment, ...]:
    """What was written through one link, the oldest first."""
    return tuple(one for one in entry.comments if one.link == link.sha256)


def comment(register: Register, name: str, secret: str, who: str, text: str) -> Entry:
    """Write a comment on an entry through a link.

    Args:
        register: Where the entry lies.
        name: The entry's id.
        secret: The link's.
        who: The name under which it is written; nobody checks it.
        text: The comment.

    Raises:
        SettingsError: Name or text are empty or too long.
        RecordError: As :func:`opened`; or the link is only for reading, the entry is not in review, or too much was
            written through the link.
    """
    who, text = who.strip(), text.strip()
    if not (0 < len(who) <= LONGEST_NAME and 0 < len(text) <= LONGEST_COMMENT):
        raise SettingsError(
            say(
                "A comment needs a name of at most {name} letters, and a text of at most {text}.",
                name=LONGEST_NAME,
                text=LONGEST_COMMENT,
            ),
            advice=say("Fill in both, and send it again."),
        )
    opened(register, name, secret)

    def commented(entry: Entry) -> Entry:
        link = link_of(entry, secret)
        if not link.comments:
            raise RecordError(
                say("This link is only for reading."), advice=say("Ask whoever sent it to you for a new one.")
            )
        if len(comments_through(entry, link)) >= _MOST_COMMENTS:
            raise RecordError(
                say("{most} comments were written through this link already.", most=_MOST_COMMENTS),
                advice=say("Ask whoever sent it to you for a new one."),
            )
        written = Comment(link=link.sha256, at=time.time(), name=who, text=text)
        return entry.model_copy(update={"comments": (*entry.comments, written)})

    return register.amend_through_link(name, "commented", commented)


def shared_file(register: Register, name: str, secret: str, which: str) -> bytes:
    """A signed file of the entry that a link shows; raises as :func:`opened` and :meth:`Register.document`."""
    return register.frozen(opened(register, name, secret).id, which)
