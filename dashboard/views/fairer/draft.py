"""What is chosen so far about fairer models; the table and its roles are in the session's own draft."""

from typing import Annotated, Any

from pydantic import Field

from core.audits.gradient_flow.settings import GradientFlow
from core.base.settings import Settings
from core.language.told import say
from core.workflows.mitigation.settings import Base, FairDummiesPenalty, Method, MitigationParts, MitigationPlan
from dashboard import session
from dashboard.draft import Draft, RolesChoice

OWN = ("attribute", "base", "methods", "strengths", "parts", "splits", "dummies", "alpha")
"""The fields of a plan that are kept here."""


class MitigationDraft(Settings):
    """Methods, model and strengths on their way to a plan, each as :class:`MitigationPlan` has it."""

    attribute: str = ""
    base: Base = Base()
    methods: tuple[Annotated[Method, Field(discriminator="kind")], ...] = (FairDummiesPenalty(),)
    strengths: tuple[float, ...] = MitigationPlan.model_fields["strengths"].default
    parts: MitigationParts = MitigationParts()
    splits: int = 1
    dummies: int = MitigationPlan.model_fields["dummies"].default
    alpha: float = MitigationPlan.model_fields["alpha"].default

    def values(self, draft: Draft) -> dict[str, Any]:
        """The fields of a plan about the table of ``draft``, whose roles are chosen; not validated yet."""
        roles = draft.roles.roles
        known = () if roles is None else roles.protected
        attribute = self.attribute if self.attribute in known else ""
        metric = draft.settings(GradientFlow).metric
        own = {**dict(self), "metric": metric, "attribute": attribute}
        return {**own, "data": draft.data, "roles": roles, "seed": draft.seed}


def problem_of_table(draft: Draft) -> str:
    """Why no model can be fitted to this table with these roles, one sentence; empty when one can."""
    if draft.data is None or draft.roles_problem:
        return say("Choose a table first.") if draft.data is None else draft.roles_problem
    if draft.roles.text is not None:
        return say("Fairer models are fitted to tables with features, not to texts.")
    if not (draft.roles.outcome and draft.roles.protected):
        return say("Fairer models need an outcome and a protected attribute.")
    if not draft.roles.features:
        return say(
            "Choose the features that a model may read: a model is fitted here, so its predictions do not suffice."
        )
    return ""


def of_plan(plan: MitigationPlan) -> MitigationDraft:
    """The choices of a plan."""
    return MitigationDraft(**{name: getattr(plan, name) for name in OWN})


def begin(plan: MitigationPlan) -> str:
    """A new draft with the choices of a plan; returns its name."""
    roles = RolesChoice(**dict(plan.roles))
    name = session.begin(Draft(data=plan.data, roles=roles, seed=plan.seed).having(GradientFlow(metric=plan.metric)))
    session.save_of_page("fairer", of_plan(plan))
    return name
