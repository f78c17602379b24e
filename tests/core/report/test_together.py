"""One verdict for several tests: a violation has to survive Holm, and no violation takes every test."""

import math
from dataclasses import replace
from typing import Any, Literal

import pytest

from core.audits import KINDS
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.base.errors import Caveat
from core.claims import Claim
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.language.units import POINTS
from core.report.multiple_tests import TestLine, Together
from core.report.others import in_sentences, not_settled, others
from core.report.summary import shown_worse, what_to_do, who_is_affected
from core.result import AuditResult
from core.study import adjusted
from tests.findings import NO_MODEL, NOBODY_LEFT_OUT

V, N, I = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT  # noqa: E741
IF = "if all were judged like the similar people judged worst"
EMPTY = ("audit", "metric", "detail", "seed", "seconds", "versions")


class Found(AbstractFinding[Any, Any]):
    """A finding of which only the verdict matters."""

    kind = KINDS["transport"]
    own_caveats = ()
    claims = ()
    verdict = V
    p_value = math.nan

    def __init__(self, verdict: Verdict, p_value: float, *reasons: Caveat) -> None:
        said = verdict.value.capitalize()
        vars(self).update(headline=said, sentence=f"{said}: so.")
        self.result = AuditResult(**dict.fromkeys(EMPTY), caveats=(), data=NOBODY_LEFT_OUT, model=NO_MODEL)  # type: ignore[arg-type]
        self.verdict, self.p_value, self.own_caveats = verdict, p_value, reasons

    def under(self, **changes: Any) -> "Found":
        """Bounds that hold together with those of other tests do not show what these alone did."""
        if self.verdict is V:
            vars(self)["headline"] = "Open"
        return self


def together(*tests: tuple[Verdict, float], alpha: float = 0.05) -> Together:
    return Together(
        names=tuple(f"test {index + 1}" for index in range(len(tests))),
        findings=tuple(Found(one, p) for one, p in tests),
        adjusted=adjusted(tuple(p for _, p in tests)),
        alphas=(alpha,) * len(tests),
    )


def test_a_line_that_is_within_but_clears_nobody_says_that_something_speaks_against_it() -> None:
    within = Claim("", what="Rise", estimate=0.03, low=0.02, high=0.04, tolerance=0.05)
    found = Found(I, 0.5)
    vars(found)["claims"] = (within,)
    told = TestLine.of("test", found, I).number
    assert told.endswith("is tolerated; something speaks against taking the numbers at their word")
    assert "speaks" not in TestLine.of("test", found, N).number


@pytest.mark.parametrize(
    ("tests", "verdict"),
    [
        ([(V, 0.001)], V),
        ([(V, 0.049)], V),
        ([(N, 0.9)], N),
        ([(V, 0.001), (N, 0.9)], V),
        ([(N, 0.8), (N, 0.9)], N),
        ([(N, 0.8), (I, 0.3)], I),
        ([(V, 0.04), (N, 0.9)], I),
        ([(V, 0.04), (V, 0.04)], I),
        ([(V, 0.04), (V, 0.001)], V),
        ([(V, 0.04), (I, math.nan)], V),
    ],
)
def test_the_verdict_of_an_audit(tests: list[tuple[Verdict, float]], verdict: Verdict) -> None:
    assert together(*tests).verdict is verdict


def test_a_violation_that_does_not_survive_the_adjustment_is_insufficient_and_says_its_adjusted_p_value() -> None:
    found = together((V, 0.04), (N, 0.9))
    assert found.verdicts == (I, N)
    assert found.headline == "Open"
    assert "test 1: insufficient evidence, adjusted p-value 0.08" in found.sentence


def test_several_tests_name_themselves_and_the_adjustment() -> None:
    found = together((V, 0.001), (V, 0.002))
    assert found.told == "Violation found. Violation found"
    assert "test 1: violation found" in found.sentence
    assert "Holm" in found.sentence
    assert "5%" in found.sentence


def test_an_adjusted_p_value_that_equals_the_error_rate_confirms() -> None:
    assert together((V, 0.025), (N, 0.9)).verdicts == (V, N)
    assert together((V, 0.0251), (N, 0.9)).verdicts == (I, N)


def test_each_test_has_its_own_error_rate_and_the_sentence_says_the_largest() -> None:
    findings = (Found(V, 0.02), Found(V, 0.02), Found(N, 0.5))
    found = Together(("a", "b", "c"), findings, adjusted((0.02, 0.02, 0.5)), (0.05, 0.1, 0.01))
    assert found.adjusted == (0.06, 0.06, 0.5)
    assert found.verdicts == (I, V, N)
    assert found.sentence == (
        "a: insufficient evidence, adjusted p-value 0.060; b: violation found, adjusted p-value 0.060; "
        "c: no violation found, adjusted p-value 0.50. Alone, a violation would be found by: a; but with 3 tests "
        "chance has as many occasions, so that more is asked of each. A p-value says how likely numbers this bad "
        "would be if the truth were within the tolerance; a large one does not say that it is. The p-values are "
        "adjusted for 3 tests (Holm), so that the chance of any false alarm stays at 10%."
    )


def test_why_no_test_claims_anything_is_said_once_if_it_is_the_same_of_all() -> None:
    class Unclaimed(Found):
        unclaimed = ()

    def unclaimed(*why: str) -> Found:
        found = Unclaimed(I, 0.5)
        found.unclaimed = tuple(Caveat("serious", one) for one in why)  # type: ignore[assignment]
        return found

    def said(*each: tuple[str, ...]) -> str:
        findings = tuple(unclaimed(*why) for why in each)
        return Together(("a", "b"), findings, (0.5, 0.5), (0.05, 0.05)).sentence

    assert said(("Copies.", "Turned."), ("Turned.",)) == "Turned."
    assert said(("Turned.",), ("Copies.", "Turned.")) == "Turned."
    assert said(("Copies.", "Turned."), ("Turned.", "Copies.")) == "Copies."
    assert said(("Copies.",), ("Turned.",)).startswith("a: insufficient evidence")
    assert said(("Copies.",), ()).startswith("a: insufficient evidence")


def test_two_adjusted_p_values_are_called_adjusted() -> None:
    assert together((N, 0.4), (N, 0.9)).sentence == (
        "test 1: no violation found, adjusted p-value 0.80; test 2: no violation found, adjusted p-value 0.90. A "
        "p-value says how likely numbers this bad would be if the truth were within the tolerance; a large one does "
        "not say that it is. The p-values are adjusted for 2 tests (Holm), so that the chance of any false alarm stays "
        "at 5%."
    )


def test_a_single_test_speaks_for_itself() -> None:
    found = together((I, 0.3))
    assert (found.headline, found.sentence) == ("Insufficient evidence", "So.")


def test_caveats_are_no_part_of_the_verdict() -> None:
    assert Together(("a",), (Found(V, 0.01, Caveat("serious", "x")),), (0.01,), (0.05,)).verdict is V


def test_every_test_is_needed_to_say_no_violation() -> None:
    assert together((N, 0.8), (N, math.nan)).verdict is N
    assert together((N, 0.8), (I, math.nan)).verdict is I


def test_a_test_that_gives_no_p_value_is_not_counted_and_a_single_one_is_not_called_adjusted() -> None:
    assert together((I, math.nan), (V, 0.04)).verdicts == (I, V)
    assert together((I, math.nan), (V, 0.04)).sentence == (
        "test 1: insufficient evidence, without a p-value; test 2: violation found, p-value 0.040."
    )
    several = together((I, math.nan), (V, 0.001), (N, 0.9)).sentence
    assert "test 2: violation found, adjusted p-value 0.0020" in several
    assert "adjusted for 2 tests (Holm)" in several


def test_violations_that_two_tests_together_do_not_confirm_are_told_as_such() -> None:
    """Each p-value is below 5% by itself and above it once two tests were tried."""
    lost = together((V, 0.03), (V, 0.04))
    assert lost.verdicts == (I, I)
    assert "Alone, a violation would be found by: test 1, test 2; but with 2 tests chance has as" in lost.sentence
    assert "would be found by: test 1; but" in together((V, 0.03), (N, 0.9)).sentence
    assert "Alone" not in together((V, 0.001), (N, 0.9)).sentence


def claim(low: float, tolerance: float, **other: Any) -> Claim:
    """A claim whose bounds lie on both sides of an estimate, above the tolerance unless told otherwise."""
    known: dict[str, Any] = {"who": "sex = f", "against": "sex = m", "what": "x", "scale": "difference"}
    known |= {"here": math.nan, "there": math.nan, "people": 90, "others": 90, "estimate": low + 0.1, "low": low}
    return Claim(**known | {"high": low + 0.2, "p_value": 0.001, "tolerance": tolerance} | other)


class Claiming(Found):
    """A finding with claims."""

    def __init__(self, verdict: Verdict, *claims: Claim, said: str = "") -> None:
        super().__init__(verdict, 0.001 if verdict is V else 0.9)
        self.claims = claims  # type: ignore[assignment]
        self.decision = GroupFairnessDecision()
        vars(self)["headline"] = said


def of(*findings: Found) -> Together:
    values = adjusted(tuple(one.p_value for one in findings))
    return Together(tuple("abc")[: len(findings)], findings, values, (0.05,) * len(findings))


def test_the_headline_is_of_the_claim_furthest_beyond_its_tolerance_whatever_its_unit() -> None:
    """6 times 0.05 is more than 1.9 times 1.25 and than 2 times 0.1; attributes stand before intersections."""
    flow = Claiming(V, claim(2.4, 1.25))
    rate, wide = Claiming(V, claim(0.3, 0.05)), Claiming(V, claim(0.2, 0.1))
    assert of(flow, rate, wide).place == 1
    assert of(wide, flow).place == 0
    inner = Claiming(V, claim(0.9, 0.05, decides=False), claim(0.06, 0.05))
    assert inner.headlined is inner.claims[1]
    assert of(Claiming(V, claim(0.9, 0.05, decides=False)), wide).place == 1


def test_an_accusation_that_says_whom_it_harms_comes_before_larger_ones() -> None:
    directed, undirected = (
        Claiming(V, claim(low, 0.1, one_sided=known)) for low, known in ((0.22, True), (0.9, False))
    )
    assert of(undirected, directed).place == 1
    nameless = Claiming(V, claim(0.5, 0.1, who="", against=""))
    assert of(nameless, directed).place == 1
    assert of(undirected, nameless).place == 0


def test_a_test_that_does_not_share_the_verdict_gives_no_headline() -> None:
    open_one = Claiming(I, claim(0.0, 0.1), said="open")
    assert of(open_one, Claiming(V, claim(0.11, 0.1), said="found")).headline == "found"
    assert of(open_one, Claiming(N, claim(-0.2, 0.1), said="ruled out")).headline == "open"


def test_where_all_is_cleared_the_claim_nearest_its_tolerance_is_told() -> None:
    far, near = Claiming(N, claim(-0.2, 0.1), said="far"), Claiming(N, claim(-0.11, 0.1), said="near")
    assert of(far, near).headline == "near"
    assert of(near, far).told == "No violation found. near"


def test_every_test_has_a_line_with_its_own_number() -> None:
    lines = of(Claiming(V, claim(0.3, 0.05)), Claiming(I)).lines
    assert [one.name for one in lines] == ["a", "b"]
    assert (lines[0].verdict, lines[0].number) == (V, "0.40 (at least 0.30); 0.05 is tolerated")
    assert (lines[1].verdict, lines[1].number, lines[1].claim) == (I, "no number", None)
    assert (lines[0].measure, lines[1].measure) == (f"X {IF}", "")


class Naming(Found):
    """A finding that names somebody."""

    named = "sex = Female"


def test_everybody_whom_a_deciding_test_names_is_affected() -> None:
    assert shown_worse(V, (Naming(V, 0.001), Found(V, 0.001), Naming(V, 0.002))) == (
        "Shown to be treated worse than tolerated: sex = Female.",
    )
    assert shown_worse(V, (Found(V, 0.001),)) == (Found(V, 0.001).affected,)
    assert shown_worse(I, (Found(I, 0.3), Naming(I, 0.3))) == (Naming(I, 0.3).affected,)
    assert shown_worse(N, (Found(N, 0.9),)) == ("No group is shown to be beyond the tolerance.",)


def test_who_is_settled_by_no_test_is_named_with_the_quantity_beside_those_who_are_harmed() -> None:
    def about(who: str, low: float, high: float, *, decides: bool = True) -> Claim:
        known = {"against": "others", "what": "x", "tolerance": 0.1, "decides": decides}
        return Claim(who, estimate=(low + high) / 2, low=low, high=high, **known)  # type: ignore[arg-type]

    def found(verdict: Verdict, *claims: Claim) -> Found:
        one = Found(verdict, 0.001)
        vars(one)["claims"] = claims
        return one

    first = found(V, about("Black", 0.2, 0.4), about("Single", 0.04, 0.095), about("Black single", 0, 1, decides=False))
    other = found(I, about("Single", 0.04, 0.205), about("Black", 0.0, 0.3))
    third = found(I, about("Single", 0.04, 0.05))
    several = Together(("A", "B", "C"), (first, other, third), (0.001,) * 3, (0.05,) * 3)
    why = "something speaks against taking the numbers at their word"
    told = (
        "Surely different, but whether by more than tolerated is open: Single against others, 0.12, between 0.040 and "
        f"0.20 (x {IF}).",
        f"Not settled: whether similar people are treated alike (C): {why}.",
    )
    assert not_settled(several) == told, "A settles Black"
    assert who_is_affected(several)[1:3] == told
    assert not_settled(Together(("A",), (first,), (0.001,), (0.05,))) == ()
    many = found(V, *(about(f"g{k}", 0.0, 0.3) for k in range(6)))
    four = "; ".join(f"g{k} against others" for k in range(4))
    assert not_settled(Together(("A",), (many,), (0.001,), (0.05,))) == (f"Not settled: {four}; 2 more (x {IF}).",)


def test_everybody_whom_a_test_shows_to_be_beyond_is_named_below_the_headline_and_is_not_called_unsettled() -> None:
    black, asian = ({"who": f"race = {one}", "against": "others"} for one in ("Black", "Asian"))
    ratio = claim(0.6, 0.8, scale="ratio", high=0.9, **black)
    first = Claiming(V, claim(0.3, 0.1), claim(0.11, 0.1, **black), ratio)
    other = Claiming(V, claim(0.15, 0.1, **asian), claim(0.14, 0.1), claim(0.05, 0.1, **black))
    found = others(of(first, other))
    assert [(one.said, one.who, one.found) for one in found] == [
        ("beyond", "race = Black against others", "0.21, at least 0.11"),
        ("beyond", "race = Asian against others", "0.25, at least 0.15"),
    ]
    (told,) = in_sentences(found)
    assert told == (
        "Beyond the tolerance too: race = Black against others, 0.21, at least 0.11; race = Asian against others, "
        f"0.25, at least 0.15 (x {IF})."
    )
    assert told in who_is_affected(of(first, other))
    assert not_settled(of(first, other)) == ()
    still = others(of(Claiming(V, claim(0.3, 0.1)), Claiming(I, claim(0.05, 0.1, **black))))
    assert [one.said for one in still] == ["apart"]
    many = others(of(Claiming(V, *(claim(0.3 - k / 100, 0.1, who=f"g{k}") for k in range(7)))))
    assert len(many) == 6
    assert in_sentences(many)[0].count("against") == 4
    assert in_sentences(many)[0].endswith(f"2 more (x {IF}).")


def test_a_violation_that_the_other_tests_make_doubtful_names_nobody() -> None:
    weak = Claiming(V, claim(0.11, 0.1))
    weak.p_value = 0.04
    doubtful = Together(("a", "b"), (Claiming(V, claim(0.3, 0.1)), weak), (0.002, 0.08), (0.05, 0.05))
    assert not [one for one in others(doubtful) if one.said == "beyond"]


def test_a_grave_doubt_about_another_test_says_that_the_headline_stands_where_it_does() -> None:
    def told(level: Literal["serious", "warning"], of: int, *tests: tuple[Verdict, float]) -> str:
        one = together(*tests)
        caveat = one.of_tests(Caveat(level, "Kinds hide something."), [f"test {of}"])
        assert caveat.what.startswith(f"test {of}")
        assert caveat.what.endswith(": Kinds hide something.")
        return caveat.what.removeprefix(f"test {of}").removesuffix(": Kinds hide something.").strip()

    stands = "(the headline does not depend on this)"
    assert told("serious", 2, (V, 0.001), (I, 0.3)) == told("serious", 2, (V, 0.001), (V, 0.002)) == stands
    assert told("serious", 1, (V, 0.001), (I, 0.3)) == told("warning", 2, (V, 0.001), (I, 0.3)) == ""
    assert told("serious", 2, (V, 0.04), (V, 0.001)) == "", "0.04 is a violation by virtue of the other one"
    assert told("serious", 2, (N, 0.9), (N, 0.8)) == told("serious", 2, (I, 0.3), (N, 0.9)) == ""


class Advised(Found):
    """A finding with advice of its own."""

    next_steps = ()


def test_what_to_do_next_belongs_to_the_test_of_the_headline_and_others_advise_under_their_names() -> None:
    first, other = Advised(V, 0.001), Advised(I, 0.4)
    vars(first)["claims"] = (Claim("a", "b", "Rate", estimate=0.3),)
    other.next_steps = ("Bring more people.",)
    of_both = Together(("first test", "other test"), (first, other), adjusted((0.001, 0.4)), (0.05, 0.05))
    assert of_both.place == 0
    assert what_to_do(of_both) == (
        "Find out why before it is used. After a change, audit again on new rows.",
        "other test: Bring more people.",
    )
    first.next_steps = ("Ask who decided.",)
    assert what_to_do(of_both)[0] == "Ask who decided."


def test_two_tests_that_bound_one_difference_say_why_their_bounds_differ() -> None:
    found = together((V, 0.001), (V, 0.001))
    one = Claim("a", "b", "Rate", estimate=0.3, low=0.231, high=0.4, tolerance=0.1, p_value=0.001, unit=POINTS)
    for bounds, said in (((0.231, 0.228), True), ((0.231, 0.231), False)):
        for finding, low in zip(found.findings, bounds, strict=True):
            vars(finding)["claims"] = (replace(one, low=low),)
        told = "it is at least 23.1 by the test 1 and at least 22.8 by the test 2. Each bound holds for all comparisons"
        assert (told in found.sentence) is said
    vars(found.findings[1])["claims"] = (replace(one, low=0.228, who="c"),)
    assert "same difference" not in found.sentence
