"""The result of an audit: enough to redraw every figure and every interval, nothing derived."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Self, cast

import numpy as np
from typing_extensions import TypeVar

from core.base.errors import Caveat
from core.contracts.audit import AbstractAudit
from core.contracts.metric import FittedMetric
from core.data.clusters import count_clusters
from core.data.copies import Copies, about_copies
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.data.left_out import LeftOut, gaps_told, goes_with
from core.data.roles import MODELS_ANSWER, Label
from core.language.phrases import count, quoted, whole
from core.language.told import say, say_as
from core.models.answered import AnsweredGroups, CountedByClass
from core.models.direction import Direction
from core.models.number_fit import NumberFit
from core.models.proof import Proof

A_co = TypeVar("A_co", bound=AbstractAudit, default=AbstractAudit, covariant=True)
D_co = TypeVar("D_co", default=Any, covariant=True)
M_co = TypeVar("M_co", bound=FittedMetric | None, default=FittedMetric | None, covariant=True)
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class DataSummary:
    """What was audited.

    Attributes:
        fingerprint: SHA-256 of the rows and roles.
        rows_read: Rows in the table.
        rows_left_out: Rows left out for missing cells.
        cells_imputed: Cells filled, by column.
        rows_audited: Rows the test rests on.
        outcome: Name of the outcome column; empty for texts without one.
        favourable: Its favourable value; empty where there is none.
        protected: Names of the protected attributes; texts may do without.
        left_out: Who was left out, one entry for each protected attribute; empty where nobody was.
        belongs_to: The column that says which rows belong together; empty without one.
        clusters: How many persons, households, templates or documents the audited rows belong to; 0 where each row
            stands for itself.
        copies: Rows that repeat an earlier one, and how many more these are than by chance; None where not looked for.
        decision: What is judged where no outcome is known: the column of decisions or scores, or
            :data:`core.data.roles.MODELS_ANSWER`; empty elsewhere.
        gaps: Rows left out whose cell is missing, by column that the test reads and that has any.
        rows_counted: Rows of the table that stand for the people who are counted here as rows; 0 where each row stands
            for itself.
        labels: What people read in place of names of columns and values.
        columns: Every column of the table that has a role.
    """

    fingerprint: str
    rows_read: int
    rows_left_out: int
    cells_imputed: tuple[tuple[str, int], ...]
    rows_audited: int
    outcome: str
    favourable: str
    protected: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    belongs_to: str = ""
    clusters: int = 0
    copies: Copies | None = None
    decision: str = ""
    gaps: tuple[tuple[str, int], ...] = ()
    rows_counted: int = 0
    labels: tuple[Label, ...] = ()
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, dataset: Dataset, audited: int, clusters: np.ndarray | None = None) -> Self:
        """The summary of a table of which ``audited`` rows were tested, which fall into these ``clusters``."""
        return cls(
            fingerprint=dataset.fingerprint,
            rows_read=dataset.rows_read,
            rows_left_out=dataset.rows_left_out,
            cells_imputed=dataset.cells_imputed,
            rows_audited=audited,
            outcome=dataset.roles.outcome,
            favourable=dataset.roles.favourable,
            protected=dataset.roles.protected,
            left_out=dataset.left_out,
            belongs_to=dataset.roles.belongs_to,
            decision=dataset.roles.decision or (MODELS_ANSWER if dataset.roles.without_outcome else ""),
            clusters=count_clusters(clusters),
            copies=dataset.copies,
            gaps=dataset.gaps,
            labels=dataset.all_roles.labels,
            columns=dataset.all_roles.columns,
            rows_counted=0 if dataset.counted is None else len(dataset.counted.times),
        )

    @property
    def read(self) -> str:
        """How many rows were read: "1,200 rows", or "32 rows, which stand for 2,201 people"."""
        if not self.rows_counted:
            return count(self.rows_read, "row")
        return say(
            "{rows}, which stand for {people} people",
            rows=count(self.rows_counted, "row"),
            people=whole(self.rows_read),
        )

    @property
    def rows(self) -> str:
        """The audited rows in words: "1,200 rows", or "1,200 rows of 400 different 'person'"."""
        rows = count(self.rows_audited, "row")
        return (
            say(
                "{rows} of {clusters} different {belongs_to}",
                rows=rows,
                clusters=whole(self.clusters),
                belongs_to=quoted(self.belongs_to),
            )
            if self.clusters
            else rows
        )

    @property
    def lost(self) -> str:
        """The rows left out and the columns whose gaps cost them: "294 rows with gaps in 'income' (294)"."""
        rows = count(self.rows_left_out, "row")
        return say("{rows} with gaps in {columns}", rows=rows, columns=gaps_told(self.gaps)) if self.gaps else rows

    @property
    def filled(self) -> str:
        """The cells filled, by column."""
        cells = ", ".join(
            say("{cells} of {name}", cells=count(filled, "cell"), name=name) for name, filled in self.cells_imputed
        )
        return cells or say_as("no values", "none")

    @property
    def independent(self) -> str:
        """What the statistics take for independent, as a sentence begins with it."""
        return (
            say(
                "The {clusters} different {belongs_to}",
                clusters=whole(self.clusters),
                belongs_to=quoted(self.belongs_to),
            )
            if self.clusters
            else say("The audited rows")
        )

    @property
    def about_copies(self) -> tuple[Caveat, ...]:
        """Why nothing can be claimed where too many rows are copies; empty where not."""
        return tuple(about_copies(self.copies, self.belongs_to)) if self.copies is not None else ()

    @property
    def missing_goes_with(self) -> tuple[str, ...]:
        """What leaving rows out goes with, in words; empty where it goes with neither group nor outcome."""
        return goes_with(self.left_out)


@dataclass(frozen=True)
class ModelSummary(CountedByClass):
    """Which model was audited, and how it answers on the audited rows.

    Attributes:
        name: File or column name.
        kind: Plain-language format.
        fingerprint: SHA-256 of file and declared settings.
        encoder: How the table becomes the model's input, and back.
        classes: Outcome values in the order of its outputs, length k; empty for a model that answers with a number.
        confusion: Counts, true class by predicted class, on the audited rows; shape (k, k); all 0 without an
            outcome.
        error: Root mean squared error of a model that answers with a number, in the outcome's units; NaN for others.
        spread: The outcome's standard deviation: the error of always answering its mean; NaN for others.
        correlation: Of outcome and predicted number; NaN for others, and where everybody is predicted the same number.
        constant: Whether everybody gets the same answer.
        direction: How the answers go with the outcomes in the whole table; None where that cannot be seen.
        proofs: Its answers beside known ones, one entry a column of them.
        rows_shown: Record numbers (1-based) of a few rows.
        answers_shown: What it answers these, as it gives it, shape (rows, k) or (rows, 1).
        by_group: How it answers each group of each protected attribute; empty for a model that answers with a number,
            and where not all rows are in memory.
    """

    name: str
    kind: str
    fingerprint: str
    encoder: Encoder
    classes: tuple[str, ...]
    confusion: np.ndarray
    error: float = float("nan")
    spread: float = float("nan")
    correlation: float = float("nan")
    constant: bool = False
    direction: Direction | None = None
    proofs: tuple[Proof, ...] = ()
    rows_shown: tuple[int, ...] = ()
    answers_shown: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    by_group: AnsweredGroups = field(default_factory=AnsweredGroups)

    @property
    def against_outcomes(self) -> tuple[Caveat, ...]:
        """Why nothing can be claimed where the answers go against the outcomes; empty where they do not."""
        return () if self.direction is None else self.direction.caveats

    @property
    def fit(self) -> NumberFit:
        """How well the predicted numbers fit the outcome; all NaN for a model that answers with classes."""
        return NumberFit(self.error, self.spread, self.correlation)


@dataclass(frozen=True, kw_only=True)
class AbstractResult:
    """What every run keeps, whatever it found.

    Attributes:
        data: What was read; its ``rows_audited`` are the rows that the result is about.
        caveats: What a reader has to know, most serious first.
        seed: Seed of every random choice.
        seconds: Wall-clock time of the run.
        versions: Name and version of each library the numbers depend on.
    """

    data: DataSummary
    caveats: tuple[Caveat, ...]
    seed: int
    seconds: float
    versions: tuple[tuple[str, str], ...]
    _known: dict[tuple[object, ...], Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    def once(self, question: tuple[object, ...], answer: Callable[[], Answer]) -> Answer:
        """An answer worked out the first time it is asked for; it is neither saved nor compared."""
        if question not in self._known:
            self._known[question] = answer()
        return cast(Answer, self._known[question])


@dataclass(frozen=True, kw_only=True)
class AuditResult(AbstractResult, Generic[A_co, D_co, M_co]):
    """Everything one audit found.

    Attributes:
        audit: The settings it ran with.
        model: Which model.
        metric: Who counted as similar; None for an audit without a fair metric.
        detail: The audit's own arrays.
    """

    audit: A_co
    model: ModelSummary
    metric: M_co
    detail: D_co

    @property
    def taught(self) -> str:
        """The rows that taught the metric and are not audited: "2,964 more taught the metric"; empty without any."""
        fair = self.audit.fair_metric
        if fair is None or self.metric is None or not fair.keeps_rows_apart:
            return ""
        return say("{rows} more taught the metric", rows=whole(self.metric.learned_on))

    def features_beside(self, taken: Iterable[str]) -> tuple[str, ...]:
        """The features of the model that are neither protected nor among those taken."""
        known = {*taken, *self.data.protected}
        return tuple(name for name in self.model.encoder.features if name not in known)
