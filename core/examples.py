"""Ready-made audits for the home page: a table, a sample model and a metric that tell one story each."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.audits.gradient_flow import GradientFlow
from core.errors import DataError
from core.files import FileStore
from core.metrics.expert import Expert
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.torch_mlp import TorchMLP
from core.plan import AuditPlan
from core.sources.adult import Adult
from core.sources.compas import Compas
from core.sources.hiring import Hiring
from core.study import Study

SAMPLE_MODELS = Path(__file__).resolve().parent.parent / "sample_models"
"""Where the sample models' files lie."""

HIRING = Hiring(rows=20_000, part="test")
ADULT = Adult(part="test")
COMPAS = Compas(part="test")
"""The rows the sample models are audited on; ``part="train"`` of the same settings is what they were trained on."""

HELD_OUT = GradientFlow(metric=SensitiveSubspace(), regularisation=50.0, steps=500, step_size=0.01)
"""The settings of App. F.4, with the metric learned on rows that are not audited, which keeps the test exact."""

HUSBANDS_AND_WIVES = GradientFlow(metric=Expert(free=("relationship",)), regularisation=50.0, steps=500, step_size=0.01)
"""The settings of App. F.4 with a declared metric: to be called husband, wife or neither must not matter.

A subspace learned on Adult's held-out rows depends much on which rows those are, because race is hard to predict there:
over six splits T_n ran from 1.11 to 2.89.
"""

COMPAS_AUDIT = GradientFlow(metric=SensitiveSubspace(), regularisation=100.0, steps=200, step_size=0.005)
"""The settings behind Table 4; the columns sex and race are features, and free as well."""


@dataclass(frozen=True)
class Example:
    """One click on the home page.

    Attributes:
        key: Short name for addresses and tests.
        title: What people read on the button.
        story: One sentence: who decides about whom, and what the audit finds.
        needs_network: Whether the table has to be fetched once (unless ``EVENHAND_DATA`` names a folder with it).
        model: File name below ``sample_models``.
        data: Where the table comes from.
        audit: The audit's settings.
    """

    key: str
    title: str
    story: str
    needs_network: bool
    model: str
    data: Adult | Compas | Hiring
    audit: GradientFlow


EXAMPLES = (
    Example(
        "hiring-baseline",
        "A hiring model that picked up old habits",
        "A company trained a network on past decisions that disadvantaged women and minorities: people who differ "
        "only in what gives their group away get very different answers.",
        needs_network=False,
        model="hiring_baseline.safetensors",
        data=HIRING,
        audit=HELD_OUT,
    ),
    Example(
        "hiring-sensr",
        "The same hiring data, a fairer model",
        "Trained on the same biased decisions, but made to treat similar applicants alike: the same audit finds no "
        "violation.",
        needs_network=False,
        model="hiring_sensr.safetensors",
        data=HIRING,
        audit=HELD_OUT,
    ),
    Example(
        "adult-baseline",
        "Who earns more than $50,000?",
        "A network predicts income from census records without seeing sex or race, and still answers very differently "
        "for people who differ only in being somebody's husband, wife or neither.",
        needs_network=True,
        model="adult_baseline.safetensors",
        data=ADULT,
        audit=HUSBANDS_AND_WIVES,
    ),
    Example(
        "compas-baseline",
        "Who will be charged again?",
        "A network predicts whether a defendant will be charged again within two years; people who differ only in sex, "
        "race and what goes with them get different answers.",
        needs_network=True,
        model="compas_baseline.safetensors",
        data=COMPAS,
        audit=COMPAS_AUDIT,
    ),
)


def example(key: str) -> Example:
    """The example with this key.

    Raises:
        DataError: There is none.
    """
    for candidate in EXAMPLES:
        if candidate.key == key:
            return candidate
    raise DataError(
        f"There is no example {key!r}.", advice=f"Choose one of {', '.join(known.key for known in EXAMPLES)}."
    )


def open_example(key: str, files: FileStore) -> Study:
    """A complete study, with the sample model's file put into ``files``. Nothing is fetched or computed yet.

    Args:
        key: Which of :data:`EXAMPLES`.
        files: Where uploads are kept.

    Raises:
        DataError: There is no such example, or the sample model is not installed.
    """
    chosen = example(key)
    path = SAMPLE_MODELS / chosen.model
    if not path.is_file():
        raise DataError(
            f"The sample model {chosen.model} is not installed.",
            where=str(SAMPLE_MODELS),
            advice="Get it from the project's repository, or train it with python sample_models/train.py.",
        )
    plan = AuditPlan(
        data=chosen.data,
        roles=chosen.data.roles(pd.DataFrame()),
        model=TorchMLP(file=files.put(path.read_bytes(), path.name), trained_on="other rows"),
        audit=chosen.audit,
    )
    return Study(plans=(plan,))
