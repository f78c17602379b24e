"""A declared preprocessing: a file that says how each column was prepared, and what differs from what a model reads."""

from collections.abc import Sequence

from pydantic import ValidationError

from core.base.errors import ModelError
from core.data.encoder import Encoder
from core.language.phrases import count, several, whole
from core.language.settings_words import what_is_wrong
from core.language.told import say

MAXIMUM_BYTES = 4 * 2**20
_MOST_COLUMNS = 100_000


def read_encoding(content: bytes, name: str) -> Encoder:
    """The preprocessing that a JSON file declares: an :class:`Encoder`, its columns in the order the model reads them.

    Args:
        content: The file.
        name: How errors name it.

    Raises:
        ModelError: It is too large, no JSON, or no preprocessing (says what is wrong, and where).
    """
    advice = say(
        "Begin with a form that is filled from the table, as `python -m core encoding` writes it, change it "
        "and bring it again."
    )
    if len(content) > MAXIMUM_BYTES:
        raise ModelError(
            say("The preprocessing has more than {most} MB.", most=MAXIMUM_BYTES >> 20), where=name, advice=advice
        )
    try:
        encoder = Encoder.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))[:80]
        raise ModelError(
            say("The preprocessing cannot be read: {first}.", first=what_is_wrong(first)),
            where=f"{name}, {place}" if place else name,
            advice=advice,
        ) from error
    if encoder.is_embedding or any(column.kind == "coordinate" for column in encoder.columns):
        raise ModelError(say("Coordinates of an embedding are no columns of a table."), where=name, advice=advice)
    if encoder.width > _MOST_COLUMNS:
        raise ModelError(
            say("The preprocessing makes {width} numbers a row.", width=whole(encoder.width)), where=name, advice=advice
        )
    return encoder


def encoding_bytes(encoder: Encoder) -> bytes:
    """The preprocessing as :func:`read_encoding` reads it, one column a line."""
    lines = ",\n  ".join(column.model_dump_json() for column in encoder.columns)
    return f'{{"columns": [\n  {lines}\n]}}\n'.encode()


def what_differs(read: Sequence[str], encoder: Encoder) -> str:
    """How the names of the numbers that a model reads differ from those of the prepared columns; "" if they do not.

    Args:
        read: Names of the numbers that the model reads, in its order.
        encoder: The preprocessing.
    """
    names = encoder.names
    missing, surplus = (
        [one for one in some if one not in set(others)] for some, others in ((read, names), (names, read))
    )
    said = say("The model reads {numbers}", numbers=count(len(read), "number"))
    if missing and surplus:
        return say(
            "{said}; missing are {missing}, and not read are {surplus}.",
            said=said,
            missing=several(missing),
            surplus=several(surplus),
        )
    if missing:
        return say("{said}; missing are {missing}.", said=said, missing=several(missing))
    if surplus:
        return say("{said}; not read are {surplus}.", said=said, surplus=several(surplus))
    if (
        place := next((place for place, pair in enumerate(zip(read, names, strict=True)) if pair[0] != pair[1]), -1)
    ) >= 0:
        return say(
            "{said} in another order: number {place} is {own}, and {other} was prepared there.",
            said=said,
            place=place + 1,
            own=several([read[place]]),
            other=several([names[place]]),
        )
    return ""
