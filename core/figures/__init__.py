"""The table of figures: pure functions from results to plotly figures. A new one adds its file and its line here."""

from core.figures import displacement, groups, intervals, ratios, robustness, sweep
from core.figures.chart import ResultChart

RESULT_FIGURES = {
    "intervals": ResultChart(
        "Estimate and tolerance",
        "The diamond is the estimate, the bar its interval. The triangle is what can be said for certain enough: "
        "a triangle beyond the dashed line is a violation.",
        intervals.draw,
        intervals.alt,
    ),
    "ratios": ResultChart(
        "How differently people are treated",
        "Each person is compared with the worst-treated similar twin the search found. Hatched: beyond the tolerance.",
        ratios.draw,
        ratios.alt,
    ),
    "sweep": ResultChart(
        "The longer the search, the more it finds",
        "The estimate had the search stopped earlier, with its bounds. A line still rising says a longer search may "
        "find more.",
        sweep.draw,
        sweep.alt,
    ),
    "groups": ResultChart(
        "Group by group",
        "The intervals hold for all groups together. Groups too small to judge say so and are never called fair.",
        groups.draw,
        groups.alt,
    ),
    "displacement": ResultChart(
        "What the search changed",
        "Mean change from a person to the similar twin, in the table's units; for categories the share moved to "
        "another category. Darker is further.",
        displacement.draw,
        displacement.alt,
    ),
    "rotations": ResultChart(
        "If the definition of similar were turned",
        "The estimate with the free direction turned away from the chosen one.",
        robustness.draw_rotations,
        robustness.alt_rotations,
        lambda result: len(result.detail.rotations) > 0,
    ),
    "resampled": ResultChart(
        "If the definition of similar were learned from other rows",
        "The estimate under metrics learned from bootstrap samples of the rows the metric was learned from.",
        robustness.draw_resampled,
        robustness.alt_resampled,
        lambda result: len(result.detail.resampled) > 0,
    ),
}

__all__ = ["RESULT_FIGURES", "ResultChart"]
