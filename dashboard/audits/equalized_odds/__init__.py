"""The equalized odds test on the pages."""

from core.audits.equalized_odds import KIND
from dashboard.audits.room import Offer, Room

ROOM = Room(
    KIND,
    decided=("delta",),
    foreseen_by=("alpha",),
    step="Question and groups",
    change="Change the question",
    offer=Offer(
        page="fairer",
        label="What would a fairer model cost?",
        icon=":material/balance:",
        help="Fits models to this table that give fairness more and more weight, and tries them.",
    ),
)
