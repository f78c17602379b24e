"""Why: what the verdict rests on against the tolerance, the numbers, and how often the predicted class changes."""

from core.audits.sensitivity.reading import SensitivityReading
from core.plan import AuditPlan
from core.report.sensitivity.numbers import SensitivityNumbers
from core.report.tellings import telling_of
from core.result import SensitivityResult
from dashboard.views import results_chart
from dashboard.views.results_sensitivity_tables import show_tables
from dashboard.views.results_tables import show_table


def show(plan: AuditPlan, result: SensitivityResult, reading: SensitivityReading, numbers: SensitivityNumbers) -> None:
    """The whole tab."""
    results_chart.show("sensitivity interval", result, reading)
    show_table(telling_of(plan).statistics(reading, numbers))
    show_tables(plan, result, reading, numbers, "sensitivity interval")
    results_chart.show("sensitivity flips", result, reading)
