"""Prediction sensitivity of models that read tables (papers/prediction-sensitivity.md, sections 3-5, App. A)."""

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.contracts.kind import Kind
from core.language.told import say

KIND = Kind(
    name="column_sensitivity",
    settings=ColumnSensitivity,
    decision=ColumnSensitivityDecision,
    title=say("Column sensitivity test"),
    asks=say("If the same person were of another group, how far would the model's answer move?"),
    needs=(
        say(
            "the model itself, which can be asked about changed rows; it reads a protected column, or "
            "features that you say carry one."
        )
    ),
    gives=(
        say(
            "by how many percentage points the answer changes on average; more than 5 is too much unless you "
            "say otherwise."
        )
    ),
    about=(
        say(
            "The audit puts every person into every other group of a protected attribute and looks how far "
            "the model's answer moves. The attribute's own column changes, and with it the features that are "
            "said to carry it, by the mean difference between the groups. It also measures how steeply the "
            "answer begins to move."
        )
    ),
    citation=(
        "Krishna, Gupta, Verma, Dhamala, Pruksachatkun and Chang, “Measuring fairness of text "  # verbatim
        "classifiers via prediction sensitivity”, ACL 2022, Appendix A"  # verbatim
    ),
    topics=("columns", "data"),
    reads="columns",
)
