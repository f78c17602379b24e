"""How far the search moved people on average, column by column and group by group, in the table's own units."""

from dataclasses import dataclass

import numpy as np

from core.audits.gradient_flow.result import GradientFlowResult
from core.data.encoder import CoordinateColumn, NumericColumn, categories_of


@dataclass(frozen=True)
class Displacement:
    """Mean movement from a person to the similar twin; F original columns, G groups (the first is everyone).

    Attributes:
        columns: Original column names, length F.
        groups: WorstPairs of attribute and group; ("", "") stands for everyone; length G.
        people: Rows in each group, shape (G,), int.
        size: Comparable size, shape (F, G): mean |change| in standard deviations for a number, mean mass moved
            between categories (0 to 1, half the sum of the indicators' mean |change|) for a category.
        signed: Mean signed change in original units for numbers, NaN for categories; shape (F, G).
        toward: The category that gained most mass, empty for numbers; F rows of length G.
    """

    columns: tuple[str, ...]
    groups: tuple[tuple[str, str], ...]
    people: np.ndarray
    size: np.ndarray
    signed: np.ndarray
    toward: tuple[tuple[str, ...], ...]

    @property
    def order(self) -> list[int]:
        """Every column, the one that moved most for everyone first."""
        return [int(f) for f in np.argsort(-self.size[:, 0], kind="stable")]


def displacement(result: GradientFlowResult) -> Displacement:
    """Sums over cells, divided by their rows and gathered per original column."""
    detail, encoder = result.detail, result.model.encoder
    cells = detail.cells
    groups = [("", ""), *((a, g) for a, names in zip(cells.attributes, cells.groups, strict=True) for g in names)]
    members = np.array([np.ones(len(cells.count), bool), *(cells.members(a, g) for a, g in groups[1:])])
    people = members @ cells.count
    occurs = people > 0
    members, people = members[occurs], people[occurs]
    signed = members @ detail.moved / people[:, None]
    absolute = members @ detail.moved_absolute / people[:, None]
    size, change, toward = [], [], []
    for i, column in enumerate(encoder.columns):
        block = encoder.sources == i
        if isinstance(column, NumericColumn | CoordinateColumn):
            size.append(absolute[:, block][:, 0])
            change.append(signed[:, block][:, 0] * column.scale)
            toward.append(("",) * len(people))
        elif column.kind == "binary":
            size.append(absolute[:, block][:, 0])
            change.append(np.full(len(people), np.nan))
            toward.append(tuple(column.categories[int(up)] for up in signed[:, block][:, 0] > 0))
        else:
            size.append(absolute[:, block].sum(axis=1) / 2)
            change.append(np.full(len(people), np.nan))
            toward.append(tuple(categories_of(column)[j] for j in signed[:, block].argmax(axis=1)))
    return Displacement(
        columns=encoder.features,
        groups=tuple(group for group, kept in zip(groups, occurs, strict=True) if kept),
        people=people,
        size=np.array(size),
        signed=np.array(change),
        toward=tuple(toward),
    )
