"""The transport test on the pages."""

from dashboard.audits.pages import Pages
from dashboard.audits.transport import review, setup
from dashboard.audits.transport.results import TransportView

PAGES = Pages(
    setup=setup.show,
    settings=review.settings,
    facts=review.facts,
    problem=review.problem,
    expectation=review.expectation,
    view=TransportView(),
)
