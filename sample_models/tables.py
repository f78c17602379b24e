"""What is trained on what: one line per table, one per kind of network."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.transport.settings import Transport
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.sources.public.adult import Adult
from core.sources.public.compas import Compas
from core.sources.public.diabetes import Diabetes
from core.sources.simulated.hiring import Hiring
from core.sources.simulated.two_slopes import TwoSlopes
from core.workflows.examples import example
from core.workflows.mitigation.settings import FairDummiesPenalty
from core.workflows.mitigation.settings import SenSR as Moves
from core.workflows.papers.networks import BalancedTraining, RobustTraining

SEED = 0
"""Seed of initial weights, batches and the metric."""

_ON_AUDITED_ROWS = SensitiveSubspace(learn_on="audited rows")


@dataclass(frozen=True)
class Table:
    """A table with everything needed to train on one part of it and audit on the other.

    Attributes:
        title: What people call the table.
        task: What the networks predict, as part of a sentence.
        test: The rows for audits; ``part="train"`` of the same settings is for training.
        audit: The paper's settings for this table; a metric is learned on the audited rows.
        limits: What the models must not be used for.
        logistic: Which logistic regression is fitted to it beside the networks; empty for none.
        regression: Which linear model is fitted where the outcome is a number; empty for none.
        fairer: How a linear model is fitted towards equalized odds where the outcome is a number; None for none.
        strength: Its weight of fairness against accuracy, λ.
        networks: How each network is trained.
    """

    title: str
    task: str
    test: Hiring | Adult | Compas | Diabetes | TwoSlopes
    audit: GradientFlow | Transport | EqualizedOdds
    limits: str
    logistic: Literal["", "logistic", "plain logistic"] = ""
    regression: Literal["", "linear", "ridge"] = ""
    fairer: FairDummiesPenalty | None = None
    strength: float = 0.0
    networks: dict[str, BalancedTraining] = field(
        default_factory=lambda: {
            "baseline": BalancedTraining(),
            "project": BalancedTraining(),
            "sensr": RobustTraining(),
        }
    )

    def dataset(self, part: str) -> Dataset:
        """The rows of one part, "train" or "test".

        Raises:
            SourceError: The table could not be fetched.
        """
        source = self.test.model_copy(update={"part": part})
        return Dataset.build(source.load(FileStore()), source.roles(pd.DataFrame()))

    def training_rows(self) -> EncodedDataset:
        """The rows for training, with the encoder learned from them."""
        dataset = self.dataset("train")
        encoder = Encoder.fit(dataset.frame, dataset.roles.features)
        classes = dataset.labels
        return EncodedDataset(dataset, encoder, encoder.transform(dataset.frame), dataset.label_codes(classes), classes)

    def free_directions(self, rows: EncodedDataset) -> np.ndarray:
        """Orthonormal basis of the sensitive subspace learned on ``rows``, shape (q, d)."""
        metric = self.audit.fair_metric
        if metric is None:
            raise TypeError(f"{self.title} is audited without a metric")
        return metric.fit(rows, np.random.default_rng(SEED)).free


def _data(key: str) -> Any:
    """The rows that the sample model of an example is audited on."""
    return example(key).data


def _audit(key: str) -> Any:
    """The first test of an example."""
    return example(key).audits[0]


TABLES = {
    "hiring": Table(
        title="Simulated hiring, unfair decisions",
        task="whether an applicant was hired",
        test=_data("hiring-baseline"),
        audit=GradientFlow(metric=_ON_AUDITED_ROWS, regularisation=50.0, steps=500, step_size=0.01, integrator="euler"),
        limits="The applicants are invented. The models show what an audit finds; they cannot judge real people.",
        logistic="logistic",
    ),
    "adult": Table(
        title="UCI Adult",
        task="whether a person earned more than 50,000 dollars in 1994",
        test=_data("adult-baseline"),
        audit=GradientFlow(metric=_ON_AUDITED_ROWS, regularisation=50.0, steps=500, step_size=0.01, integrator="euler"),
        limits="Census data of 1994, two groups by race and two by sex. For trying audits, never for decisions.",
    ),
    "compas": Table(
        title="ProPublica COMPAS",
        task="whether a defendant was charged again within two years",
        test=_data("compas-baseline"),
        audit=GradientFlow(
            metric=_ON_AUDITED_ROWS, regularisation=100.0, steps=200, step_size=0.005, integrator="euler"
        ),
        networks={
            "baseline": BalancedTraining(),
            "project": BalancedTraining(),
            "sensr": RobustTraining(
                learning_rate=1e-3,
                weight_decay=0.0,
                moves=Moves(free_steps=5, free_step_size=0.2, priced_steps=5),
            ),
        },
        limits="One county, 2013-2014; being charged is not the same as offending. Never to be used for decisions.",
    ),
    "compas_faith": Table(
        title="ProPublica COMPAS as in the FaiTH paper",
        task="whether a defendant was charged again within two years",
        test=_data("compas-faith"),
        audit=_audit("compas-faith"),
        limits="One county, 2013-2014; being charged is not the same as offending. Never to be used for decisions.",
        logistic="plain logistic",
        networks={},
    ),
    "diabetes": Table(
        title="Progression of diabetes",
        task="how far a person's diabetes has gone after a year",
        test=_data("diabetes"),
        audit=_audit("diabetes"),
        limits="442 people, before 2004. For trying audits of numbers; no treatment may depend on it.",
        regression="ridge",
        networks={},
    ),
    "two_slopes": Table(
        title="Two simulated groups, another column matters in each",
        task="a number that hangs on one column in nine people of ten and on another in the tenth",
        test=_data("example-1-1"),
        audit=_audit("example-1-1"),
        limits="The people are invented. The model shows what an audit finds.",
        regression="linear",
        fairer=FairDummiesPenalty(gamma=0.3, epochs=200, batch=2_000, learning_rate=0.01, looks=2),
        strength=0.99,
        networks={},
    ),
}
