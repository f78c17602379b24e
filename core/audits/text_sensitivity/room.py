"""The text sensitivity test: what it runs, says and shows."""

from core.audits.text_sensitivity import engine, planning, report, wording
from core.audits.text_sensitivity.figures import CHARTS
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.contracts.audit import Pilot
from core.finding import Room
from core.language.told import say
from core.one_estimate import settle

ROOM = Room(
    run=engine.run,
    result=TextSensitivityResult,
    finding=TextSensitivityFinding,
    pilot=Pilot(
        planning.pilot,
        planning.TextSensitivityPilot,
        encodes=True,
        memory=lambda tried: tried.memory,
    ),
    headline=wording.headline,
    opening=wording.opening,
    sentence=wording.sentence,
    next_steps=lambda finding: settle(finding, "texts"),
    case=report.case,
    similar=report.similar,
    rows=say("Texts"),
    tables=report.tables,
    diagnostics=report.diagnostics,
    assumptions=report.assumptions,
    charts=CHARTS,
    begins=planning.for_table,
)
