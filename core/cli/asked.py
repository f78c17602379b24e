"""What the command line is given for an audit of files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.data.roles import OutcomeType


@dataclass(frozen=True)
class Asked:
    """What the command line gives; everything else is guessed, and the guesses are said.

    Attributes:
        table: The table's file.
        model: The model's file; None for predictions in the table.
        predictions: Columns with a model's answers; beside a model its own, to compare with.
        outcome: The outcome's column; "" to guess it.
        no_outcome: Whether there is none.
        outcome_type: What it holds, "classes" or "number"; "" to tell by its values.
        favourable: Its favourable value, or that of the decisions.
        protected: Protected attributes.
        features: Columns that the model reads.
        belongs_to: The column that says which rows belong together.
        counts: The column that says how many people each row stands for; "" where nothing was said.
        no_count: Whether each row is one person.
        threshold: From which score on people count as selected.
        tests: Kinds of test; those that are proposed where none is named.
        seed: Of every random choice.
        high_means: The outcome that a high score or probability stands for; "" for the favourable one.
        classes: The outcome of each of the model's outputs.
        answer_means: Which outcome a predicted label stands for, each ``LABEL=OUTCOME``.
        direction_confirmed: Whether answers that go against the outcomes are said to be right as they are.
        numbers: How the model reads numbers, "raw" or "standardised"; "" as its file says.
        encoding: A file that declares the whole preprocessing; None for none.
        audited_label: Of a text model that answers several questions, the label to audit.
        decimal: The decimal mark of numbers that are written as text; "auto" to find it.
        sheet: The sheet of a workbook; "" for the largest.
        other_system: Columns of answers that another system gave than the model.
        known_answers: A table of rows with the model's own answers; None for none.
        by_people: Whether people decided, and no model.
        labels: What columns and values are called, each ``COLUMN=LABEL``, ``COLUMN=VALUE:LABEL`` or a JSON file.
    """

    table: Path
    model: Path | None = None
    predictions: tuple[str, ...] = ()
    outcome: str = ""
    no_outcome: bool = False
    outcome_type: OutcomeType | Literal[""] = ""
    favourable: str = ""
    protected: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    belongs_to: str = ""
    counts: str = ""
    no_count: bool = False
    threshold: float | None = None
    tests: tuple[str, ...] = ()
    seed: int = 0
    high_means: str = ""
    classes: tuple[str, ...] = ()
    answer_means: tuple[str, ...] = ()
    direction_confirmed: bool = False
    numbers: str = ""
    encoding: Path | None = None
    audited_label: str = ""
    decimal: Literal["auto", ".", ","] = "auto"
    sheet: str = ""
    other_system: tuple[str, ...] = ()
    known_answers: Path | None = None
    by_people: bool = False
    labels: tuple[str, ...] = ()
