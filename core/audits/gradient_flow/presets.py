"""Named choices of λ, T, step size and metric resamples: three for everyday use and the paper's own.

Those for everyday use take exponential steps, the paper's own the published ones (Euler).

The paper takes the metric as given; its T_n is the lower bound "given exactly this metric", which resamples leave as
it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from core.audits.gradient_flow.settings import GradientFlow
from core.language.told import Retelling, say, say_as


@dataclass(frozen=True)
class Preset(Retelling):
    """Values for some settings.

    Attributes:
        title: What people call it.
        text: When to choose it, one sentence.
        values: Setting name to value.
    """

    title: str
    text: str
    values: Mapping[str, object]

    def apply(self, audit: GradientFlow) -> GradientFlow:
        """The audit with these values; the metric and everything else stay."""
        return GradientFlow.model_validate({**dict(audit), **self.values})

    def fits(self, audit: GradientFlow) -> bool:
        """Whether the audit already has these values."""
        return all(getattr(audit, name) == value for name, value in self.values.items())


def _preset(title: str, text: str, **values: object) -> Preset:
    everyday = {"schedule": "constant", "integrator": "etd2rk", "first_rows": None, "metric_resamples": 25}
    return Preset(title, text, MappingProxyType({**everyday, **values}))


_published = partial(_preset, integrator="euler")


PRESETS = {
    "quick": _preset(
        say("Quick"),
        say("A short, coarse search that shows large violations in a moment."),
        regularisation=50.0,
        steps=25,
        step_size=0.04,
    ),
    "standard": _preset(
        say_as("thoroughness", "Standard"),
        say("As long as the paper's search on Adult, in 50 exponential steps of 0.1."),
        regularisation=50.0,
        steps=50,
        step_size=0.1,
    ),
    "thorough": _preset(
        say("Thorough"),
        say("Twice as long a search, with steps close to the exact flow and 50 metric resamples."),
        regularisation=50.0,
        steps=200,
        step_size=0.05,
        metric_resamples=50,
    ),
    "paper_simulation": _published(
        say("Paper: simulation"),
        say("App. E.3: λ = 100, 400 steps that shrink from 0.02."),
        regularisation=100.0,
        steps=400,
        step_size=0.02,
        schedule="decreasing",
    ),
    "paper_adult": _published(
        say("Paper: Adult"),
        say("App. F.4: λ = 50, 500 steps of 0.01."),
        regularisation=50.0,
        steps=500,
        step_size=0.01,
    ),
    "paper_compas": _published(
        say("Paper: COMPAS"),
        say("As the authors ran it: λ = 100, 200 steps of 0.005, the first 1,000 rows."),
        regularisation=100.0,
        steps=200,
        step_size=0.005,
        first_rows=1000,
    ),
}
