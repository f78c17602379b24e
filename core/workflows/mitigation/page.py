"""A mitigation as a page."""

from __future__ import annotations

from core.inference.estimate import Verdict
from core.report.html import embedded
from core.report.page import Page, PageSection
from core.report.settings_table import setting_sections
from core.report.tables import Fact
from core.workflows.mitigation.figures.tradeoff import TRADE_OFF
from core.workflows.mitigation.result import PARTS, FairerResult
from core.workflows.mitigation.settings import FairerPlan
from core.workflows.mitigation.telling import fits_table, headline, sentence, sets_table


def page_of(plan: FairerPlan, result: FairerResult) -> Page:
    """What fairness costs, under the plan's own error rate."""
    figure = embedded("mitigation", "trade off", TRADE_OFF, TRADE_OFF.draw(result, plan.alpha))
    return Page(
        title=f"What a fairer model costs for {plan.data.title}",
        about=f"{len(result.fits)} models fitted and compared by Evenhand; groups of {result.attribute}.",
        headline=headline(plan, result),
        sentence=sentence(plan, result),
        verdict=Verdict.INSUFFICIENT,
        notices=result.notices,
        sections=(
            PageSection("Cost", (figure,), (fits_table(plan, result),)),
            PageSection("Prediction sets", tables=(sets_table(result),)),
            PageSection("How it was made", facts=facts(result)),
        ),
        settings=setting_sections(plan),
        versions=tuple(Fact(name, version) for name, version in result.versions),
        source="Romano, Bates and Candès, “Achieving equalized odds by resampling sensitive attributes”, NeurIPS 2020, "
        "describes the test and the fair dummies.",
    )


def facts(result: FairerResult) -> tuple[Fact, ...]:
    """What the numbers rest on."""
    data = result.data
    return (
        Fact("Rows", f"{data.rows_read:,} read, {data.rows_left_out:,} left out"),
        Fact("Parts", ", ".join(f"{count:,} {part}" for part, count in zip(PARTS, result.rows[:, 0], strict=True))),
        Fact("Cells filled", ", ".join(f"{name}: {cells:,}" for name, cells in data.cells_imputed) or "none"),
        Fact(
            "Test",
            "groups permuted among people with the same outcome, which is exact"
            if result.exact
            else "groups drawn by densities of the outcome",
        ),
        Fact("Seed", str(result.seed)),
    )
