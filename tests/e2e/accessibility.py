"""What axe-core finds wrong on a page: who cannot read, hear or reach what."""

from collections import Counter
from dataclasses import dataclass

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.e2e.steps import settle

MENDED = ("heading-order", "empty-table-header", "label", "page-has-heading-one")
"""Rules that axe calls moderate or minor, and that hold here all the same."""
GRAVE = ("serious", "critical")
_OF_STREAMLIT = ("region", "landmark-one-main", "skip-link")
"""Landmarks, which the frame around our pages decides."""


@dataclass(frozen=True)
class Violation:
    """One element that breaks a rule.

    Attributes:
        rule: Of axe-core.
        impact: As axe-core calls it.
        element: Where it is.
        told: What is wrong.
    """

    rule: str
    impact: str
    element: str
    told: str

    @property
    def counts(self) -> bool:
        """Whether no page may have it."""
        return self.rule not in _OF_STREAMLIT and (self.impact in GRAVE or self.rule in MENDED)


def violations(page: Page) -> list[Violation]:
    """Every element of the page, as it stands now, that breaks a rule."""
    settle(page)
    return [
        Violation(rule["id"], rule["impact"], node["html"][:160], node["failureSummary"].replace("\n", " ")[:300])
        for rule in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        for node in rule["nodes"]
        if not (rule["id"] == "scrollable-region-focusable" and _takes_focus(page, node["target"][0]))
    ]


def _takes_focus(page: Page, selector: str) -> bool:
    """Whether the browser lets the keyboard into an element by itself, as all but Safari do where something scrolls."""
    return bool(page.eval_on_selector(selector, "one => { one.focus(); return document.activeElement === one; }"))


def counted(found: list[Violation]) -> str:
    """How many elements break which rule, the most frequent first."""
    rules = Counter(f"{one.impact} {one.rule}" for one in found)
    return "\n".join(f"{count:5d} {rule}" for rule, count in rules.most_common())


def overflow(page: Page) -> int:
    """Pixels by which the page itself is wider than its window."""
    wide: int = page.evaluate(
        """() => Math.max(0, ...[document.documentElement, document.querySelector("[data-testid=stMain]")]
            .filter(Boolean).map(one => one.scrollWidth - one.clientWidth))"""
    )
    return wide


def look(page: Page, where: str, found: list[tuple[str, Violation]]) -> None:
    """Note what is wrong with the page as it stands."""
    found += [(where, one) for one in violations(page)]
    if wide := overflow(page):
        found.append((where, Violation("overflow", "serious", "the page", f"{wide} px wider than its window")))


def expect_none(found: list[tuple[str, Violation]]) -> None:
    """Nothing that counts is among them; all of it is printed."""
    print(counted([one for _, one in found]))
    grave = [f"{where}: {one.rule}: {one.element}: {one.told}" for where, one in found if one.counts]
    assert not grave, "\n".join(grave)
