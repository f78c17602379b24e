"""The group fairness test: what it runs, says and shows."""

from core.audits.group_fairness import engine, headlines, planning, report, wording
from core.audits.group_fairness.figures import CHARTS
from core.audits.group_fairness.report import groups
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_claims import measure, tolerance_text
from core.contracts.audit import Pilot
from core.finding import Room

ROOM = Room(
    run=engine.run,
    result=GroupFairnessResult,
    finding=GroupFairnessFinding,
    pilot=Pilot(planning.pilot, planning.GroupFairnessPilot),
    headline=headlines.headline,
    sides=headlines.sides,
    measure=measure,
    opening=wording.opening,
    affected=wording.affected,
    sentence=wording.sentence,
    tolerance=tolerance_text,
    next_steps=wording.next_steps,
    case=report.case,
    similar=report.similar,
    statistics=report.statistics,
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
    impact_tables=groups.impact_tables,
    reservations=wording.reservations,
)
