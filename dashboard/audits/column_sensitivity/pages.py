"""The column sensitivity test on the pages."""

from dashboard.audits.column_sensitivity import review, setup
from dashboard.audits.column_sensitivity.results import ColumnSensitivityView
from dashboard.audits.pages import Pages

PAGES = Pages(
    setup=setup.show,
    settings=review.settings,
    facts=review.facts,
    expectation=review.expectation,
    view=ColumnSensitivityView(),
)
