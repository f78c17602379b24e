"""Claims in tables: every one has its row, with the numbers it has by itself."""

from core.claims import Claim
from core.claims_shown import each
from core.inference.estimate import Estimate
from core.inference.evidence import Adjusted
from core.language.phrases import p_value
from core.language.units import PLAIN, POINTS


def claims(*values: float, what: str = "Difference") -> tuple[Claim, ...]:
    """A claim a group of 100 people."""
    evidence = [Adjusted(Estimate(value, 0.02, 100), len(values)) for value in values]
    groups = enumerate(evidence)
    return tuple(
        Claim.of_evidence(one, 0.05, 0.1, what=what, unit=POINTS, who=f"group {place}", people=100)
        for place, one in groups
    )


def test_every_claim_has_its_row_in_its_unit() -> None:
    found = claims(0.01, 0.2, float("nan"))
    table = each(found, alpha=0.1, rows="People")
    assert [row[0] for row in table.rows] == ["group 0", "group 1", "group 2"]
    assert table.header[0] == POINTS.axis("Difference")
    assert [row[1] for row in table.rows] == ["1.00", "20.0", "not defined"]
    for row, one in zip(table.rows[:2], found, strict=False):
        assert one.interval is not None
        assert row[2] == POINTS.interval(one.interval.low, one.interval.high)
        assert row[3] == p_value(one.p_value, alpha=0.1)
        assert row[4] == "100"


def test_different_quantities_are_named_with_whom_they_are_about() -> None:
    everybody = Claim.of_evidence(Estimate(1.5, 0.1, 40), 1.2, 0.1, what="Ratio", unit=PLAIN, people=40)
    table = each((*claims(0.1), everybody), alpha=0.1, rows="People")
    assert table.header[0] == ""
    assert [row[0] for row in table.rows] == [f"group 0: {POINTS.axis('Difference')}", "Everybody: Ratio"]
