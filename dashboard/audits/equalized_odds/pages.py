"""The equalized odds test on the pages."""

from dashboard.audits.equalized_odds import review, setup
from dashboard.audits.equalized_odds.results import EqualizedOddsView
from dashboard.audits.pages import Pages

PAGES = Pages(
    setup=setup.show,
    settings=review.settings,
    facts=review.facts,
    expectation=review.expectation,
    view=EqualizedOddsView(),
)
