"""What a person should see of a model before auditing it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.base.progress import OnProgress, ignore_progress
from core.contracts.model import ALWAYS_THE_SAME, AbstractModel
from core.data.dataset import Dataset
from core.language.phrases import count, share_text
from core.language.told import say, say_as, say_count
from core.models.answered import CountedByClass
from core.models.direction import Direction, direction_of
from core.models.number_fit import NumberFit, compare_numbers
from core.models.proof import Proof, prove, prove_by_rows

ROWS_SHOWN = 5
"""Rows whose answers are shown, the first of the table."""
_ANSWER, _NO_ANSWER = "answer", "no finite answer"  # verbatim


@dataclass(frozen=True)
class ModelReport(CountedByClass):
    """How a loaded model reads and answers a table; k classes.

    Attributes:
        name: What people call it.
        kind: Plain-language format.
        features: The table's columns it reads, in order.
        inputs: Names of its prepared input columns, in order; their number is the input width.
        classes: The outcome each output stands for; empty for a model that answers with a number.
        gives: What the model itself gives: "probabilities", "logits", "labels" or "numbers".
        rows: Rows it was tried on.
        not_finite: Rows whose answer is not a finite number.
        first_not_finite: Record numbers (1-based) of the first few of these.
        confusion: Counts, true class by predicted class, rows with finite answers; shape (k, k); all 0 for a table
            without outcome.
        fit: How well predicted numbers fit the outcome, rows with finite answers; all NaN where the model answers with
            classes, or no answer is finite.
        no_gradients: Why there are no gradients; empty when there are.
        examples: A few rows in original units with the outcome where there is one, the predicted outcome and its
            probability or the predicted number; the index is the record number (1-based).
        caveats: What a reader has to know.
        direction: How the answers go with the outcomes, rows with finite answers; None where that cannot be seen.
        proofs: The answers beside known ones.
    """

    name: str
    kind: str
    features: tuple[str, ...]
    inputs: tuple[str, ...]
    classes: tuple[str, ...]
    gives: str
    rows: int
    not_finite: int
    first_not_finite: tuple[int, ...]
    confusion: np.ndarray
    fit: NumberFit
    no_gradients: str
    examples: pd.DataFrame
    caveats: tuple[Caveat, ...]
    direction: Direction | None = None
    proofs: tuple[Proof, ...] = ()

    @property
    def width(self) -> int:
        """Number of input columns d."""
        return len(self.inputs)


def inspect(
    model: AbstractModel,
    dataset: Dataset,
    on_progress: OnProgress = ignore_progress,
    *,
    compare: Sequence[str] = (),
    known: pd.DataFrame | None = None,
) -> ModelReport:
    """Try ``model`` on every row of ``dataset`` that has all it reads, beside known answers.

    Args:
        model: The model.
        dataset: The rows.
        on_progress: As elsewhere.
        compare: Columns of the table that hold the model's own answers.
        known: Rows with known answers.

    Raises:
        DataError: A column is missing, a value cannot be encoded, or an outcome is none of the classes.
        ModelError: The rows do not have the width the model reads, or the model fails on them.
    """
    dataset = dataset.reading(model.reads)
    data = model.encode(dataset)
    model.prepare(data, on_progress)
    answers = model.answers(data)
    finite = np.isfinite(answers).all(axis=1)
    records = dataset.frame.index.to_numpy() + 1
    if model.classes:
        confusion, fit = count_answers(data.y[finite], answers[finite]), NumberFit()
    else:
        confusion, fit = np.zeros((0, 0), dtype=np.int64), compare_numbers(dataset.numbers[finite], answers[finite, 0])
    told = data.take(np.flatnonzero(finite))
    proofs = prove(model, told, answers[finite], compare) if finite.any() else ()
    proofs += () if known is None else prove_by_rows(model, known, dataset)
    report = ModelReport(
        name=model.name,
        kind=model.kind,
        features=model.reads,
        inputs=model.preprocessing.names,
        classes=model.classes,
        gives=model.gives,
        rows=len(data),
        not_finite=int((~finite).sum()),
        first_not_finite=tuple(int(record) for record in records[~finite][:ROWS_SHOWN]),
        confusion=confusion,
        fit=fit,
        no_gradients=model.no_gradients,
        examples=_examples(dataset, model, answers),
        caveats=(),
        direction=direction_of(model, told, answers[finite]) if finite.any() else None,
        proofs=proofs,
    )
    constant = bool(finite.any() and (answers[finite] == answers[finite][:1]).all())
    return _with_caveats(report, model.caveats + model.conclude(), constant=constant)


def count_answers(true: np.ndarray, answers: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Counts, true class by predicted class.

    Args:
        true: True class of each row, shape (n,), int; -1 where it is not known: such rows are not counted.
        answers: Class probabilities, shape (n, k).
        times: People that each row stands for, shape (n,), int64; one each if None.

    Returns:
        Shape (k, k), int64.
    """
    known, k = true >= 0, answers.shape[1]
    cells = true[known] * k + answers[known].argmax(axis=1)
    return np.bincount(cells, None if times is None else times[known], k * k).astype(np.int64).reshape(k, k)


def _examples(dataset: Dataset, model: AbstractModel, answers: np.ndarray) -> pd.DataFrame:
    rows = dataset.frame.iloc[:ROWS_SHOWN]
    brought = dataset.take(np.arange(len(rows))).all_cells.assign(**rows)
    names = [name for name in model.encoder.features if name in brought] or list(model.reads)
    shown = brought[names].set_axis(rows.index + 1, axis=0)
    outcome = dataset.roles.outcome or _ANSWER
    true = {f"{outcome} (true)": rows[outcome].to_numpy()} if dataset.roles.outcome else {}
    few = answers[:ROWS_SHOWN]
    if not model.classes:
        return shown.assign(**true, **{f"{outcome} (predicted)": few[:, 0]})
    best = few.argmax(axis=1)
    chosen = np.where(np.isfinite(few).all(axis=1), np.array(model.classes, dtype=object)[best], _NO_ANSWER)
    return shown.assign(
        **true, **{f"{outcome} (predicted)": chosen, f"{outcome} (probability)": few[np.arange(len(best)), best]}
    )


def examples_told(examples: pd.DataFrame) -> pd.DataFrame:
    """Rows with a model's answers, with headings in the reader's language."""

    def heading(name: str) -> str:
        outcome, _, mark = name.rpartition(" (")
        outcome = say("answer") if outcome == _ANSWER else outcome
        told = {
            "answer)": say("{outcome} (answer)", outcome=outcome),
            "true)": say("{outcome} (true)", outcome=outcome),
            "predicted)": say("{outcome} (predicted)", outcome=outcome),
            "probability)": say("Probability of the prediction"),
        }
        return told.get(mark, name)

    return examples.rename(columns=heading).replace(_NO_ANSWER, say("no finite answer"))


def _with_caveats(report: ModelReport, caveats: tuple[Caveat, ...], *, constant: bool) -> ModelReport:
    found = list(caveats)
    if report.not_finite:
        found.append(
            Caveat(
                "serious",
                say_count(
                    "The answer is not a finite number for {n} of {rows}; that is row {records}.",
                    "The answer is not a finite number for {n} of {rows}; the first are {records}.",
                    report.not_finite,
                    rows=count(report.rows, "row"),
                    records=", ".join(map(str, report.first_not_finite)),
                ),
                say(
                    "Look at these rows for extreme values, and check the preprocessing; an audit refuses such answers."
                ),
            )
        )
    if constant:
        found.append(ALWAYS_THE_SAME)
    if report.direction is None or not report.direction.against:
        found += about_accuracy(report, report.direction, say_as("in", "these rows"))
        found += report.fit.caveats(say_as("in", "these rows"))
    return replace(report, caveats=tuple(found))


def about_accuracy(model: CountedByClass, direction: Direction | None, rows: str) -> Iterator[Caveat]:
    """What speaks against predicted classes that are right less often than a guess.

    That is common where one outcome is rare; nothing has to be checked where the answers clearly go with the outcomes.

    Args:
        model: How often it is right, and how frequent the most frequent outcome is.
        direction: How answers go with the outcomes; None where that is not known.
        rows: Which rows these are ("the audited rows"), as said after "on".
    """
    if model.accuracy < model.majority_share:
        checked = direction is not None and direction.clearly_with
        yield Caveat(
            "warning",
            say(
                "On {rows} the model is right for {accuracy}; always answering the most frequent outcome would be "
                "right for {majority_share}.",
                rows=rows,
                accuracy=share_text(model.accuracy, 1),
                majority_share=share_text(model.majority_share, 1),
            ),
            "" if checked else say("Check the order of the classes and the preprocessing."),
        )
