"""Headlines say what a claim holds and no more: of claims of every shape, and of every kind of test."""

import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.audits import KINDS
from core.base.errors import Caveat
from core.claims import Claim
from core.claims_told import Said, found, headline, needed
from core.finding import room_of
from core.headline import why_not
from core.inference.estimate import Verdict
from core.language.told import say
from core.language.units import PLAIN, POINTS, Unit
from tests.builders import make_result
from tests.builders_fair_dummies import make_groups_result
from tests.dashboard.results_made import columns, fair_dummies, sensitivity, transport
from tests.reading import sentences, words

PAIR = Claim(
    who="sex = f", against="sex = m", what="Selection rate", scale="difference", here=0.28, there=0.09, people=900,
    others=800, estimate=0.19, low=0.14, high=0.23, p_value=0.001, tolerance=0.1, unit=POINTS, more=True,
)  # fmt: skip
MEAN = replace(PAIR, who="", against="", what="Rise", here=math.nan, there=math.nan, estimate=0.17)
FORBIDDEN = re.compile(r"p-value|Holm|fair-dummies|adjusted|bootstrap|\btest\b|hypothes", re.IGNORECASE)


def finding(nothing: float = 0.0, rows: int = 2_380, claims: tuple[Claim, ...] = ()) -> Any:
    """As much of a finding as a headline asks for."""
    return SimpleNamespace(
        claims=claims,
        decision=SimpleNamespace(alpha=0.05),
        missing="",
        nothing=nothing,
        result=SimpleNamespace(data=SimpleNamespace(rows_audited=rows)),
        room=SimpleNamespace(rows=say("People")),
    )


@pytest.mark.parametrize(
    ("claim", "said", "told"),
    [
        (
            PAIR,
            "beyond",
            "Selection rate is 28% for people with sex = f and 9% for people with sex = m: 19 points apart; 10 are "
            "tolerated",
        ),
        (
            replace(PAIR, low=0.07),
            "open",
            "Selection rate is 28% for people with sex = f and 9% for people with sex = m: 19 points apart; surely at "
            "least 7.00 points, but whether more than 10 is open",
        ),
        (
            replace(PAIR, scale="ratio", unit=PLAIN, estimate=0.79, low=0.7, high=0.92, tolerance=0.8),
            "open",
            "Selection rate is 0.79 times as high for people with sex = f as for people with sex = m; surely at most "
            "0.92, but whether below 0.8 is open",
        ),
        (
            replace(PAIR, here=math.nan, unit=Unit(40.0, "units of pay")),
            "beyond",
            "Selection rate is 7.60 units of pay higher for people with sex = f than for people with sex = m; 4 are "
            "tolerated",
        ),
        (
            replace(PAIR, low=-0.1, high=0.08),
            "within",
            "With 95% confidence selection rate is at most 8.00 points higher for people with sex = f than for people "
            "with sex = m; 10 are tolerated",
        ),
        (
            replace(PAIR, more=False, low=-0.3, high=-0.08),
            "within",
            "With 95% confidence selection rate is at most 0.00 points lower for people with sex = f than for people "
            "with sex = m; 10 are tolerated",
        ),
        (
            replace(PAIR, scale="ratio", unit=PLAIN, low=0.83, tolerance=0.8),
            "within",
            "With 95% confidence selection rate is at least 0.83 times as high for people with sex = f as for people "
            "with sex = m; at least 0.8 is asked for",
        ),
        (
            replace(PAIR, estimate=0.0, low=-0.138, high=0.138),
            "open",
            "Whether selection rate is more than 10 points higher for people with sex = f than for people with sex = m "
            "is open: about 4,600 people instead of 2,380 may settle it",
        ),
        (MEAN, "beyond", "Rise is 17.0 points; 10 are tolerated"),
        (replace(MEAN, who="sex = f"), "beyond", "Rise is 17.0 points; 10 are tolerated (for people with sex = f)"),
        (replace(MEAN, tolerance=0.0), "beyond", "Rise is 17.0 points; no difference is tolerated"),
        (
            replace(MEAN, unit=PLAIN, estimate=2.35, low=2.0, high=2.6, tolerance=1.25),
            "beyond",
            "Rise is 2.35; 1.25 is tolerated",
        ),
        (replace(MEAN, high=0.08), "within", "With 95% confidence rise is at most 8.00 points; 10 are tolerated"),
        (
            replace(MEAN, scale="ratio", unit=PLAIN, low=0.83, tolerance=0.8),
            "within",
            "With 95% confidence rise is at least 0.83; at least 0.8 is asked for",
        ),
        (
            replace(MEAN, estimate=0.0, low=-0.138, high=0.138),
            "open",
            "Whether rise is more than 10 points is open: about 4,600 people instead of 2,380 may settle it",
        ),
    ],
)  # fmt: skip
def test_a_claim_of_every_shape_has_a_headline(claim: Claim, said: Said, told: str) -> None:
    assert headline(finding(), claim, said) == told


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (
            PAIR,
            "selection rate is 28.0% for people with sex = f and 9.0% for people with sex = m, a difference of 19.0 "
            "percentage points",
        ),
        (
            replace(PAIR, here=math.nan, unit=Unit(40.0, "units of pay")),
            "selection rate of people with sex = f and people with sex = m, a difference of 7.60 units of pay",
        ),
        (
            replace(PAIR, scale="ratio", estimate=0.32, unit=PLAIN),
            "selection rate is 0.28 for people with sex = f and 0.090 for people with sex = m, a ratio of 0.32",
        ),
        (replace(MEAN, who="sex = f"), "rise, sex = f, 17.0 percentage points"),
    ],
)
def test_a_difference_is_said_beside_what_it_is_of(claim: Claim, told: str) -> None:
    assert found(claim) == told


def test_what_is_missing_follows_from_the_bound_that_is_open() -> None:
    """Bounds shrink with the root of the rows: a bound 0.06 away that has 0.03 to go takes four times as many."""
    one = replace(MEAN, estimate=0.13, low=0.07, high=0.2)
    assert needed(finding(rows=1_000), one) == "about 4,000 people instead of 1,000 may settle it"
    shown = replace(one, estimate=0.101)
    near = "10.1 points, as found, is so near that even 20 times as many people may not settle it"
    assert needed(finding(), shown) == near, "that something differs is shown"
    further = replace(one, estimate=0.109)
    assert needed(finding(), further) == "about 45,000 people instead of 2,380 may settle it"
    near = replace(shown, low=-0.01)
    assert needed(finding(), near) == "about 2,700 people instead of 2,380 may settle it, if nothing differs"
    assert needed(finding(), replace(one, judged=False)) == "too few people are compared"
    assert needed(finding(), replace(near, high=math.inf)) == "many more people are needed"
    flow = replace(MEAN, unit=PLAIN, estimate=1.2, low=1.0, high=1.6, tolerance=1.25)
    assert needed(finding(nothing=1.0), flow).endswith("may settle it, if nothing differs")


def test_so_many_people_are_asked_for_as_settle_every_claim_that_clears() -> None:
    one = replace(MEAN, estimate=0.13, low=0.07, high=0.2)
    wide = replace(one, estimate=0.0, high=0.3)
    assert "about 9,000 people instead of 1,000" in needed(finding(rows=1_000, claims=(one, wide)), one)
    for other in (replace(wide, decides=False), replace(wide, judged=False), replace(wide, high=0.05)):
        assert "about 4,000 people instead of 1,000" in needed(finding(rows=1_000, claims=(one, other)), one)


def test_what_forbids_every_claim_is_the_headline() -> None:
    assert why_not((Caveat("serious", "Only 25 people were audited."),)) == (
        "Nothing is decided: only 25 people were audited"
    )
    long = " ".join(["word"] * 40) + "."
    assert why_not((Caveat("serious", f"{long} Nobody is compared."),)) == "Nothing is decided: nobody is compared"
    assert why_not((Caveat("serious", long, "Bring more rows."),)) == "Nothing is decided: bring more rows"


MADE = {
    "gradient_flow": make_result,
    "transport": lambda: transport()[1],
    "text_sensitivity": lambda: sensitivity()[1],
    "column_sensitivity": lambda: columns()[1],
    "equalized_odds": lambda: fair_dummies()[1],
    "numbers": lambda: make_groups_result("numbers"),
    "four classes": lambda: make_groups_result("four classes"),
    "two classes": lambda: make_groups_result("two classes"),
    "hostile texts": lambda: sensitivity(hostile=True, attributes=2)[1],
}
DIRECTED = re.compile(r"(more|less) often|disadvantage|fares? worse")


@pytest.mark.parametrize("made", MADE)
def test_every_kind_of_test_has_a_headline_at_every_tolerance(made: str) -> None:
    result: Any = MADE[made]()
    kind = KINDS[result.audit.kind]
    least = 1.0 if kind.name == "gradient_flow" else 0.0
    seen = set()
    for step in (0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9):
        one = room_of(kind).finding(result, kind.decision(delta=least + step))
        first, *_ = sentences(one.headline)
        claim = one.headlined
        seen.add(one.verdict)
        assert not FORBIDDEN.search(one.headline), one.headline
        assert len(words(first)) <= 33, one.headline
        assert not one.headline.endswith(".")
        if claim is not None and not claim.one_sided and kind.name in ("group_fairness", "equalized_odds"):
            assert not DIRECTED.search(first), one.headline
        if claim is not None and one.verdict is Verdict.VIOLATION:
            assert claim.beyond
        if claim is not None and one.verdict is Verdict.NO_VIOLATION:
            assert claim.times_possible == max(each.times_possible for each in one.claims if each.decides)
    assert Verdict.VIOLATION in seen or Verdict.NO_VIOLATION in seen


def test_all_who_are_shown_to_be_treated_worse_are_named_once_the_clearest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In whatever quantity; nobody where it is not known which direction is a harm, and not those who are cleared."""
    claims = (
        PAIR,
        replace(PAIR, who="sex = x", low=0.3),
        replace(PAIR, who="sex = x", what="Error rate", low=0.2),
        replace(PAIR, who="sex = y", one_sided=False, low=0.5),
        replace(PAIR, who="sex = z", low=0.05),
    )
    result: Any = transport()[1]
    kind = KINDS["transport"]
    shown: Any = room_of(kind).finding(result, kind.decision())
    monkeypatch.setattr(type(shown), "claims", claims)
    assert shown.named == "sex = x and sex = f"
    assert shown.affected == "Shown to be treated worse than tolerated: sex = x and sex = f."
