"""What the transport test assumes and what it cannot say, in plain words."""

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import DifferOnlyIn
from core.plan import AuditPlan


def limits(plan: AuditPlan, result: TransportResult, decision: TransportDecision) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this test."""
    similar = result.audit.similarity
    asked = result.detail.asked
    kinds = (
        "The verdict holds for one definition of similar and one choice of columns and bins. Coarser bins call more "
        "people similar; finer ones compare fewer."
        if asked is None
        else "The verdict holds for one definition of similar: the same person, all else the model reads being equal. "
        "Differences that come in through columns which go with a group are not seen. Bins only serve to show people."
    )
    space = (
        "People are compared with people who occur in the table. How the model would judge people who do not occur is "
        "not known to this test."
        if result.audit.space == "observed"
        else "The model was asked how it would judge the same people in other groups. Not every such person need exist."
    )
    tolerance = (
        f"The tolerance of {decision.delta:g} was chosen by the reader. The customary 0.0365 is the paper's: an "
        "estimate of how often courts convict the innocent, meant for decisions about offenders, no legal threshold."
    )
    common = (
        kinds,
        space,
        "The audited rows are taken to be an independent sample of the people the model is used on, and the model to "
        "have been trained on other rows. If either fails, the stated confidence does not hold.",
        "Who is moved where need not be unique: other moves may raise the loss as much. Ties are broken by a fixed "
        "rule, so the same table gives the same map.",
        tolerance,
        f"An error rate of {decision.alpha:g} is meant for one test read once. Trying settings until one gives the "
        "wanted verdict makes errors more frequent than stated.",
        "A loss says how far the model is from the recorded outcome. If the outcomes were themselves recorded with "
        "prejudice, this test does not see it.",
    )
    if isinstance(similar, DifferOnlyIn):
        return common
    return (*common, "The budget sets how far apart people may be and still be compared; a larger one finds more.")
