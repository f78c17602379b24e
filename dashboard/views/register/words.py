"""How an entry of the register is named, wherever a page shows one."""

import re
from datetime import datetime

from core.audits import KINDS
from core.inference.estimate import Verdict
from core.language.phrases import count, listed
from core.language.reader import SOURCE, speaking
from core.language.told import retold, say
from core.register.entry import Entry, Status, verdict_words
from core.register.others import ended_worse
from core.register.register import Register
from core.register.timeline import day
from dashboard import seen
from dashboard.text import literal
from dashboard.views.results.card import ICONS
from dashboard.visitor import people_sign_in, person, visitor

WORK = {
    "audit": say("Audit"),
    "selection": say("Choice of a model"),
    "fairer": say("Comparison of fairer models"),
    "comparison": say("Comparison of models"),
}
"""What people call the work, by the key of its workflow, which is also the name of its page."""
VERIFIED = ":material/verified:"
"""A signature of somebody who had signed in; of nobody else is it known who they are."""
_MOST_NAMED = 3
_STATUS_ICONS = {
    Status.DRAFT: ":material/edit:",
    Status.IN_REVIEW: ":material/rate_review:",
    Status.SIGNED: ":material/signature:",
    Status.WITHDRAWN: ":material/block:",
}


def title(entry: Entry) -> str:
    """System and table, as Markdown."""
    system = literal(entry.system, 80) or retold(WORK[entry.workflow])
    table = literal(entry.summary.table, 60)
    return f"{system} · {table}" if table else system


def verdict(entry: Entry) -> str:
    """The verdict with its icon, and of several models those that have it, as Markdown; colour carries nothing."""
    found, judged = entry.summary.verdict, entry.summary.judged
    icons = {verdict.value: icon for verdict, icon in ICONS.items()}
    told = f"{icons.get(found, ':material/balance:')} **{literal(verdict_name(found))}**"
    return (
        say("{verdict} with {names}", verdict=told, names=literal(listed(judged, _MOST_NAMED), 120)) if judged else told
    )


def status(entry: Entry) -> str:
    """Where the entry stands, with its icon, as Markdown."""
    stands = entry.status.words
    if entry.status is Status.SIGNED:
        stands = say("signed on {day}", day=day(entry.signed))
    verified = entry.status is Status.SIGNED and entry.signature is not None and entry.signature.verified
    return f"{VERIFIED if verified else _STATUS_ICONS[entry.status]} {stands}"


def others_ended_worse(entry: Entry) -> str:
    """That other audits of the same model on the same rows ended worse, of those that the owner or the visitor know."""
    stranger = people_sign_in() and person() is None
    found, people = entry.summary, {entry.owner} if stranger else {entry.owner, visitor()}
    same = {"subject": found.subject, "rows": found.rows_fingerprint, "model": found.fingerprint_of_model}
    return ended_worse(Register(), people, found.verdict, **same)


def moment(at: str) -> str:
    """When a line of the log was written, in the machine's own time zone."""
    when = datetime.fromisoformat(at).astimezone()
    return f"{day(when.timestamp())}, {when:%H:%M:%S}"


def new_comments(entry: Entry) -> str:
    """How many comments on an entry the visitor has not seen, as Markdown that follows its status; empty for none."""
    fresh = seen.new_comments(entry)
    return f" :blue-badge[{count(fresh, 'new comment')}]" if fresh else ""


def verdict_name(verdict: str) -> str:
    """What people read for a verdict as entries keep it."""
    return verdict_words(verdict) or say("no verdict")


def name_of_test(title: str) -> str:
    """A test's title, which the register keeps in English, in the reader's language; somebody's own name as it is."""
    with speaking(SOURCE):
        titles = {kind.title: kind for kind in KINDS.values()}
    of = re.sub(r" \d+$", "", title)  # several of one kind are numbered
    return f"{titles[of].title}{title.removeprefix(of)}" if of in titles else title


def not_settled(entry: Entry) -> str:
    """Which tests settle nothing where others do; empty where none."""
    if entry.summary.verdict == Verdict.INSUFFICIENT.value:
        return ""
    names = [name_of_test(one.title) for one in entry.summary.outcomes if one.verdict == Verdict.INSUFFICIENT.value]
    return say("Not settled by: {tests}.", tests=listed(names)) if names else ""


def details(entry: Entry) -> str:
    """Tests, when, version and auditor in one line of Markdown."""
    stated = entry.statement
    told = (
        say("version {version}", version=stated.version) if stated.version else "",
        say("by {auditor}", auditor=stated.auditor) if stated.auditor else "",
    )
    names = ", ".join(name_of_test(one.title) for one in entry.summary.outcomes)
    tests = literal(names, 160) or retold(WORK[entry.workflow])
    return " · ".join((tests, day(entry.made), *(literal(one, 60) for one in told if one)))
