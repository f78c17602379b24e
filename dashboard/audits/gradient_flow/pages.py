"""The gradient-flow test on the pages."""

from dashboard.audits.gradient_flow import review, setup
from dashboard.audits.gradient_flow.results import GradientFlowView
from dashboard.audits.pages import Pages

PAGES = Pages(
    setup=setup.show,
    settings=review.settings,
    facts=review.facts,
    problem=review.problem,
    expectation=review.expectation,
    view=GradientFlowView(),
)
