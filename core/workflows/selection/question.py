"""What candidates are asked: as far as possible what an audit of each by itself begins with, or else that is said."""

from collections.abc import Iterator, Sequence

from core.audits.transport.binning import column_text
from core.audits.transport.proposal import propose, proposed_space
from core.audits.transport.settings import CellColumn, Transport
from core.base.errors import Caveat
from core.base.settings import name_of_choice
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.phrases import listed
from core.language.told import say


def asked_of(audit: Transport, model: AbstractModel, dataset: Dataset) -> Transport:
    """The settings of the test with the columns that an audit of a model on the whole table begins with.

    Args:
        audit: The settings; columns that are chosen stay.
        model: The model.
        dataset: All rows.
    """
    if audit.columns:
        return audit
    answers = model.predict_proba(model.encode(dataset))[:, model.classes.index(dataset.roles.favourable)]
    return audit.model_copy(update={"columns": propose(dataset, answers)})


def other_questions(asked: Transport, chosen: Transport, model: AbstractModel, dataset: Dataset) -> Iterator[Caveat]:
    """Where an audit of the chosen model by itself begins with another question, which may have another answer.

    Args:
        asked: What the model was asked.
        chosen: The same as somebody chose it: without columns where they were proposed.
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
    elif not (chosen.columns or asked.asks_for_everybody(dataset.roles.protected)):
        columns = asked_of(chosen, model, dataset).columns
        if columns != asked.columns:
            yield Caveat(
                "info",
                say(
                    "All candidates were compared among people alike in {columns}. For the chosen model alone an audit "
                    "proposes {others}, and can answer otherwise.",
                    columns=columns_text(asked.columns),
                    others=columns_text(columns),
                ),
            )


def space_text(audit: Transport) -> str:
    """With whom people are compared."""
    return name_of_choice(Transport, "space", audit.space)


def columns_text(columns: Sequence[CellColumn]) -> str:
    """The columns that tell people apart, with how finely: ``age in 3 bins and sex``."""
    return listed([column_text(one) for one in columns])
