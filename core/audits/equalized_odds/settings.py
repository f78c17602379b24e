"""Settings of the equalized odds test."""

from __future__ import annotations

from typing import Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, missing_roles
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.language.told import say

Asks = Literal["equalized odds", "demographic parity", "calibration"]
Learner = Literal["forest", "linear", "network"]
Resampling = Literal["conditional permutation", "density"]

FEWEST_DUMMIES = 99


class EqualizedOdds(AbstractAudit):
    """Does the answer depend on a protected attribute, given the outcome (papers/fair-dummies.md, Algorithm 2)?"""

    kind: Literal["equalized_odds"] = "equalized_odds"
    asks: Asks = setting(
        "equalized odds",
        label=say("The question"),
        help=say(
            "Equalized odds: people with the same outcome get the same answers in every group. Demographic "
            "parity: all groups get the same answers, whatever the outcome. Calibration: people with the "
            "same answer have the same outcomes in every group."
        ),
        names={
            "equalized odds": say("Same outcome, same answers (equalized odds)"),
            "demographic parity": say("Same answers in every group (demographic parity)"),
            "calibration": say("Same answer, same outcomes (calibration within groups)"),
        },
    )
    given: tuple[str, ...] = setting(
        (),
        label=say("Compare only people alike in"),
        help=say(
            "Columns that may rightly matter for a decision, such as a licence: with them demographic parity "
            "is asked among people who agree in all of them, numbers in bins (conditional demographic "
            "parity). Whether they may matter is a legal judgement; write down who made it, and why."
        ),
        empty=say("Nothing: all people are compared"),
    )
    learner: Learner = setting(
        "forest",
        label=say("What looks for differences"),
        symbol="r̂",
        help=say(
            "Where people are compared by a number, a model predicts the answer from it and the group, "
            "learned on rows that are not tested. Any of them gives a valid p-value; one that fits badly "
            "finds less. Where they are compared within classes, all rows are tested, and means of every "
            "group are learned anew from each draw."
        ),
        names={
            "forest": say("Random forest"),
            "linear": say("Linear model"),
            "network": say("Two-layer network (the paper's)"),
        },
    )
    share: float = setting(
        0.5,
        label=say("Share of rows to learn from"),
        help=say(
            "Where people are compared by a number: where to look for differences is learned from these "
            "rows; the rest is tested."
        ),
        ge=0.1,
        le=0.9,
    )
    splits: int = setting(
        5,
        label=say("Random splits"),
        help=say(
            "Where people are compared by a number: so many times the rows are split at random into those to "
            "learn from and those to test. The p-values are joined by the mean of their normal scores, so "
            "that no single split decides."
        ),
        ge=1,
        le=50,
    )
    dummies: int = setting(
        9_999,
        label=say("Fair dummies"),
        symbol="K",
        help=say(
            "How often the groups are drawn anew, in all splits together. The smallest p-value that can come "
            "out is 1/(K + 1), with splits one over the draws of each."
        ),
        ge=FEWEST_DUMMIES,
        le=100_000,
    )
    resampling: Resampling = setting(
        "conditional permutation",
        label=say("Given an outcome that is a number, groups are drawn by"),
        help=say(
            "Both use densities of the outcome in each group. Conditional permutation also keeps the groups "
            "that are there, and errs less where the densities do. Outcomes that are classes, and numbers "
            "that occur often, need neither: groups are permuted among people with the same outcome, which "
            "is exact."
        ),
        names={
            "conditional permutation": say("Conditional permutation (robust)"),
            "density": say("Fresh draws from the densities (the paper's)"),
        },
    )

    def takes_counts(self, dataset: Dataset) -> bool:
        """Of classes, where people are independent and compared by a class or not at all."""
        classes = dataset.roles.outcome_type == "classes" and self.asks != "calibration"
        return classes and not dataset.roles.belongs_to

    @property
    def called(self) -> str:
        """The question, where it is another one than that of the kind's title."""
        if self.asks == "demographic parity":
            return say("Conditional demographic parity test") if self.given else say("Demographic parity test")
        return say("Calibration test") if self.asks == "calibration" else ""

    def reads(self, model: AbstractModel, roles: Roles) -> tuple[str, ...]:
        """What the model reads, and the columns in which people are to be alike."""
        return (*super().reads(model, roles), *self.given)

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty wherever there are predictions, a protected attribute and, but for demographic parity, outcomes."""
        if self.given and (self.asks != "demographic parity" or dataset.roles.outcome_type == "number"):
            return say("People alike in some columns are compared for demographic parity of decisions only.")
        return missing_roles(dataset, favourable=False, by_decisions=self.asks == "demographic parity")
