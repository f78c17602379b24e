"""A selection as one JSON document: which candidates, on which rows, by which rule."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import OwnCost, Transport
from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.data.roles import Roles
from core.language.told import say
from core.models import ModelSource
from core.records.upgrade import renamed
from core.sources import DataSource
from core.workflows.rows import SEED, share_of_rows

MOST_CANDIDATES = 100


class LogisticPath(Settings):
    """Logistic regressions from all coefficients zero to hardly any penalty, fitted on the training rows."""

    kind: Literal["logistic_path"] = "logistic_path"
    strengths: tuple[Annotated[float, Field(gt=0, le=1e9)], ...] = setting(
        (),
        label=say("Values of 1/λ"),
        symbol="1/λ",
        help=say(
            "λ is the weight of the penalty λ‖β‖₁ beside the sum of the log losses. A small 1/λ is a strong penalty."
        ),
        empty=say("a grid from all coefficients zero"),
        max_length=MOST_CANDIDATES,
    )
    points: int = setting(
        50,
        label=say("Points of the grid"),
        help=say("Models to fit, where no values are given."),
        ge=2,
        le=MOST_CANDIDATES,
    )
    span: float = setting(
        100.0,
        label=say("Span of the grid"),
        help=say("The largest 1/λ over the smallest, at which every coefficient is zero; the grid is geometric."),
        gt=1.0,
        le=1e8,
    )
    columns: Literal["as encoded", "standardised"] = setting(
        "as encoded",
        label=say("Columns are penalised"),
        help=say(
            "As encoded: numbers are standardised, categories are columns of 0 and 1. Standardised: every "
            "column is divided by its spread first, so that a rare category is penalised as much as a "
            "frequent one."
        ),
        names={"as encoded": say("as encoded"), "standardised": say("standardised")},
    )
    passes: int = setting(
        5000,
        label=say("Most passes over the rows"),
        help=say("The fit of one model stops there; one that has not converged is told and never chosen."),
        ge=1,
        le=1_000_000,
    )

    @model_validator(mode="after")
    def _values_are_ascending(self) -> Self:
        if any(first >= second for first, second in zip(self.strengths, self.strengths[1:], strict=False)):
            raise ValueError("The values of 1/λ must ascend, each of them once.")
        return self


class OwnModels(Settings):
    """Models that somebody brings: files, or columns with predictions. The first is the simplest: it wins a tie."""

    kind: Literal["own_models"] = "own_models"
    models: tuple[Annotated[ModelSource, Field(discriminator="kind")], ...] = setting(
        label=say("Models"), help=say("Two or more, the simplest first."), min_length=2, max_length=MOST_CANDIDATES
    )

    @model_validator(mode="after")
    def _models_differ(self) -> Self:
        if len({model.fingerprint for model in self.models}) < len(self.models):
            raise ValueError("The same model is named twice.")
        return self


Candidates = LogisticPath | OwnModels


class Parts(Settings):
    """How many of the rows go to each part, at random. Models that somebody brings need no rows for training."""

    training: float = share_of_rows(0.5, say("Rows for training"), say("In proportion to the other parts."))
    validation: float = share_of_rows(0.25, say("Rows for validation"), say("The candidates are compared on them."))
    audit: float = share_of_rows(0.25, say("Rows for the audit"), say("Only the chosen model is tried on them, once."))


class Rule(Settings):
    """Which candidates may be chosen, and which of them is."""

    admissible: Literal["not found unfair", "shown to be fair"] = setting(
        "not found unfair",
        label=say("May be chosen"),
        help=say(
            "Not found unfair: the lower bound is at most the tolerance, as in the paper; with few rows an "
            "unfair model passes too. Shown to be fair: the upper bound is at most the tolerance; with few "
            "rows nothing passes."
        ),
        names={
            "not found unfair": say("Models not found unfair (the paper's rule)"),
            "shown to be fair": say("Models shown to be fair"),
        },
    )
    together: bool = setting(
        False,
        label=say("Hold for all candidates together"),
        help=say(
            "Holm's adjustment across the candidates: that any model is wrongly shown to be fair then "
            "happens no more often than the risk says. It asks more of each model; the rule of the "
            "paper stays as it is."
        ),
    )
    best: Literal["accuracy", "balanced accuracy"] = setting(
        "accuracy",
        label=say("Best means highest"),
        help=say("Balanced accuracy counts each outcome alike, however frequent."),
        names={"accuracy": say("accuracy"), "balanced accuracy": say("balanced accuracy")},
    )


class SelectionPlan(Settings):
    """Every choice that decides which model is chosen.

    Plans of record version 1, which call the decision settings ``reading``, are read too.
    """

    data: DataSource = setting(label=say("Data"), help=say("Where the table comes from."), discriminator="kind")
    roles: Roles = setting(label=say("Roles"), help=say("What each column is for."))
    candidates: Candidates = setting(
        LogisticPath(), label=say("Candidates"), help=say("The models to choose from."), discriminator="kind"
    )
    parts: Parts = setting(Parts(), label=say("Parts"), help=say("Rows for training, validation and audit."))
    audit: Transport = setting(
        Transport(), label=say("Transport test"), help=say("How the unfairness of a model is measured.")
    )
    rule: Rule = setting(Rule(), label=say("Rule"), help=say("Which model is chosen."))
    seed: int = SEED
    decision: TransportDecision = setting(
        TransportDecision(),
        label=say("Decision settings"),
        help=say("Tolerance, risk of a wrong verdict, loss and method for the bounds."),
    )

    @model_validator(mode="before")
    @classmethod
    def _renamed(cls, values: Any) -> Any:
        return renamed(values) if isinstance(values, dict) else values

    @model_validator(mode="after")
    def _parts_have_kinds_of_their_own(self) -> Self:
        if isinstance(self.audit.similarity, OwnCost):
            raise SettingsError(
                say("A table of costs belongs to one list of kinds of people, and each part of the rows has its own."),
                where=say("who counts as similar"),
                advice=say("Say by columns or by a fair metric who counts as similar."),
            )
        return self

    @model_validator(mode="after")
    def _outcomes_are_classes(self) -> Self:
        if self.roles.outcome_type == "number":
            raise SettingsError(
                say(
                    "Choosing among models compares decisions by the transport test, which takes classes, and the "
                    "outcome is a number."
                ),
                where=say("column {outcome}", outcome=repr(self.roles.outcome)),
                advice=say("Choose an outcome that holds classes, or audit each model with the equalized-odds test."),
            )
        return self

    @model_validator(mode="after")
    def _path_has_features(self) -> Self:
        if isinstance(self.candidates, LogisticPath) and not self.roles.features:
            raise SettingsError(
                say("No column is a feature, so there is nothing for a model to read."),
                advice=say("Choose at least one feature, or bring models of your own."),
            )
        return self
