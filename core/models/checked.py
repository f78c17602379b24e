"""What the model formats share: outcomes that are named, preprocessing that is found, widths that are explained."""

import hashlib

from core.base.errors import Caveat, ModelError
from core.contracts.model import AbstractModelSource
from core.data.cells import ascending
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.language.options import option
from core.language.phrases import count, first_few, quoted, several
from core.language.told import say

MOST_NAMES = 200
"""Prepared columns that an error lists."""
ROWS_AT_ONCE = 4096
"""Rows answered in one go, so that memory does not grow with the table."""


class NoGradientsError(Exception):
    """Why a model cannot become a torch module, as the subject and reason of a sentence; never shown as an error."""


NUMBERS_HAVE_NO_GRADIENTS = say(
    "The model answers with a number. Tests that search for similar people by gradients follow the "
    "probability of a class: choose a test that needs predictions only."
)


def wants_number(dataset: Dataset) -> bool:
    """Whether the outcome is a number, so that a model has to answer with one."""
    return dataset.roles.outcome_type == "number"


def require_number(declared: tuple[str, ...], dataset: Dataset, name: str, *, outputs: int = 1) -> None:
    """Check that a model that answers with ``outputs`` numbers a row, none of them for a class, fits the outcome.

    Raises:
        ModelError: The outcome holds classes, an order of classes was declared, or there is not one number a row.
    """
    if not wants_number(dataset):
        judged = dataset.roles.outcome
        raise ModelError(
            say("The model answers with a number, and the outcome {outcome} holds classes.", outcome=quoted(judged))
            if judged
            else say("The model answers with a number, and without an outcome decisions are judged."),
            where=name,
            advice=say("Bring a classifier, or choose an outcome that is a number."),
        )
    if declared:
        raise ModelError(
            say("An order of classes is declared for a model that answers with a number."),
            where=f"{name}: {', '.join(declared[:8])}",
            advice=say("Leave the order of the classes empty."),
        )
    if outputs != 1:
        raise ModelError(
            say(
                "The model gives {outputs} numbers a row, and the outcome {outcome} is one number.",
                outputs=outputs,
                outcome=quoted(dataset.roles.outcome),
            ),
            where=name,
            advice=say("Bring a model with one output, or say that the outcome holds classes."),
        )


def class_order(
    declared: tuple[str, ...], own: tuple[str, ...], dataset: Dataset, outputs: int, name: str
) -> tuple[tuple[str, ...], tuple[Caveat, ...]]:
    """The outcome each of ``outputs`` outputs stands for, and a caveat where neither a person nor the file says it.

    What a person declared goes first, then what the file names, then the table's outcomes in ascending order: as
    numbers where all are numbers, else as text. Which outcome is favourable plays no part.

    Args:
        declared: The order that a person declared; empty if nobody did.
        own: What the file calls its outputs, first output first; empty if it names none. Names that differ from the
            table's in case, in ``_`` for a space or in ``1.0`` for ``1`` are the same; ``LABEL_0``, ``LABEL_1``, …,
            which the transformers library writes for want of names, are none.
        dataset: The table.
        outputs: How many classes the model tells apart.
        name: What people call the model.

    Raises:
        ModelError: As :func:`classes_for`.
    """
    as_written = {_plain(label): label for label in dataset.labels} | {label: label for label in dataset.labels}
    named = tuple(as_written.get(one, as_written.get(_plain(one), one)) for one in own)
    if declared or (named and not (_for_want_of_names(own) and set(dataset.labels) - set(named))):
        return classes_for(declared or named, dataset, outputs, name), ()
    classes = classes_for((), dataset, outputs, name)
    if not dataset.labels:
        return classes, ()
    judged = dataset.roles.outcome or dataset.roles.decision
    return classes, (
        Caveat(
            "warning",
            say(
                "The model does not name the outcomes; its outputs were taken to stand for {outcomes}, in ascending "
                "order.",
                outcomes=several([f"{judged} = {value}" for value in classes]),
            ),
            say(
                "Say which value of {judged} each output stands for if training used another order: the answers would "
                "be read as the wrong outcomes.",
                judged=quoted(judged),
            ),
        ),
    )


def _plain(label: str) -> str:
    """A label without what is written differently in files and tables."""
    plain = label.casefold().replace("_", " ").strip()
    try:
        return f"{float(plain):.17g}"
    except ValueError:
        return plain


def _for_want_of_names(names: tuple[str, ...]) -> bool:
    return all(label.upper() == f"LABEL_{place}" for place, label in enumerate(names))


def classes_for(declared: tuple[str, ...], dataset: Dataset, outputs: int, name: str) -> tuple[str, ...]:
    """The outcome each of ``outputs`` outputs stands for: as declared, or the table's in ascending order; numbered from
    0 where the table has neither outcomes nor decisions.

    Raises:
        ModelError: The outcome is a number; their number differs from the outputs', one is doubled, or a row's outcome
            is none of them.
    """
    if wants_number(dataset):
        raise ModelError(
            say(
                "The model answers with classes, and the outcome {outcome} is a number.",
                outcome=quoted(dataset.roles.outcome),
            ),
            where=name,
            advice=say("Bring a regression model, or say that the outcome holds classes."),
        )
    classes = declared or ascending(dataset.labels) or tuple(f"class {output}" for output in range(outputs))  # verbatim
    if len(set(classes)) != len(classes):
        raise ModelError(
            say("An outcome is named twice in the order of the classes."),
            where=f"{name}: {', '.join(classes[:8])}",
            advice=say("Name every outcome once, first output first."),
        )
    if len(classes) != outputs:
        numbers = {"outputs": count(outputs, "class", "classes"), "classes": count(len(classes), "outcome")}
        raise ModelError(
            say("The model has {outputs} and the declared order has {classes}.", **numbers)
            if declared
            else say("The model has {outputs} and the table has {classes}.", **numbers),
            where=f"{name}: {', '.join(classes[:8])}",
            advice=say(
                "Declare the outcome each output stands for, first output first, or choose another outcome column."
            ),
        )
    unknown = [label for label in dataset.labels if label not in classes]
    if unknown:
        raise ModelError(
            say("The model has no class for the outcome {unknown}.", unknown=quoted(unknown[0])),
            where=say(
                "column {outcome}; the model knows {classes}",
                outcome=quoted(dataset.roles.outcome),
                classes=", ".join(classes[:8]),
            ),
            advice=say(
                "Say which outcome each of the model's classes stands for, first output first (Order of the classes; "
                "{option}), or correct the outcome column.",
                option=option("classes"),
            ),
        )
    return classes


def model_fingerprint(settings: AbstractModelSource, encoder: Encoder) -> str:
    """SHA-256 of what defines a model's answers: the file's bytes, the declared settings and the preprocessing.

    Neither the rows it was trained on are among them, nor what somebody confirmed: a model is the same whatever is
    known about it.
    """
    settings = settings.model_copy(update=settings.without_bearing)
    return hashlib.sha256(f"{settings.fingerprint}{encoder.fingerprint}".encode()).hexdigest()


def require_width(expected: int, encoder: Encoder, name: str) -> None:
    """Check that a model of ``expected`` inputs fits the encoded columns.

    Raises:
        ModelError: It does not; names both widths and the likely cause.
    """
    if expected == encoder.width:
        return
    raise ModelError(
        say(
            "The model reads {expected} numbers a row and the prepared table has {width}.",
            expected=expected,
            width=encoder.width,
        ),
        where=name,
        advice=say(
            "{cause} Prepared columns, in order: {names}.",
            cause=_likely_cause(expected, encoder),
            names=first_few(encoder.names, MOST_NAMES),
        ),
    )


def _likely_cause(expected: int, encoder: Encoder) -> str:
    categorical = [column for column in encoder.columns if column.kind != "numeric"]
    dropped = sum(column.kind == "categorical" for column in encoder.columns)
    difference = expected - encoder.width
    if categorical and expected == len(encoder.columns):
        return say(
            "The model seems to read one number per column: declare which number each category had "
            "({encoding}), or recode the categories as the numbers it was trained with.",
            encoding=option("encoder", "FILE"),
        )
    if dropped and -difference == dropped:
        return say(
            "The model seems to have been trained with the first category of every column dropped: declare "
            "its own preprocessing ({encoding}), or export the whole pipeline.",
            encoding=option("encoder", "FILE"),
        )
    if difference > 0:
        return say(
            "{difference} missing: a feature column may not be chosen, or the model knows categories that do "
            "not occur in this table (declare its preprocessing).",
            difference=difference,
        )
    if not categorical:
        return say("{difference} too many: an extra column may be chosen as a feature.", difference=-difference)
    return say(
        "{difference} too many: an extra column may be chosen as a feature, or a text column has categories that the "
        "model was not trained with.",
        difference=-difference,
    )
