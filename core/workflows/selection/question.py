"""What candidates are asked: as far as possible what an audit of each by itself begins with, or else that is said."""

from collections.abc import Iterator, Sequence

from core.audits.transport.proposal import propose, proposed_space
from core.audits.transport.settings import CellColumn, Transport
from core.base.errors import Caveat
from core.base.settings import name_of_choice
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.phrases import count, listed
from core.language.told import say


def asked_of(audit: Transport, dataset: Dataset) -> Transport:
    """The settings of the test with the columns that an audit on the whole table begins with; chosen columns stay.

    Args:
        audit: The settings.
        dataset: All rows.
    """
    return audit if audit.columns else audit.model_copy(update={"columns": propose(dataset)})


def other_questions(asked: Transport, model: AbstractModel, dataset: Dataset) -> Iterator[Caveat]:
    """Where an audit of the chosen model by itself begins with another question, which may have another answer.

    Args:
        asked: What the model was asked.
        model: The model that was chosen.
        dataset: All rows.
    """
    own = proposed_space(model.encoder.features, dataset.roles, not model.answers_only_here)
    if own != asked.space:
        yield Caveat(
            "warning",
            say(
                "All candidates were compared with people in the table. An audit of the chosen model alone begins by "
                "asking how it would judge the same person in every other group, and can answer otherwise."
            )
            if asked.space == "observed"
            else say(
                "All candidates were asked about the same people in every group. The chosen model reads no protected "
                "attribute, so it answers alike. An audit of it alone begins by comparing people in the table, and can "
                "answer otherwise."
            ),
            say("Audit the chosen model with the other comparison too."),
        )


def space_text(audit: Transport) -> str:
    """With whom people are compared."""
    return name_of_choice(Transport, "space", audit.space)


def columns_text(columns: Sequence[CellColumn]) -> str:
    """The columns that tell people apart, with how finely: ``age (3 bins) and sex``."""
    return listed([_column_text(one) for one in columns])


def _column_text(column: CellColumn) -> str:
    if column.edges:
        return say("{column} ({bins})", column=column.name, bins=count(len(column.edges) + 1, "bin"))
    return say("{column} (values merged)", column=column.name) if column.merged else column.name
