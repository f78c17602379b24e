"""Settings of the sensitivity audit of models that read tables."""

from __future__ import annotations

from typing import Any, Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, needs_classes
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.roles import Roles
from core.language.phrases import quoted
from core.language.told import say

KEPT = 25
"""Bytes that are kept of a person and an attribute."""


class ColumnSensitivity(AbstractAudit):
    """How far the answers move with a protected attribute: in its own columns and in features that carry it."""

    kind: Literal["column_sensitivity"] = "column_sensitivity"
    through: tuple[str, ...] = setting(
        (),
        label=say("Features that carry the attribute"),
        help=say(
            "These change with the group as they do on average in the table (chain rule, App. A). Name what "
            "should not make a difference, such as hair length; differences in what should, such as "
            "experience, are not bias."
        ),
        empty=say("none: only the protected columns themselves change"),
    )
    share: float = setting(
        0.3,
        label=say("Share of rows to learn the changes from"),
        help=say(
            "How features change with the group is learned from these rows, which are then not measured. "
            "Counts only where features carry the attribute."
        ),
        ge=0.1,
        le=0.9,
    )

    @property
    def adds_up(self) -> bool:
        """Nothing of a person is looked at beside anybody else."""
        return True

    def keeps(self, roles: Roles) -> int:
        """See the base class: a group, two measures and whether the answer flips, of each attribute."""
        return KEPT * len(roles.protected)

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if outcomes are classes, the model reads columns, can be asked, and there is something to change."""
        if reason := needs_classes(dataset):
            return reason
        if model.encoder.is_embedding:
            return say("This test changes columns of a table, and the model reads texts.")
        if model.answers_only_here:
            return say(
                "This test asks the model about changed rows. {answers_only_here}",
                answers_only_here=model.answers_only_here,
            )
        if not dataset.roles.protected:
            return say("This test changes a protected attribute, and the table has none.")
        return self._unchangeable(model.reads, dataset.roles.protected)

    def _unchangeable(self, reads: tuple[str, ...], protected: tuple[str, ...]) -> str:
        """Why these columns cannot be changed, or nothing would change; empty otherwise."""
        for name in self.through:
            if name not in reads:
                return say(
                    "The model does not read {name}, which is to carry the protected attribute.", name=quoted(name)
                )
            if name in protected:
                return say("{name} is a protected attribute itself and cannot carry another one.", name=quoted(name))
        if not self.through and not set(reads) & set(protected):
            return say(
                "The model reads no protected attribute, and no feature is named that carries one: changing "
                "nothing would show nothing."
            )
        return ""

    def rows_of(self, detail: Any, data: EncodedDataset) -> int:
        """People measured: those that changes of features were learned from are set aside."""
        return len(detail.attributes[0].codes)
