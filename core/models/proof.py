"""Whether a model was read right: its answers beside those that are known to be the system's own.

Known are answers in columns of the table that are not audited, and those of a small file of rows. They are compared row
by row (:mod:`core.models.comparison`); where they differ, the likeliest cause is told (:mod:`core.models.causes`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.base.errors import Caveat, ModelError
from core.contracts.model import AbstractModel, AbstractModelSource
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.missing import read_cells
from core.data.roles import Roles
from core.language.phrases import count, quoted, several, whole
from core.language.told import Retelling, say, say_count
from core.models.causes import likeliest_cause
from core.models.comparison import compare

_FIRST = 5
"""Rows that differ, of which a proof names the numbers."""


@dataclass(frozen=True)
class Proof(Retelling):
    """A model's answers beside known ones.

    Attributes:
        known: The column that holds the known answers.
        rows: Rows whose answers are known.
        agree: Those on which the model gives the same.
        compared: What was compared, as it follows "on … rows, compared".
        decimals: To how many decimals the known answers are written; -1 for all of them, and for answers that are none.
        largest: How far a known number and the model's lie apart at most; NaN where no numbers were compared.
        first: Record numbers (1-based) of the first rows that differ.
        cause: What the difference comes from, found by trying, a sentence; empty where nothing that was tried agrees.
        from_rows: Whether they come from rows that somebody brought, and not from the audited table.
    """

    known: str
    rows: int
    agree: int
    compared: str
    decimals: int = -1
    largest: float = float("nan")
    first: tuple[int, ...] = ()
    cause: str = ""
    from_rows: bool = False

    @property
    def proved(self) -> bool:
        """Whether the model gives every known answer."""
        return self.agree == self.rows

    @property
    def told(self) -> str:
        """What was found, one sentence."""
        parts = {
            "known": quoted(self.known),
            "agree": whole(self.agree),
            "rows": count(self.rows, "row"),
            "compared": self.compared,
        }
        if not self.proved:
            return say(
                "The model's answers agree with {known} on only {agree} of {rows}, compared {compared}.", **parts
            )
        if self.decimals < 0:
            return say("The model's answers agree with {known} on {agree} of {rows}, compared {compared}.", **parts)
        return say_count(
            "The model's answers agree with {known} on {agree} of {rows}, compared {compared} to {n} decimal.",
            "The model's answers agree with {known} on {agree} of {rows}, compared {compared} to {n} decimals.",
            self.decimals,
            **parts,
        )

    @property
    def advice(self) -> str:
        """What to do where answers differ: the likeliest cause, or where to look."""
        return self.cause or say(
            "Neither another order of the classes, nor other units, another order of categories or another threshold "
            "explains it. Rows that differ: {rows}.",
            rows=", ".join(map(str, self.first)),
        )


def compared_columns(source: AbstractModelSource, roles: Roles) -> tuple[str, ...]:
    """The columns with the system's own answers: those not audited, save the ones that are another system's."""
    if source.answers_in_the_table:
        return ()
    named = dict.fromkeys((*source.own_answers, *roles.predictions))
    return tuple(name for name in named if name not in source.other_system)


def prove(model: AbstractModel, data: EncodedDataset, answers: np.ndarray, columns: Sequence[str]) -> tuple[Proof, ...]:
    """Compare a model's answers with those in columns of the table, one proof a column, over rows without a gap.

    Args:
        model: The model.
        data: The rows, n, as it reads them.
        answers: What it answers, shape (n, k), or (n, 1) for numbers; finite.
        columns: Columns of the table, whether they have a role or not.
    """
    dataset = data.dataset
    table = dataset.brought.loc[dataset.frame.index]
    found = []
    for name in columns:
        if name not in table:
            continue
        known = table[name].notna().to_numpy()
        if known.any():
            rows = np.flatnonzero(known)
            found.append(_prove(model, data.take(rows), answers[rows], table[name].iloc[rows]))
    return tuple(found)


def prove_by_rows(model: AbstractModel, known: pd.DataFrame, dataset: Dataset) -> tuple[Proof, ...]:
    """Ask a model about rows whose answers are known, and compare, one proof for each column of answers.

    Args:
        model: The model.
        known: A table with the columns that the model reads and others that hold the system's answers.
        dataset: The audited table, whose roles say how columns are read.

    Raises:
        ModelError: A column is missing, there is none with answers, or the model cannot read a row.
        DataError: A cell cannot be read.
    """
    where = say("rows with known answers")
    if missing := [name for name in model.reads if name not in known.columns]:
        raise ModelError(
            say("The rows with known answers have no column {names}.", names=several(missing)),
            where=where,
            advice=say("Bring the columns that the model reads, and one with the system's answers."),
        )
    roles = dataset.all_roles
    others = [name for name in known.columns if name not in model.reads]
    columns = [name for name in others if name not in roles.columns or name in roles.predictions]
    if not columns:
        raise ModelError(
            say("The rows with known answers have no column beside those the model reads."),
            where=where,
            advice=say("Add a column with the system's answer to each row."),
        )
    own = roles.model_copy(
        update={
            "outcome": "",
            "outcome_type": "classes",
            "protected": (),
            "predictions": (),
            "annotation": (),
            "belongs_to": "",
            "features": () if roles.text else model.reads,
        }
    )
    cells = read_cells(known.reset_index(drop=True).loc[:, list(model.reads)], own)[0].dropna()
    if cells.empty:
        raise ModelError(
            say("Every row with a known answer has a gap in a column that the model reads."),
            where=where,
            advice=say("Bring rows without gaps."),
        )
    rows = Dataset(cells, own, rows_read=len(known))
    data = model.encode(rows)
    answers = model.checked_answers(data)
    found = []
    for name in columns:
        values = known.reset_index(drop=True).loc[cells.index, name]
        filled = np.flatnonzero(values.notna().to_numpy())
        if len(filled):
            one = _prove(model, data.take(filled), answers[filled], values.iloc[filled])
            found.append(replace(one, from_rows=True))
    return tuple(found)


def require(proofs: Sequence[Proof], model: AbstractModel, declare: str) -> None:
    """Refuse a model whose answers are not the known ones.

    Args:
        proofs: What was compared.
        model: The model.
        declare: How somebody says that a column holds answers of another system, one sentence.

    Raises:
        ModelError: A known answer differs.
    """
    for one in proofs:
        if not one.proved:
            raise ModelError(one.told, where=model.name, advice=f"{one.advice} {declare}")


def caveats(proofs: Sequence[Proof]) -> Iterator[Caveat]:
    """What a reader of a result has to know: on how many rows known answers were met."""
    for one in proofs:
        yield Caveat("info" if one.proved else "serious", one.told, "" if one.proved else one.advice)


def _prove(model: AbstractModel, data: EncodedDataset, answers: np.ndarray, values: pd.Series) -> Proof:
    found = compare(model.classes, answers, values, data.y)
    differs = np.flatnonzero(~found.agree)
    return Proof(
        known=str(values.name),
        rows=len(values),
        agree=int(found.agree.sum()),
        compared=found.how,
        decimals=found.decimals,
        largest=found.largest,
        first=tuple(int(data.dataset.frame.index[row]) + 1 for row in differs[:_FIRST]),
        cause=likeliest_cause(model, data, answers, values) if len(differs) else "",
    )
