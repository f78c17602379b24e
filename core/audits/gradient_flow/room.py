"""The gradient-flow test: what it runs, says and shows."""

from core.audits.gradient_flow import engine, headlines, planning, report, wording
from core.audits.gradient_flow.case import case
from core.audits.gradient_flow.figures import CHARTS
from core.audits.gradient_flow.result import GradientFlowResult
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.contracts.audit import Pilot
from core.finding import Room

ROOM = Room(
    run=engine.run,
    result=GradientFlowResult,
    finding=GradientFlowFinding,
    pilot=Pilot(planning.pilot, planning.GradientFlowPilot),
    headline=headlines.headline,
    opening=wording.opening,
    sentence=wording.sentence,
    tolerance=wording.tolerance_text,
    next_steps=wording.next_steps,
    case=case,
    similar=report.similar,
    statistics=report.statistics,
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
)
