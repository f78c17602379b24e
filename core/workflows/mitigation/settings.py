"""Every choice of a mitigation: what is fitted, how fairness is bought, and how strongly."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, model_validator

from core.base.settings import Settings, name_of_choice, setting
from core.data.roles import Roles
from core.language.told import localized, say
from core.metrics import Metric
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.sources import DataSource
from core.workflows.rows import SEED, share_of_rows


class Base(Settings):
    """The kind of model that is fitted, plainly and with every penalty."""

    kind: Literal["linear", "network"] = setting(
        "linear",
        label=say("Model"),
        help=say("A linear model (logistic for classes), or a network with one hidden layer of rectified units."),
        names={"linear": say("Linear"), "network": say("Two-layer network")},
    )
    width: int = setting(64, label=say("Hidden units"), help=say("Of the network."), ge=1, le=4_096)
    epochs: int = setting(
        30,
        label=say("Epochs of the baseline network"),
        unit=say("epochs"),
        help=say("A linear model needs none."),
        ge=1,
        le=10_000,
    )
    weight_decay: float = setting(
        1.0,
        label=say("Weight decay of networks"),
        help=say(
            "Ridge of the weights in every training. Where a network knows its training rows by heart, its "
            "answers for them say nothing about fairness to others."
        ),
        ge=0,
        le=10,
    )
    learning_rate: float = setting(
        3e-3, label=say("Learning rate of the baseline network"), help=say("Adam's."), gt=0, le=1
    )
    batch: int = setting(
        128,
        label=say("Batch of the baseline network"),
        unit=say("rows"),
        help=say("Rows a step."),
        ge=0,
        le=1_000_000,
        empty=say("all rows"),
    )

    @property
    def hidden(self) -> int:
        """Units of the hidden layer; 0 for a linear model."""
        return self.width if self.kind == "network" else 0


def _kind(name: str, called: str) -> Any:
    """The field that tells a method from others."""
    return setting(name, label=say("Method"), help=say("How fairness is bought."), names={name: called})


_EPOCHS: int = setting(50, label=say("Epochs"), unit=say("epochs"), help=say("Passes over the training rows."), ge=1)
_BATCH: int = setting(
    256, label=say("Batch"), unit=say("rows"), help=say("Rows a step; 0 for all."), ge=0, le=1_000_000
)


class FairDummiesPenalty(Settings):
    """Algorithm 1 of papers/fair-dummies.md: fool a network that tells true groups from fair dummies."""

    kind: Literal["fair dummies"] = _kind("fair dummies", say("Fair dummies"))
    gamma: float = setting(
        1.0,
        label=say("Weight of the covariances"),
        symbol="γ",
        help=say(
            "How much the covariances of answers with groups (for classes: the correlations within each) "
            "count beside the network that looks for differences. They make the training stable."
        ),
        ge=0,
        le=1e6,
    )
    epochs: int = setting(
        100, label=say("Epochs"), symbol="K", unit=say("epochs"), help=say("Fresh fair dummies each."), ge=1
    )
    looks: int = setting(
        1,
        label=say("Steps of the network that looks for differences"),
        symbol="N_g",
        help=say("For each batch, before the model makes its own. Small differences take more to be found."),
        ge=1,
        le=1_000,
    )
    steps: int = setting(
        1,
        label=say("Steps of the model"),
        symbol="N_g",
        help=say("For each batch. The paper makes as many."),
        ge=1,
        le=1_000,
    )
    batch: int = _BATCH
    learning_rate: float = setting(
        3e-3, label=say("Learning rate"), symbol="μ", help=say("Adam's, of both sides."), gt=0, le=1
    )


class AdversarialPenalty(Settings):
    """Adversarial debiasing (Zhang, Lemoine, Mitchell 2018) of fairlearn: fool a network that guesses the group."""

    kind: Literal["adversarial"] = _kind("adversarial", say("Adversarial debiasing"))
    epochs: int = _EPOCHS
    batch: int = setting(128, label=say("Batch"), unit=say("rows"), help=say("Rows a step."), ge=1, le=1_000_000)
    learning_rate: float = setting(3e-3, label=say("Learning rate"), help=say("Adam's, of both sides."), gt=0, le=1)


class HGRPenalty(Settings):
    """An upper bound of the maximum correlation of Hirschfeld, Gebelein, Rényi (Mary et al. 2019), by densities."""

    kind: Literal["HGR"] = _kind("HGR", say("HGR correlation"))
    epochs: int = _EPOCHS
    batch: int = _BATCH
    learning_rate: float = setting(3e-3, label=say("Learning rate"), help=say("Adam's."), gt=0, le=1)


class Reductions(Settings):
    """Exponentiated gradient (Agarwal et al. 2018) of fairlearn; linear models only.

    Two classes: equalized odds, a lottery among models. Numbers: no group's mean squared error above a bound, which is
    another wish than equalized odds. More than two classes: it does not apply.
    """

    kind: Literal["reductions"] = _kind("reductions", say("Reductions"))
    iterations: int = setting(50, label=say("Iterations at most"), help=say("Each fits one model."), ge=1, le=1_000)
    answers: Literal["lottery", "mixture"] = setting(
        "lottery",
        label=say("Answers"),
        help=say(
            "Of two classes: each answer is drawn from one of the models, as the guarantee has it; or it is the mean "
            "of their probabilities, which has a file and can be audited by every test, but may keep the constraint "
            "less closely."
        ),
        names={"lottery": say("drawn from one model"), "mixture": say("the mean of all models")},
    )


class Reweighing(Settings):
    """Weights under which outcome and group are independent (Kamiran and Calders 2012, "Data preprocessing techniques
    for classification without discrimination"), for the baseline's own training; for classes.

    A person of group a with outcome y weighs 1 - λ + λ P(a) P(y) / P(a, y), so that λ = 1 is the published method.
    """

    kind: Literal["reweighing"] = _kind("reweighing", say("Reweighing"))


class Thresholds(Settings):
    """A threshold for each group, or a draw between two (Hardt, Price and Srebro 2016), by fairlearn; for two classes.

    Nothing is trained: the baseline's scores are cut so that both rates of equalized odds agree, as exactly as the
    training rows allow. An answer is the thresholds' with probability λ and the baseline's otherwise.
    """

    kind: Literal["thresholds"] = _kind("thresholds", say("A threshold for each group"))


class Projection(Settings):
    """A model that cannot see what may differ between similar people (App. F.3 of papers/gradient-flow-test.md).

    The share λ of every direction that the fair metric frees is taken out of the columns.
    """

    kind: Literal["projection"] = _kind("projection", say("Projection"))


class SenSR(Settings):
    """Sensitive subspace robustness (Yurochkin, Bower and Sun, ICLR 2020): people moved to where the model does worst.

    They move freely along what the fair metric frees, then in any direction at a price that is steered so that the mean
    squared fair distance stays at the budget. Weight 1 - λ is on people as they are, λ on the moved ones.
    """

    kind: Literal["SenSR"] = _kind("SenSR", say("SenSR"))
    steps: int = setting(2_000, label=say("Training steps"), help=say("Of one batch each."), ge=1, le=1_000_000)
    batch: int = _BATCH
    learning_rate: float = setting(1e-3, label=say("Learning rate"), help=say("Adam's."), gt=0, le=1)
    free_steps: int = setting(
        20, label=say("Free steps"), help=say("Adam's steps along what the metric frees."), ge=0, le=1_000
    )
    free_step_size: float = setting(0.5, label=say("Size of free steps"), help=say("In encoded units."), gt=0, le=100)
    priced_steps: int = setting(
        10, label=say("Priced steps"), help=say("Adam's steps in every direction."), ge=0, le=1_000
    )
    priced_step_size: float = setting(
        0.005, label=say("Size of priced steps"), help=say("In encoded units."), gt=0, le=100
    )
    budget: float = setting(
        0.01, label=say("Budget"), symbol="ε", help=say("Mean squared fair distance of the moves."), gt=0, le=1e6
    )


class Smoothing(Settings):
    """Graph-Laplacian post-processing (GLIF; Petersen, Mukherjee, Sun and Yurochkin, NeurIPS 2021).

    Nothing is trained: the baseline's answers for people asked together are smoothed over a graph of who is similar. It
    has a weight μ = λ / (1 - λ).
    """

    kind: Literal["smoothing"] = _kind("smoothing", say("Smoothing"))
    neighbours: int = setting(
        20, label=say("Similar people"), help=say("How many most similar people each is joined to."), ge=1, le=1_000
    )


Method = (
    FairDummiesPenalty
    | AdversarialPenalty
    | HGRPenalty
    | Reductions
    | Reweighing
    | Thresholds
    | Projection
    | SenSR
    | Smoothing
)

METHODS: dict[str, type[Method]] = {one.model_fields["kind"].default: one for one in get_args(Method)}
"""Every method by its name."""

COMPARES_SIMILAR = (Projection, SenSR, Smoothing)
"""Methods that treat similar people alike, rather than groups."""

OF_GROUPS = (Reductions, Reweighing, Thresholds)
"""Methods that count people of groups: of a protected attribute that is a number they see bins."""


def name_of_method(kind: str) -> str:
    """What people call a method."""
    return name_of_choice(METHODS[kind], "kind", kind)


def name_of_model(kind: str, strength: float) -> str:
    """What people call a fairer model."""
    told = localized(f"λ = {strength:g}")
    return say("{method} ({strength})", method=name_of_method(kind), strength=told) if kind else told


class MitigationParts(Settings):
    """How many of the rows go to each part, at random; the paper's are 60, 20 and 20 of a hundred."""

    training: float = share_of_rows(0.6, say("Rows for training"), say("In proportion to the others."))
    holdout: float = share_of_rows(
        0.2, say("Rows held out"), say("The test learns from them where to look for differences.")
    )
    test: float = share_of_rows(0.2, say("Rows for the test"), say("All models are tried on them."))


Strength = Annotated[float, Field(ge=0, le=1)]
MOST_SPLITS = 100


class MitigationPlan(Settings):
    """Every choice that decides what fairer models cost."""

    data: DataSource = setting(label=say("Data"), help=say("Where the table comes from."), discriminator="kind")
    roles: Roles = setting(label=say("Roles"), help=say("What each column is for."))
    attribute: str = setting(
        "",
        label=say("Protected attribute"),
        help=say("Answers shall not depend on it among people with the same outcome."),
        empty=say("the first protected attribute"),
    )
    base: Base = setting(Base(), label=say("Model"), help=say("What is fitted."))
    methods: tuple[Annotated[Method, Field(discriminator="kind")], ...] = setting(
        (FairDummiesPenalty(),),
        label=say("Methods"),
        help=say("How fairness is bought, each with its own settings."),
        min_length=1,
        max_length=len(METHODS),
    )
    metric: Metric = setting(
        SensitiveSubspace(),
        label=say("Fair metric"),
        help=say("Who counts as similar, for methods that treat similar people alike, and for the loss ratio."),
        discriminator="kind",
    )
    strengths: tuple[Strength, ...] = setting(
        (0.5, 0.9, 0.97, 0.99),
        label=say("Strengths"),
        symbol="λ",
        help=say(
            "Weight of fairness against accuracy, one model of each method; the baseline, which has no fairness "
            "constraint, is fitted besides."
        ),
        min_length=1,
        max_length=30,
    )
    parts: MitigationParts = setting(
        MitigationParts(), label=say("Parts"), help=say("Rows for training, held out, and for the test.")
    )
    splits: int = setting(
        1,
        label=say("Random splits"),
        help=say(
            "How often the rows are parted anew and all models fitted anew. More than one show how much of the "
            "differences is luck; they take as many times as long."
        ),
        ge=1,
        le=MOST_SPLITS,
    )
    dummies: int = setting(
        9_999,
        label=say("Fair dummies"),
        symbol="K",
        help=say("How often the groups are drawn anew in the test. The smallest p-value is 1/(K + 1)."),
        ge=99,
        le=100_000,
    )
    alpha: float = setting(
        0.05,
        label=say("Risk of a wrong verdict"),
        symbol="α",
        help=say("Of the tests and of the bounds of the gaps."),
        gt=0,
        lt=0.5,
    )
    seed: int = SEED

    @model_validator(mode="before")
    @classmethod
    def _of_one_method(cls, values: Any) -> Any:
        """Plans that knew one method only are read too."""
        if not isinstance(values, dict) or "method" not in values:
            return values
        return {name: one for name, one in values.items() if name != "method"} | {"methods": (values["method"],)}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        kinds = [method.kind for method in self.methods]
        if not self.roles.features:
            raise ValueError("No column is a feature, so there is nothing for a model to read.")
        if self.roles.text or not self.roles.outcome:
            raise ValueError("Fairer models are fitted to tables with an outcome, not to texts.")
        if not self.roles.protected or (self.attribute and self.attribute not in self.roles.protected):
            raise ValueError("Name one of the protected attributes, of which there must be one.")
        if "reductions" in kinds and self.base.kind != "linear":
            raise ValueError("Reductions are fitted with linear models here; choose the linear model.")
        if len(set(self.strengths)) < len(self.strengths) or len(set(kinds)) < len(kinds):
            raise ValueError("Each strength is named once, and each method.")
        if max(self.strengths) == 1 and {"adversarial", "smoothing"} & set(kinds):
            raise ValueError("Adversarial debiasing and smoothing need strengths that are less than 1.")
        return self

    @property
    def compares_similar(self) -> bool:
        """Whether a method treats similar people alike, rather than groups."""
        return any(isinstance(method, COMPARES_SIMILAR) for method in self.methods)

    @property
    def only_similar(self) -> bool:
        """Whether every method treats similar people alike."""
        return all(isinstance(method, COMPARES_SIMILAR) for method in self.methods)

    @property
    def models(self) -> tuple[tuple[Method, float], ...]:
        """Every fairer model: method by method, by rising strength."""
        return tuple((method, strength) for method in self.methods for strength in sorted(self.strengths))

    @property
    def protected(self) -> str:
        """The protected attribute that is looked at."""
        return self.attribute or self.roles.protected[0]
