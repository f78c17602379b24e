"""An equalized odds test in facts and tables, and what it cannot say."""

import math
from collections.abc import Callable

from core.audits.equalized_odds.compared import alike
from core.audits.equalized_odds.report import means
from core.audits.equalized_odds.report.assumptions import assumptions
from core.audits.equalized_odds.report.tables import share_of, tables
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.summaries import AttributeSummary
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording import asked, resampled, tolerance_text
from core.base.tables import NOT_GIVEN, Fact, Table
from core.language.phrases import count, number, p_value, percent, points, whole
from core.language.told import localized, say

__all__ = ["assumptions", "diagnostics", "similar", "statistics", "tables"]


def similar(finding: EqualizedOddsFinding) -> tuple[Fact, ...]:
    """The question, who is compared with whom, and in which groups."""
    detail = finding.result.detail
    facts = [
        Fact(say("Asked"), asked(detail)),
        Fact(say("Compared with each other"), _compared(detail)),
    ]
    for one in detail.attributes:
        groups = ", ".join(one.groups)
        told = say("a number; for tables cut into {bins}", bins=groups) if one.continuous else groups
        facts.append(Fact(say("Groups of {name}", name=one.name), told))
    return tuple(facts)


def statistics(finding: EqualizedOddsFinding) -> Table:
    """A column for each protected attribute."""
    decision, tolerated = finding.decision, tolerance_text(finding)
    confidence = percent(1 - decision.alpha)
    rows: _Rows = (
        (
            say("p-value of “at most {tolerance} apart”, adjusted for all attributes", tolerance=tolerated),
            lambda one: p_value(one.adjusted_p, alpha=decision.alpha),
        ),
        (
            say("p-value of “no difference”, adjusted likewise"),
            lambda one: p_value(one.different_p, alpha=decision.alpha),
        ),
        (say("p-value of the fair dummies alone"), lambda one: p_value(one.p_value, alpha=decision.alpha)),
        (say("Its Monte-Carlo standard error"), lambda one: number(one.p_error)),
        *(means.statistics(finding) if finding.effects else ()),
        *(_gap(confidence) if any(one.gap.where for one in finding.attributes) else ()),
        (say("Loss with people's own groups (t*)"), lambda one: number(one.statistic)),
        (say("Loss with drawn groups, mean"), lambda one: number(one.null_mean)),
        (
            say("Random splits into rows to learn from and to test"),
            lambda one: whole(one.splits) if one.splits else NOT_GIVEN,
        ),
        (say("Drawn anew (K), in each split"), lambda one: whole(one.dummies)),
        (say("Rows tested"), lambda one: whole(one.tested)),
    )
    caption = say(
        "{question} At tolerance δ = {tolerance} and error rate α = {alpha}; {people}",
        question=asked(finding.result.detail),
        tolerance=tolerated,
        alpha=localized(f"{decision.alpha:g}"),
        people=count(finding.n, "person", "people"),
    )
    header = ("", *(one.attribute for one in finding.attributes))
    return Table(caption, header, tuple((name, *map(told, finding.attributes)) for name, told in rows))


_Rows = tuple[tuple[str, Callable[[AttributeSummary], str]], ...]


def _gap(confidence: str) -> _Rows:
    """What is said of the largest difference in shares of people."""
    return (
        (
            say("Largest difference of shares, percentage points"),
            lambda one: points(one.gap.value) if one.gap.where else NOT_GIVEN,
        ),
        (
            say("Its one-sided {confidence} bounds", confidence=confidence),
            lambda one: (
                say("{low} to {high}", low=points(one.gap.low), high=points(one.gap.high))
                if one.gap.where
                else NOT_GIVEN
            ),
        ),
        (say("It lies among"), lambda one: one.gap.where or NOT_GIVEN),
        (say("What is counted there"), lambda one: one.gap.counted or NOT_GIVEN),
        (say("Larger share"), lambda one: share_of(one.gap.first, one.gap.first_share)),
        (say("Smaller share"), lambda one: share_of(one.gap.second, one.gap.second_share)),
    )


def diagnostics(finding: EqualizedOddsFinding) -> tuple[Fact, ...]:
    """How groups were drawn anew, and what looked for differences."""
    facts = []
    for one in finding.attributes:
        if not one.tested:
            facts.append(Fact(one.attribute, say("not tested, since people who are compared are all of one group")))
            continue
        facts.append(
            Fact(say("{attribute}: how groups were drawn anew", attribute=one.attribute), resampled(one.resampling))
        )
        if math.isfinite(one.other_p):
            facts.append(
                Fact(say("{attribute}: p-value if drawn the other way", attribute=one.attribute), p_value(one.other_p))
            )
        if math.isfinite(one.calibration_p):
            p = p_value(one.calibration_p)
            facts.append(
                Fact(
                    say("{attribute}: who belongs to which group, as learned", attribute=one.attribute),
                    say("contradicted by the rows (p-value {p})", p=p)
                    if one.calibration_p < 0.01
                    else say("not contradicted by the rows (p-value {p})", p=p),
                )
            )
        facts.append(Fact(say("{attribute}: what looked for differences", attribute=one.attribute), found_by(one)))
    return tuple(facts)


def found_by(one: AttributeSummary) -> str:
    """What looked for differences, where it learned, and how much of the answers it explains."""
    explained = percent(round(max(one.learner_r2, 0.0), 3))
    if one.resampling == "permutation":
        return say(
            "{learner}, learned anew from each set of drawn groups; it explains {share} of the variance",
            learner=one.learner,
            share=explained,
        )
    return say(
        "{learner}, learned from {rows} that were not tested; it explains {share} of the variance on those that were",
        learner=one.learner,
        rows=count(one.learned, "row"),
        share=explained,
    )


def _compared(detail: EqualizedOddsDetail) -> str:
    if not detail.shared:
        return say("everybody")
    if detail.strata.exact:
        names = map(detail.strata.name, range(len(detail.strata.names)))
        return say("people {with_the_same}: {values}", with_the_same=alike(detail), values=", ".join(names))
    return say(
        "people {with_the_same}; tables and the largest difference cut it into {n} parts of about equally many people",
        with_the_same=alike(detail, about=True),
        n=len(detail.strata.names),
    )
