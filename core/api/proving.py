"""Whether the model was read right: a few of its answers, and its answers beside known ones."""

from collections.abc import Iterator

import numpy as np

from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.encoded import EncodedDataset
from core.language.options import option
from core.language.phrases import listed, quoted
from core.models import ModelSource
from core.models.inspection import ROWS_SHOWN
from core.models.proof import compared_columns, prove, prove_by_rows, require
from core.run import rows_with_known_answers

_LONGEST_ROW = 8
"""Columns of a row that are shown."""


def proved(
    source: ModelSource, model: AbstractModel, data: EncodedDataset, answers: np.ndarray, files: FileStore
) -> Iterator[str]:
    """Which protected attributes it reads, a few rows with its answers, and on how many it gives the known ones.

    Raises:
        EvenhandError: It does not give a known answer, or the rows with known answers cannot be read.
    """
    if source.answers_in_the_table:
        return
    columns = compared_columns(source, data.dataset.all_roles)
    known = rows_with_known_answers(source, files)
    proofs = prove(model, data, answers, columns)
    options = option("other_system", *(one.known for one in proofs if not one.proved))
    require(proofs, model, f"If it holds answers of another system, add {options}.")
    by_rows = () if known is None else prove_by_rows(model, known, data.dataset)
    require(by_rows, model, f"The rows with known answers are those of {option('known_answers')}.")
    protected = data.dataset.all_roles.protected
    if protected:
        read = [quoted(name) for name in protected if name in model.reads]
        yield f"Protected attributes that the model reads: {listed(read) if read else 'none'}."
    yield from _few_rows(model, data, answers)
    yield from (one.told for one in proofs + by_rows)
    for name in source.other_system:
        yield f"{quoted(name)} holds answers of another system, as you say, and is not compared."
    if not (proofs or by_rows):
        yield (
            f"No known answers were compared: name a column with the model's own answers by {option('predictions')}, "
            f"or bring a few rows with known answers by {option('known_answers')}."
        )


def _few_rows(model: AbstractModel, data: EncodedDataset, answers: np.ndarray) -> Iterator[str]:
    yield f"The first {min(len(data), ROWS_SHOWN)} rows and the model's answers:"
    frame = data.dataset.frame
    names = [name for name in model.reads if name in frame]
    for place in range(min(len(data), ROWS_SHOWN)):
        shown = ", ".join(f"{name} = {str(frame[name].iloc[place])[:40]}" for name in names[:_LONGEST_ROW])
        more = ", …" if len(names) > _LONGEST_ROW else ""
        given = (
            ", ".join(f"{name}: {value:.4g}" for name, value in zip(model.classes, answers[place], strict=True))
            if model.classes
            else f"{answers[place, 0]:.6g}"
        )
        yield f"  row {int(frame.index[place]) + 1} ({shown}{more}): {given}"
