"""A learned fair metric: what predicts the protected attributes linearly is free."""

from typing import Literal

from core.metric import AbstractLearnedMetric
from core.settings import setting


class SensitiveSubspace(AbstractLearnedMetric):
    """Logistic probes of the protected attributes span the free subspace (papers/gradient-flow-test.md, F.2)."""

    kind: Literal["sensitive_subspace"] = "sensitive_subspace"
    protected: tuple[str, ...] = setting(
        (), label="Protected attributes", help="Attributes to probe for; empty means all of them."
    )
    penalty: Literal["none", "l2"] = setting(
        "none", label="Penalty of the probes", help="Ridge keeps coefficients finite where groups can be told apart."
    )
    strength: float = setting(
        1.0,
        label="Strength of the ridge",
        help="Adds strength/2 times the squared coefficients (standardised columns) to the summed log-loss.",
        gt=0.0,
        le=1e6,
    )
    include_protected_columns: bool = setting(
        True, label="Free the protected columns themselves", help="Where the model reads a protected attribute."
    )
