"""Every choice of a comparison: which models are audited beside each other, and which is the baseline."""

from typing import Self

from pydantic import model_validator

from core.audits import KINDS
from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.data.roles import Roles
from core.language.phrases import quoted
from core.language.told import say
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources import DataSource
from core.study import Study

MOST_MODELS = 20
"""More models leave each of them hardly any of the error rate."""


class ComparedModel(Settings):
    """A model under the name by which people tell it from the others, with the tests of its audit."""

    name: str = setting(
        label=say("Name"), help=say("What the model is called in the comparison."), min_length=1, max_length=80
    )
    study: Study = setting(label=say("Audit"), help=say("Its table, its roles, and the tests."))


class ComparisonPlan(Settings):
    """Two or more models that are audited on the same table, in the same roles."""

    models: tuple[ComparedModel, ...] = setting(
        label=say("Models"), help=say("Each with the plan of its audit."), min_length=2, max_length=MOST_MODELS
    )
    baseline: str = setting(
        "",
        label=say("Baseline"),
        help=say("The model with which the others are compared."),
        empty=say("the first model"),
    )
    alpha: float = setting(
        0.05,
        label=say("Risk of a wrong difference"),
        symbol="α",
        help=say("Of all differences from the baseline together, and of each interval."),
        gt=0,
        lt=0.5,
    )

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        names = [one.name for one in self.models]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise SettingsError(
                say("Two models are called {name}.", name=quoted(twice)),
                advice=say("Give each model a name of its own."),
            )
        if self.baseline and self.baseline not in names:
            raise SettingsError(
                say("No model is called {name}, which is to be the baseline.", name=quoted(self.baseline)),
                advice=say("Name one of {names}.", names=", ".join(map(quoted, names))),
            )
        first = self.models[0].study.plans[0]
        for model in self.models[1:]:
            plan = model.study.plans[0]
            if (plan.data, _shared(plan.roles)) != (first.data, _shared(first.roles)):
                raise SettingsError(
                    say(
                        "{name} is audited on another table than {first}, or with other roles of its columns.",
                        name=quoted(model.name),
                        first=quoted(names[0]),
                    ),
                    advice=say("Compare models on one table with the same outcome and the same protected attributes."),
                )
        return self

    @property
    def place_of_baseline(self) -> int:
        """Index of the baseline among the models."""
        return [one.name for one in self.models].index(self.baseline) if self.baseline else 0

    @property
    def data(self) -> DataSource:
        """The table that the models share."""
        return self.models[0].study.plans[0].data

    @property
    def roles(self) -> Roles:
        """What the columns are for that the models share."""
        return self.models[0].study.plans[0].roles


def _shared(roles: Roles) -> Roles:
    """The roles without those in which models may differ: what each reads, and where its answers lie."""
    return roles.model_copy(update={"features": (), "predictions": (), "numeric": (), "categorical": ()})


def other_columns(study: Study) -> tuple[str, ...]:
    """The columns with answers of other models that the audit's tests can be put to; none where no test can."""
    first = study.plans[0]
    own = first.model.columns if isinstance(first.model, PredictionColumns) else first.model.own_answers
    others = tuple(name for name in first.roles.predictions if name not in own)
    return others if any(KINDS[plan.audit.kind].by_predictions for plan in study.plans) else ()


def on_column(study: Study, column: str) -> Study:
    """The tests of an audit that a model's answers suffice for, put to those in another column.

    They are read as those of the audited column are, where that is one column too.
    """
    audited = study.plans[0].model
    model = PredictionColumns(columns=(column,))
    if isinstance(audited, PredictionColumns) and len(audited.columns) == 1:
        model = audited.model_copy(update={"columns": (column,)})

    def put(plan: AuditPlan) -> AuditPlan:
        roles = plan.roles.model_copy(update={"predictions": (column,)})
        return plan.model_copy(update={"model": model, "roles": roles})

    return study.model_copy(
        update={"plans": tuple(put(plan) for plan in study.plans if KINDS[plan.audit.kind].by_predictions)}
    )
