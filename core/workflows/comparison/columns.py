"""Models of which the table of an audit holds the answers, each in a column of its own."""

from core.audits import KINDS
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.study import Study


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
