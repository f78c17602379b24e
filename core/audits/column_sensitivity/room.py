"""The column sensitivity test: what it runs, says and shows."""

from core.audits.column_sensitivity import engine, planning, report, wording
from core.audits.column_sensitivity.figures import CHARTS
from core.audits.column_sensitivity.result import ColumnSensitivityResult
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.contracts.audit import Pilot
from core.finding import Room
from core.one_estimate import settle

ROOM = Room(
    run=engine.run,
    result=ColumnSensitivityResult,
    finding=ColumnSensitivityFinding,
    pilot=Pilot(planning.pilot, planning.ColumnSensitivityPilot),
    headline=wording.headline,
    opening=wording.opening,
    sentence=wording.sentence,
    next_steps=lambda finding: settle(finding, "rows"),
    case=report.case,
    similar=report.similar,
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
    affected=wording.affected,
    suited=planning.suited,
)
