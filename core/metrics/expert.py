"""A declared fair metric: which columns may differ freely, and how much the others count."""

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from core.base.errors import MetricError
from core.base.settings import Settings, setting
from core.contracts.metric import AbstractMetric, FittedMetric
from core.data.dataset import Roles
from core.data.encoded import EncodedDataset
from core.language.phrases import count
from core.language.told import localized, say
from core.metrics.learned import extent_caveats
from core.metrics.subspace import RANK_TOLERANCE, changes, encoded_columns, orthonormal, projector

SYMMETRY_TOLERANCE = 1e-8
"""Two mirrored entries of an uploaded matrix may differ by this share of its largest entry."""

DEFINITENESS_TOLERANCE = 1e-8
"""The smallest eigenvalue of an uploaded matrix may be negative by this share of the largest."""


class UploadedMatrix(Settings):
    """A square matrix from a file, as :func:`core.metrics.files.read_matrix` gives it."""

    columns: tuple[str, ...] = setting(
        (), label=say("Columns"), help=say("Encoded column names from the header, if it had one.")
    )
    rows: tuple[tuple[float, ...], ...] = setting(
        label=say("Entries"), help=say("One inner tuple a row."), min_length=1
    )


class Expert(AbstractMetric):
    """Similarity declared by an expert (papers/gradient-flow-test.md, section 4.1).

    Σ = P W P, where W holds the columns' weights and P forgets the free columns and directions; or an own matrix.
    All categories of a categorical column share its weight; if it is free, so is every change from one to another.
    """

    title = say("What I name: columns that may differ freely")
    about = say("You name the columns that may differ freely, and how much the others count.")
    reads = "columns"

    kind: Literal["expert"] = "expert"
    free: tuple[str, ...] = setting(
        (),
        label=say("Columns that may differ freely"),
        help=say("Two people who differ in these columns only count as the same."),
    )
    weights: tuple[tuple[str, Annotated[float, Field(ge=0.0, le=1e9)]], ...] = setting(
        (),
        label=say("Weights"),
        help=say("How much a squared difference in another column counts; 1 where nothing is said, 0 makes it free."),
    )
    directions: tuple[tuple[float, ...], ...] = setting(
        (),
        label=say("Free directions"),
        help=say("Directions in encoded space that are free too: one number per encoded column."),
    )
    matrix: UploadedMatrix | None = setting(
        None,
        label=say("Own matrix"),
        help=say("A symmetric positive semidefinite matrix over the encoded columns, in place of everything above."),
    )

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Self:
        if self.matrix is not None and (self.free or self.weights or self.directions):
            raise ValueError("An own matrix replaces free columns, weights and directions: give one or the other.")
        weighted = [name for name, _ in self.weights]
        if len(set(weighted)) < len(weighted):
            raise ValueError("A column has two weights: give it one.")
        if both := set(weighted) & set(self.free):
            raise ValueError(f"Column {min(both)!r} is free and has a weight: choose one.")
        return self

    @property
    def frees_nothing(self) -> bool:
        """Whether nothing may differ, so that nobody is similar to anybody else."""
        named = self.free or self.directions or self.matrix is not None
        return not named and all(weight > 0 for _, weight in self.weights)

    def counted(self, protected: tuple[str, ...], features: tuple[str, ...]) -> tuple[str, ...]:
        """The protected attributes among the features whose differences count."""
        if self.matrix is not None:
            return ()
        free = {*self.free, *(name for name, weight in self.weights if weight == 0)}
        return tuple(name for name in protected if name in features and name not in free)

    @classmethod
    def proposed(cls, roles: Roles) -> Self:
        """What an auditor most likely means: the protected attributes among the features may differ freely.

        Nothing is free if the model reads no protected attribute; then somebody has to say what is.
        """
        return cls(free=tuple(name for name in roles.protected if name in roles.features))

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """The declared metric over the encoded columns of ``data``; its rows do not matter.

        Raises:
            MetricError: A column is unknown, a direction has the wrong length, or the matrix is not square, of the
                right size, finite, symmetric and positive semidefinite.
        """
        if self.matrix is not None:
            matrix, free = _checked(self.matrix, data.encoder.names, data.encoder.features)
        else:
            matrix, free = self._declared(data)
        return FittedMetric(
            name=say("Own matrix") if self.matrix is not None else say("Named by whoever set up this audit"),
            columns=data.encoder.names,
            matrix=matrix,
            free=free,
            spectrum=np.empty(0),
            caveats=extent_caveats(free, data.encoder),
        )

    def _declared(self, data: EncodedDataset) -> tuple[np.ndarray, np.ndarray]:
        width = data.encoder.width
        for name in (*self.free, *(name for name, _ in self.weights)):
            if name not in data.encoder.features:
                raise MetricError(
                    say("The model reads no column {name}.", name=repr(name)),
                    where=say("fair metric, free columns and weights"),
                    advice=say(
                        "Choose among {names}. A column that the model does not read needs no weight.",
                        names=", ".join(map(repr, data.encoder.features)),
                    ),
                )
        weight = np.ones(width)
        for name, value in self.weights:
            weight[encoded_columns(data, (name,))] = value or 1.0
        weightless = tuple(name for name, value in self.weights if value == 0)
        axes = changes(data.encoder, self.free + weightless)
        free, _ = orthonormal(
            np.concatenate([axes, *(_direction(row, n, width) for n, row in enumerate(self.directions))])
        )
        held = projector(free)
        matrix = held @ (weight[:, None] * held)
        return (matrix + matrix.T) / 2, free


def _direction(row: tuple[float, ...], number: int, width: int) -> np.ndarray:
    """A unit direction, shape (1, d)."""
    vector = np.array([row], dtype=np.float64)
    length = float(np.linalg.norm(vector))
    if vector.shape[1] != width or length == 0:
        raise MetricError(
            say(
                "A free direction needs {width} numbers, one per encoded column, not all zero; this one has {given}.",
                width=width,
                given=len(row),
            ),
            where=say("free direction {number}", number=number + 1),
            advice=say("Give the direction in the model's encoded columns, in their order."),
        )
    return vector / length


def _checked(given: UploadedMatrix, names: tuple[str, ...], features: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """An uploaded matrix as Σ and the directions it leaves free."""
    width = len(names)
    _check_shape(given, width, len(features))
    matrix = np.array(given.rows, dtype=np.float64)
    if given.columns:
        if set(given.columns) != set(names):
            stranger = next((name for name in given.columns if name not in names), given.columns[0])
            raise MetricError(
                say(
                    "The matrix names a column {stranger} that is not among the model's encoded columns, or names "
                    "one twice.",
                    stranger=repr(stranger),
                ),
                where=say("the header of the matrix"),
                advice=say("Use each of these names once: {names}; or leave the header out.", names=", ".join(names)),
            )
        order = [given.columns.index(name) for name in names]
        matrix = matrix[np.ix_(order, order)]
    gap = np.abs(matrix - matrix.T)
    size = float(np.abs(matrix).max())
    if gap.max() > SYMMETRY_TOLERANCE * size:
        i, j = (int(k) for k in np.unravel_index(gap.argmax(), gap.shape))
        raise MetricError(
            say(
                "The matrix is not symmetric: {one} and {other} have {there} one way round and {back} the other.",
                one=names[i],
                other=names[j],
                there=localized(f"{matrix[i, j]:g}"),
                back=localized(f"{matrix[j, i]:g}"),
            ),
            where=say("entries ({i}, {j}) and ({j}, {i}) in the order of the encoded columns", i=i + 1, j=j + 1),
            advice=say("Make both entries equal."),
        )
    matrix = (matrix + matrix.T) / 2
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -DEFINITENESS_TOLERANCE * max(abs(values[-1]), abs(values[0])):
        heaviest = int(np.abs(vectors[:, 0]).argmax())
        raise MetricError(
            say(
                "The matrix is not positive semidefinite: its smallest eigenvalue is {value}, so some people "
                "would have a negative distance.",
                value=localized(f"{values[0]:.3g}"),
            ),
            where=say("mostly column {name}", name=names[heaviest]),
            advice=say("Lower the entries off the diagonal, or raise the diagonal."),
        )
    return matrix, orthonormal(vectors[:, values <= RANK_TOLERANCE * max(values[-1], 0.0)].T)[0]


def _check_shape(given: UploadedMatrix, width: int, features: int) -> None:
    for number, row in enumerate(given.rows):
        if len(row) != len(given.rows):
            raise MetricError(
                say(
                    "The matrix is not square: it has {rows}, and one of them has {row}.",
                    rows=count(len(given.rows), "row"),
                    row=count(len(row), "entry", "entries"),
                ),
                where=say("row {number} of the matrix", number=number + 1),
                advice=say(
                    "Bring a matrix of {rows} and {columns}.", rows=count(width, "row"), columns=count(width, "column")
                ),
            )
    if len(given.rows) != width:
        rows, columns = count(width, "row"), count(width, "column")
        raise MetricError(
            say(
                "The matrix has {rows}; the model reads {columns}.",
                rows=count(len(given.rows), "row"),
                columns=count(width, "encoded column"),
            ),
            where=say("the matrix"),
            advice=say("Bring a matrix of {rows} and {columns}.", rows=rows, columns=columns)
            if features == width
            else say(
                "Bring a matrix of {rows} and {columns}. (The table's own columns are not enough: a category takes one "
                "each.)",
                rows=rows,
                columns=columns,
            ),
        )
