"""The shared-answers test in facts and tables."""

from core.audits.shared_answers.verdict import SharedAnswersFinding

from core.base.tables import Fact, Table
from core.language.phrases import p_value, share_interval, share_text


def similar(finding: SharedAnswersFinding) -> tuple[Fact, ...]:
    """Who is compared with whom."""
    return (Fact("Compared", "everybody with people of all other groups"),)


def statistics(finding: SharedAnswersFinding) -> Table:
    """Share, interval and p-value."""
    rows = (
        ("Share", share_text(finding.estimate)),
        ("Interval", share_interval(finding.interval_low, finding.interval_high)),
        ("p-value", p_value(finding.p_value)),
    )
    return Table("People with an answer of their group's own", ("", "Value"), rows)


def tables(finding: SharedAnswersFinding) -> dict[str, Table]:
    """None besides the statistics."""
    return {}


def diagnostics(finding: SharedAnswersFinding) -> tuple[Fact, ...]:
    """None."""
    return ()


def limits(finding: SharedAnswersFinding) -> tuple[str, ...]:
    """What the test cannot say."""
    return ("Small groups share fewer answers by chance alone.",)
