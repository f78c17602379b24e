"""What every audit is: frozen settings that can say whether they fit a model, and run."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from core.base.files import FileStore
from core.base.progress import OnProgress, ignore_progress
from core.base.settings import MadeByPeople, Settings
from core.contracts.metric import AbstractMetric, FittedMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.roles import Roles
from core.language.told import say, say_as

M_co = TypeVar("M_co", bound=AbstractModel, covariant=True)
R_co = TypeVar("R_co", bound=EncodedDataset | Dataset, covariant=True)
T = TypeVar("T")


@dataclass(frozen=True)
class BlockBeyond(Generic[R_co]):
    """Some of the rows that lie beyond memory.

    Attributes:
        where: Which these are, in words.
        data: Those without a gap.
        on_progress: Told how far they are.
    """

    where: str
    data: R_co
    on_progress: OnProgress


class Beyond(ABC, Generic[R_co]):
    """Rows to audit that lie where not all of them fit into memory.

    Attributes:
        number: How many there are, with those that have gaps.
    """

    number: int

    @abstractmethod
    def add_up(
        self,
        find: Callable[[Iterator[BlockBeyond[R_co]]], T],
        take: Callable[[T], object],
        on_progress: OnProgress,
        *,
        write: Callable[[T], Any],
        read: Callable[[Any], T],
    ) -> None:
        """Go through them once, in parts that several processes may do (:func:`core.base.parts.in_parts`).

        Args:
            find: What is found in the blocks of a part, of which there may be none.
            take: Takes what was found in each part, in order.
            on_progress: Told how far all of them are; may raise to stop.
            write: What was found in a part, as JSON.
            read: The same again.
        """


@dataclass(frozen=True)
class Given(Generic[M_co, R_co]):
    """What a test is run on.

    Attributes:
        model: The model.
        data: The rows to audit, encoded; as they were read for a pilot that encodes those it tries itself.
        rng: Source of every random choice.
        metric: Who is similar; None for a test without a fair metric.
        on_progress: Told how far the run is; may raise to stop it.
        learning: The rows the metric was learned from, for tests that learn it again; None if there are none.
        files: Where uploads lie that the settings name; this machine's own if None.
        beyond: More rows to audit, in blocks that follow each other, for tests that add them up; None where ``data``
            has all.
    """

    model: M_co
    data: R_co
    rng: np.random.Generator
    metric: FittedMetric | None = None
    on_progress: OnProgress = ignore_progress
    learning: R_co | None = None
    files: FileStore | None = None
    beyond: Beyond[R_co] | None = None

    @property
    def fitted(self) -> FittedMetric:
        """Who is similar, for a test that has a fair metric."""
        if self.metric is None:
            raise TypeError("This test has no fair metric.")  # verbatim
        return self.metric


@dataclass(frozen=True)
class Pilot:
    """A try on a few rows before the run: how long the whole test takes, and what it can find.

    Attributes:
        run: Tries the test with its settings and its decision settings; the rows are given as to the test itself.
        gives: The type of what it says, a frozen dataclass with at least ``audited`` (rows of the whole test) and
            ``seconds`` (time of the whole test).
        encodes: Whether it encodes the rows it tries itself, where that takes as long as the test does.
        memory: Bytes that the whole test takes beyond what it took to read the rows and try some, from what it says.
    """

    run: Callable[[Any, Given[Any, Any], Any], Any]
    gives: Any
    encodes: bool = False
    memory: Callable[[Any], int] = lambda tried: 0


class AbstractAudit(Settings, ABC, metaclass=MadeByPeople):
    """Settings of an audit. Subclasses narrow ``kind`` to a ``Literal`` and add their own fields."""

    kind: str

    @property
    def fair_metric(self) -> AbstractMetric | None:
        """The metric to fit before the run; None for an audit that needs none."""
        return None

    @property
    def smallest_loss(self) -> float:
        """Losses below this count as this; 0 where all count as they are."""
        return 0.0

    @property
    def answers_on_its_way(self) -> bool:
        """Whether the test has the model compute its answers, which are looked at after it then, not before."""
        return False

    def has_parts(self, roles: Roles) -> bool:
        """Whether it computes in parts that may be done elsewhere (:mod:`core.base.parts`)."""
        return False

    @abstractmethod
    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if the audit can run; otherwise the reason, one sentence, with what would make it possible."""

    def reads(self, model: AbstractModel, roles: Roles) -> tuple[str, ...]:
        """The columns this test reads, besides those that every test reads (:meth:`Dataset.reading`).

        A gap in any other column costs it no row. They are those of the model and, where there is a fair metric, of
        all it measures; a room adds what its settings name.
        """
        return (*model.reads, *(model.encoder.features if self.fair_metric is not None else ()))

    def looks_at(self, roles: Roles) -> tuple[str, ...]:
        """The columns it looks at besides, where a table has them with a role: a gap in them costs no row."""
        return ()

    def rows(self, model: AbstractModel, dataset: Dataset) -> Dataset:
        """The rows without a gap in what this test reads, one for each person unless it takes counts.

        Raises:
            DataError: They are too few, or no test can use them.
        """
        rows = dataset.reading(self.reads(model, dataset.all_roles))
        return rows if self.takes_counts(rows) else rows.written_out()

    @property
    def adds_up(self) -> bool:
        """Whether it adds up blocks of rows, so that rows beyond those in memory can be audited (:class:`Beyond`)."""
        return False

    def keeps(self, roles: Roles) -> int:
        """Bytes that its result keeps of each row; 0 where there are only sums."""
        return 0

    def takes_counts(self, dataset: Dataset) -> bool:
        """Whether it counts people anyway, so that rows of this table may stand for several of them."""
        return False

    def needs_rows(self, dataset: Dataset) -> str:
        """Why a test that needs a row for each person cannot have them, one sentence; empty where it can."""
        counted = dataset.counted
        if counted is None or counted.one_by_one or self.takes_counts(dataset):
            return ""
        return counted.told_many

    @property
    def called(self) -> str:
        """What people call a test with these settings, where the title of its kind would mislead; else empty."""
        return ""

    def select(self, data: EncodedDataset) -> EncodedDataset:
        """The rows to look at, of those that may be audited; all unless the settings say otherwise."""
        return data

    def rows_of(self, detail: Any, data: EncodedDataset) -> int:
        """Rows the result rests on: all that were given to the test, unless the audit sets some aside.

        Where rows stand for several people these are counted.
        """
        return data.dataset.people


def needs_classes(dataset: Dataset) -> str:
    """Why a test that compares answers that are classes cannot run; empty unless the outcome is a number."""
    if dataset.roles.outcome_type != "number":
        return ""
    return say(
        "This test compares answers that are classes, and the outcome is a number; the equalized-odds "
        "test takes numbers."
    )


def missing_roles(dataset: Dataset, *, favourable: bool = True, by_decisions: bool = False) -> str:
    """Why a test that asks whether answers are right for people of all groups cannot run; empty where it can.

    Args:
        dataset: The table.
        favourable: Whether the test has to know which outcome is good for a person, which is not so where it follows
            the loss alone: an outcome such as an occupation then needs none.
        by_decisions: Whether decisions suffice, of which nobody knows whether they were right.
    """
    needed = {
        say("an outcome"): dataset.roles.outcome or (by_decisions and dataset.roles.without_outcome),
        say("the favourable value of the outcome"): dataset.roles.favourable or not favourable,
        say("a protected attribute"): dataset.roles.protected,
    }
    missing = [name for name, given in needed.items() if not given]
    if not missing:
        return ""
    return say(
        "This test needs {missing}, which nobody has named yet.",
        missing=say_as("needed", " and ").join(missing),
    )
