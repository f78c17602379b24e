"""Finished audits of every kind, and a deck of everything that is hard to show."""

import math
from dataclasses import replace
from functools import cache

import numpy as np

from core.base.errors import Caveat
from core.figures.series import Span, Spans, Tiles
from core.inference.estimate import Verdict
from core.report.multiple_tests import Together
from core.result import AuditResult
from core.slides.deck import Deck, Slide
from core.slides.pages import deck_of
from core.study import Study
from core.workflows.mitigation.record import MITIGATION
from tests.builders import make_plan, make_result
from tests.core.workflows.mitigation.made import plan_of, result_of
from tests.dashboard import results_made

KINDS = ("gradient_flow", "transport", "text_sensitivity", "column_sensitivity", "equalized_odds", "group_fairness")
HOSTILE = "<img src=x onerror=alert(1)>&\"'{{ 7 * 7 }}\u202eevil\x07 אבגד العربية 日本語の名前"


@cache
def audit(kind: str) -> tuple[Study, tuple[AuditResult, ...]]:
    if kind == "several":
        return results_made.several()
    made = {
        "gradient_flow": lambda: (make_plan(), make_result()),
        "transport": results_made.transport,
        "text_sensitivity": results_made.sensitivity,
        "column_sensitivity": results_made.columns,
        "equalized_odds": results_made.fair_dummies,
        "group_fairness": results_made.groups,
    }
    plan, result = made[kind]()
    return Study(plans=(plan,)), (result,)


@cache
def together(kind: str) -> Together:
    return Together.of(*audit(kind))


def fairer() -> Deck:
    """Two methods compared, with more caveats than fit."""
    ones = np.ones(100)
    made = [(np.nan, 0.2 * ones, 0.001), *((place / 10, 0.3 * ones, 0.4) for place in range(1, 7))]
    page = MITIGATION.page_of(plan_of(), result_of(made, methods=2))
    caveats = tuple(Caveat("serious", f"{'word ' * 40}{place}.") for place in range(9))
    return deck_of(replace(page, caveats=caveats), others="Another audit ended worse. " * 4)


def hostile() -> Deck:
    """Markup, both directions of writing, 200 groups, and words that nobody can read at once."""
    rows = tuple(
        Span(f"group {i} {HOSTILE} {'x' * 300}", f"{i} {HOSTILE}", float(i), i - 1.0, i + 1.0) for i in range(199)
    )
    spans = Spans((*rows, Span(HOSTILE, "too few")), HOSTILE * 3, (5.0, -5.0), f"tolerance {HOSTILE}", 0.0, HOSTILE)
    tiles = Tiles(
        HOSTILE, (HOSTILE,) * 6, (HOSTILE,) * 7, ((0.5, -1.0, math.nan, 0, 1, 0.1),) * 7, (("+1",) * 6,) * 7, HOSTILE
    )
    long = " ".join(["word"] * 24)
    slides = (
        Slide("a", HOSTILE, HOSTILE, (HOSTILE, long), verdict=Verdict.VIOLATION, test=HOSTILE, notes=(HOSTILE,)),
        Slide("b", HOSTILE, long, picture=spans, alt=HOSTILE, verdict=Verdict.NO_VIOLATION, notes=(HOSTILE * 50,)),
        Slide("c", "No message", picture=tiles, alt=HOSTILE, verdict=Verdict.INSUFFICIENT),
        Slide("d", "Nothing at all"),
    )
    return Deck(HOSTILE, HOSTILE, slides)
