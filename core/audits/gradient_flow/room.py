"""The gradient-flow test: what it runs, says and shows."""

from core.audits.gradient_flow import planning, report, wording
from core.audits.gradient_flow.figures import CHARTS
from core.audits.gradient_flow.figures.several import OF_SEVERAL
from core.audits.gradient_flow.result import GradientFlowDetail, GradientFlowResult
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.base.errors import Caveat
from core.contracts.audit import Given, Pilot
from core.contracts.model import AbstractModel
from core.data.encoded import EncodedDataset
from core.finding import Room
from core.language.told import say


def _run(
    audit: GradientFlow, given: Given[AbstractModel, EncodedDataset]
) -> tuple[GradientFlowDetail, tuple[Caveat, ...]]:
    """The engine's run; torch, which it needs, is not imported by who reads a result only."""
    from core.audits.gradient_flow import engine

    return engine.run(audit, given)


ROOM = Room(
    run=_run,
    result=GradientFlowResult,
    finding=GradientFlowFinding,
    pilot=Pilot(planning.pilot, planning.GradientFlowPilot),
    headline=wording.headline,
    cleared=say("by this search with this definition of similar"),
    sentence=wording.sentence,
    tolerance=wording.tolerance_text,
    next_steps=wording.next_steps,
    question=wording.question,
    affected=wording.affected,
    reservations=wording.reservations,
    case=report.case,
    similar=report.similar,
    statistics=report.statistics,
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
    of_several=OF_SEVERAL,
)
