"""The equalized odds test on the pages."""

from core.audits.equalized_odds import KIND
from core.language.told import say
from dashboard.audits.room import Offer, Room

ROOM = Room(
    KIND,
    decided=("delta",),
    foreseen_by=("alpha",),
    step=say("Question and groups"),
    change=say("Change the question"),
    offer=Offer(
        page="fairer",
        label=say("What would a fairer model cost?"),
        icon=":material/balance:",
        help=say("Fits models to this table that give fairness more and more weight, and tries them."),
    ),
)
