"""Why: what the verdict rests on against the tolerance, the numbers, and how often the predicted class changes."""

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.report.numbers import TextSensitivityNumbers
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.plan import AuditPlan
from core.report.tellings import telling_of
from dashboard.audits.text_sensitivity.results_tables import show_tables
from dashboard.views.results import chart as results_chart
from dashboard.views.results.tables import show_table


def show(
    plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers
) -> None:
    """The whole tab."""
    results_chart.show("sensitivity interval", result, decision)
    show_table(telling_of(plan).statistics(decision, numbers))
    show_tables(plan, result, decision, numbers, "sensitivity interval")
    results_chart.show("sensitivity flips", result, decision)
