"""The table of figures: pure functions from results to plotly figures. A new one adds its file and its line here."""

from core.figures import data, displacement, groups, intervals, metric, ratios, robustness, sweep
from core.figures.chart import InputChart, ResultChart

RESULT_FIGURES = {
    "intervals": ResultChart(
        "Estimate and tolerance",
        "The diamond is the estimate and the bar its interval. The triangle is the lower bound: where it lies beyond "
        "the dashed line, similar people are treated worse than tolerated.",
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
        "What a shorter search would have found",
        "The estimate had the search stopped earlier, between its bounds. A line still rising says that a longer "
        "search may find more.",
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
        "Mean change from a person to the similar twin, in the table's units; for categories how far the twin left "
        "the person's own one: 100% is all the way to another, and the search may go beyond. Deeper blue is further.",
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
        "The estimate under metrics learned from bootstrap samples of the rows the metric was learned from, on up to "
        "2,000 audited rows. The band is the interval of the result itself.",
        robustness.draw_resampled,
        robustness.alt_resampled,
        lambda result: result.detail.relearned is not None and len(result.detail.relearned.angles) > 0,
    ),
}

METRIC_FIGURES = {
    "free shares": InputChart(
        "What the metric does not see",
        "People who differ only where a bar is full count as the same; where it is empty every difference counts.",
        metric.draw_free_shares,
        metric.alt_free_shares,
    ),
    "probes": InputChart(
        "How well the metric sees each protected attribute",
        "Measured on rows the probe never saw. A probe no better than guessing leaves the metric blind.",
        metric.draw_probes,
        metric.alt_probes,
    ),
    "spectrum": InputChart(
        "How much each direction carries",
        "Filled: a direction in which people may differ freely.",
        metric.draw_spectrum,
        metric.alt_spectrum,
    ),
}

DATA_FIGURES = {
    "group sizes": InputChart(
        "People in each group",
        "Hatched groups are too small to judge on their own.",
        data.draw_group_sizes,
        data.alt_group_sizes,
    ),
    "outcome rates": InputChart(
        "Favourable outcomes in each group",
        "The share of each group with the favourable outcome in the table, whatever a model says.",
        data.draw_outcome_rates,
        data.alt_outcome_rates,
    ),
}

__all__ = ["DATA_FIGURES", "METRIC_FIGURES", "RESULT_FIGURES", "InputChart", "ResultChart"]
