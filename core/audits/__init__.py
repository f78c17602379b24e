"""The table of kinds of test. A new one adds its name here."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Union

from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind

ORDER = (
    "gradient_flow",
    "transport",
    "text_sensitivity",
    "column_sensitivity",
    "equalized_odds",
    "group_fairness",
)
"""The rooms, each a package with its ``KIND``, in the order in which tests run and are shown."""

KINDS: dict[str, Kind] = {name: import_module(f"{__name__}.{name}").KIND for name in ORDER}
"""Every kind of test by its name."""

if TYPE_CHECKING:
    from core.audits.column_sensitivity.settings import ColumnSensitivity as ColumnSensitivity
    from core.audits.equalized_odds.settings import EqualizedOdds as EqualizedOdds
    from core.audits.gradient_flow.settings import GradientFlow as GradientFlow
    from core.audits.group_fairness.settings import GroupFairness as GroupFairness
    from core.audits.text_sensitivity.settings import TextSensitivity as TextSensitivity
    from core.audits.transport.settings import Transport as Transport

    AuditSettings = AbstractAudit
    AuditDecision = DecisionSettings

    def __getattr__(name: str) -> Any:
        """Settings of a kind that has no line above."""

else:
    AuditSettings = Union[tuple(kind.settings for kind in KINDS.values())]  # noqa: UP007
    AuditDecision = Union[tuple(kind.decision for kind in KINDS.values())]  # noqa: UP007
    globals().update({kind.settings.__name__: kind.settings for kind in KINDS.values()})
