"""The table of pages: how each kind of audit is shown. A new audit adds its line here."""

from typing import Any

from core.study import Study
from dashboard.views.results_column_sensitivity import ColumnSensitivityView
from dashboard.views.results_fair_dummies import FairDummiesView
from dashboard.views.results_gradient_flow import GradientFlowView
from dashboard.views.results_sensitivity import SensitivityView
from dashboard.views.results_transport import TransportView
from dashboard.views.results_view import AbstractView

VIEWS: dict[str, AbstractView[Any, Any, Any]] = {
    "gradient_flow": GradientFlowView(),
    "transport": TransportView(),
    "sensitivity": SensitivityView(),
    "column_sensitivity": ColumnSensitivityView(),
    "fair_dummies": FairDummiesView(),
}


def labels(study: Study) -> tuple[str, ...]:
    """What the study's tests are called on the page, numbered where two are of one kind."""
    kinds = [plan.audit.kind for plan in study.plans]
    return tuple(
        VIEWS[kind].label if kinds.count(kind) == 1 else f"{VIEWS[kind].label} {kinds[: i + 1].count(kind)}"
        for i, kind in enumerate(kinds)
    )
