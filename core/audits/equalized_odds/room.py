"""The equalized odds test: what it runs, says and shows."""

from core.audits.equalized_odds import engine, headlines, planning, report, wording, wording_asked, wording_means
from core.audits.equalized_odds.figures import CHARTS
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.contracts.audit import Pilot
from core.finding import Room
from core.language.told import say

ROOM = Room(
    run=engine.run,
    result=EqualizedOddsResult,
    finding=EqualizedOddsFinding,
    pilot=Pilot(planning.pilot, planning.EqualizedOddsPilot),
    headline=headlines.headline,
    sides=headlines.sides,
    measure=headlines.measure,
    cleared=say("between these groups"),
    sentence=wording.sentence,
    tolerance=wording.tolerance_text,
    next_steps=wording.next_steps,
    case=report.case,
    similar=report.similar,
    statistics=report.statistics,
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
    question=lambda finding: wording_asked.asked(finding.result.detail),
    affected=wording.affected,
    reconciled=wording_means.reconciled,
    begins=planning.for_table,
)
