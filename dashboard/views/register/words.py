"""How an entry of the register is named, wherever a page shows one."""

from core.language.told import say
from core.register.entry import Entry, Status
from core.register.timeline import day
from dashboard.text import literal
from dashboard.views.results.card import ICONS

WORK = {"audit": "Audit", "selection": say("Choice of a model"), "fairer": say("Comparison of fairer models")}
"""What people call the work, by the key of its workflow, which is also the name of its page."""
STATUS_ICONS = {
    Status.DRAFT: ":material/edit:",
    Status.IN_REVIEW: ":material/rate_review:",
    Status.SIGNED: ":material/verified:",
    Status.WITHDRAWN: ":material/block:",
}
NO_VERDICT = say("no verdict")


def title(entry: Entry) -> str:
    """System and table, as Markdown."""
    system = literal(entry.system, 80) or WORK[entry.workflow]
    table = literal(entry.summary.table, 60)
    return f"{system} · {table}" if table else system


def verdict(entry: Entry) -> str:
    """The verdict with its icon, as Markdown; colour carries nothing."""
    found = entry.summary.verdict
    icons = {verdict.value: icon for verdict, icon in ICONS.items()}
    return f"{icons.get(found, ':material/balance:')} **{literal(found or NO_VERDICT)}**"


def status(entry: Entry) -> str:
    """Where the entry stands, with its icon, as Markdown."""
    when = say(" on {signed}", signed=day(entry.signed)) if entry.status is Status.SIGNED else ""
    return f"{STATUS_ICONS[entry.status]} {entry.status.value}{when}"


def details(entry: Entry) -> str:
    """Tests, when, version and auditor in one line of Markdown."""
    stated = entry.statement
    told = (
        say("version {version}", version=stated.version) if stated.version else "",
        say("by {auditor}", auditor=stated.auditor) if stated.auditor else "",
    )
    tests = literal(entry.summary.tests, 160) or WORK[entry.workflow]
    return " · ".join((tests, day(entry.made), *(literal(one, 60) for one in told if one)))
