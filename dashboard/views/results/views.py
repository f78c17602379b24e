"""The table of pages: how each kind of audit is shown. A new audit adds its line here."""

from typing import Any

from core.audits import KINDS
from core.study import Study
from dashboard.audits.column_sensitivity.results import ColumnSensitivityView
from dashboard.audits.equalized_odds.results import EqualizedOddsView
from dashboard.audits.gradient_flow.results import GradientFlowView
from dashboard.audits.text_sensitivity.results import TextSensitivityView
from dashboard.audits.transport.results import TransportView
from dashboard.views.results.view import AbstractView

VIEWS: dict[str, AbstractView[Any, Any, Any]] = {
    "gradient_flow": GradientFlowView(),
    "transport": TransportView(),
    "text_sensitivity": TextSensitivityView(),
    "column_sensitivity": ColumnSensitivityView(),
    "equalized_odds": EqualizedOddsView(),
}


def labels(study: Study) -> tuple[str, ...]:
    """What the study's tests are called on the page, numbered where two are of one kind."""
    titles = [KINDS[plan.audit.kind].title for plan in study.plans]
    return tuple(
        title if titles.count(title) == 1 else f"{title} {titles[: i + 1].count(title)}"
        for i, title in enumerate(titles)
    )
