"""The largest group of people whom similar ones are treated worse than, told beside the verdict."""

from core.audits.transport.flow_wording import flow_in_brief
from core.audits.transport.verdict import TransportFinding
from core.base.tables import Case
from core.language.phrases import upper_first
from core.language.told import say


def case(finding: TransportFinding) -> Case | None:
    """The largest move between groups; None where nobody is moved."""
    told = flow_in_brief(finding)
    if not told:
        return None
    return Case(say("The largest move between similar people"), upper_first(told))
