"""The group fairness test on the pages."""

from dashboard.audits.group_fairness import review, setup
from dashboard.audits.group_fairness.results import GroupFairnessView
from dashboard.audits.pages import Pages

PAGES = Pages(
    setup=setup.show,
    settings=review.settings,
    facts=review.facts,
    expectation=review.expectation,
    view=GroupFairnessView(),
)
