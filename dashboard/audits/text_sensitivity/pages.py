"""The text sensitivity test on the pages."""

from dashboard.audits.pages import Pages
from dashboard.audits.text_sensitivity import review, setup
from dashboard.audits.text_sensitivity.results import TextSensitivityView

PAGES = Pages(
    setup=setup.show,
    settings=review.settings,
    facts=review.facts,
    problem=review.problem,
    expectation=review.expectation,
    view=TextSensitivityView(),
)
