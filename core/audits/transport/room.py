"""The transport test: what it runs, says and shows."""

from core.audits.transport import engine, planning, report, wording
from core.audits.transport.figures import CHARTS
from core.audits.transport.result import TransportResult
from core.audits.transport.values import filled
from core.audits.transport.verdict import TransportFinding
from core.contracts.audit import Pilot
from core.finding import Room
from core.language.told import say

ROOM = Room(
    run=engine.run,
    result=TransportResult,
    finding=TransportFinding,
    pilot=Pilot(planning.pilot, planning.TransportPilot, memory=lambda tried: tried.memory),
    headline=wording.headline,
    measure=wording.measure,
    cleared=say("with this definition of similar"),
    sentence=wording.sentence,
    next_steps=wording.next_steps,
    case=report.case,
    similar=report.similar,
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
    filled=filled,
    begins=planning.for_table,
    against=planning.against,
)
