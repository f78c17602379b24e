"""What is chosen so far about fairer models; the table and its roles are in the session's own draft."""

from typing import Annotated, Any

from pydantic import Field

from core.audits.gradient_flow.settings import GradientFlow
from core.base.settings import Settings
from core.language.phrases import listed, quoted
from core.language.told import say
from core.metrics import Metric
from core.metrics.expert import Expert
from core.metrics.sensitive_subspace import SensitiveSubspace
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
        own = {**dict(self), "metric": metric_for(draft, attribute)[0], "attribute": attribute}
        return {**own, "data": draft.data, "roles": roles, "seed": draft.seed}


def metric_for(draft: Draft, attribute: str) -> tuple[Metric, str]:
    """Who counts as similar for the models that are fitted, and why it is not as chosen for an audit; empty if it is.

    They read no other columns than the features, and are compared by one attribute.
    """
    chosen, roles = draft.settings(GradientFlow).metric, draft.roles
    features, attribute = roles.features, attribute or next(iter(roles.protected), "")
    ours = SensitiveSubspace(protected=(attribute,)) if len(roles.protected) > 1 else SensitiveSubspace()
    if isinstance(chosen, Expert):
        named = (*chosen.free, *(name for name, _ in chosen.weights))
        if unread := [quoted(draft.told(name)) for name in named if name not in features]:
            return ours, say(
                "Your audit says who is similar by {columns}, which the fitted models do not read. Who counts as "
                "similar is learned from the table here: what reveals {attribute} may differ.",
                columns=listed(unread),
                attribute=draft.told(attribute),
            )
    if (
        isinstance(chosen, SensitiveSubspace)
        and ours.protected
        and chosen.model_copy(update={"protected": ()}) == SensitiveSubspace()
    ):
        return ours, say(
            "Who counts as similar is learned from {attribute} alone, by which the models are compared: from all "
            "protected attributes together nearly everybody may count as similar.",
            attribute=draft.told(attribute),
        )
    return chosen, ""


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
