"""The kinds of people in a folder of Parquet files: each block is counted, and counts are added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.base.apart import processors, work_apart
from core.base.errors import DataError, EvenhandError
from core.base.memory import available_memory
from core.base.progress import OnProgress, Progress
from core.language.options import option
from core.language.phrases import quoted, whole
from core.language.told import localized, say
from core.sources.folder.asking import ASKED_AT_ONCE, AskedModel, ToBeAsked, closed, opened
from core.sources.folder.blocks import (
    BLOCK,
    MOST_PIECES,
    WORTH_A_PIECE,
    Limits,
    RowGroups,
    blocks,
    from_text,
    giving_back,
    in_ranges,
    pieces_of,
    placed,
    to_text,
)
from core.sources.folder.listing import Listing

if TYPE_CHECKING:
    import pyarrow as pa

MOST_KINDS = 100_000
"""Combinations of values that may be counted."""
_WORTH_A_PROCESS = 2_000_000
"""Rows for which another process is worth its start."""
_WORTH_A_MODEL = 200_000
"""The same where each process opens a model, and of a piece that asks it."""
_PROCESS, _LIBRARIES = 130 * 2**20, 60 * 2**20
"""Bytes of another process before it reads anything, and of the libraries that read and count, once they are loaded."""
_PEOPLE = "people"
_BLOCKS, _KINDS = 4, 6
"""How often a block, and the kinds, are in memory while they are counted."""
_ANSWER = 20
"""Bytes of a kind in the answer of a piece."""
_PAGE = 3 * 2**20
"""Bytes of a column of a file that are unpacked at once."""


def count_kinds(
    listing: Listing,
    columns: Sequence[str],
    limits: Limits,
    on_progress: OnProgress,
    processes: int | None = None,
    *,
    question: ToBeAsked | None = None,
) -> pa.Table:
    """How many rows there are of each combination of values: the columns, and ``people`` as the last; sorted.

    The order of files and rows makes no difference, nor does the number of processes.

    Args:
        listing: The files.
        columns: The columns that are counted, by their names.
        limits: Those that are counted in ranges.
        on_progress: Told how far it is; may raise to stop.
        processes: How many work side by side; as many as are worth it if None.
        question: A model whose answer to each row is one of the columns; None where all columns lie in the files.

    Raises:
        DataError: There are too many combinations, a row group is damaged, a file was changed, or the machine has too
            little memory left.
        ModelError: The model does not answer a row.
    """
    asked = None if question is None else question.asked
    processes = processes_for(listing, asked) if processes is None else processes
    require_memory(memory_to_count(listing, columns, processes, asked))
    told = {"columns": list(columns), "limits": dict(limits), **({} if question is None else question.piece)}
    told["memory"] = memory_to_count(listing, columns, 1, asked)
    parts = pieces_of(listing, WORTH_A_PIECE if asked is None else _WORTH_A_MODEL)
    pieces = [{"spans": [span.written() for span in spans], **told} for spans in parts]
    counted = None
    try:
        for answer in work_apart(__name__, pieces, on_progress, processes):
            if isinstance(answer, EvenhandError):
                raise answer
            counted = _together([*([] if counted is None else [counted]), from_text(answer)], columns)
    finally:
        closed()
    if counted is None:
        raise TypeError("There is nothing to count.")  # verbatim
    return _sorted(counted).rename_columns([*columns, name_of_count(columns)])


def name_of_count(columns: Sequence[str]) -> str:
    """What the column is called that counts, as :func:`core.data.counting_sql.counting_sql` calls it."""
    name = _PEOPLE
    while name in columns:
        name += "_"
    return name


def work(piece: Mapping[str, Any], on_progress: OnProgress) -> str:
    """The kinds in the blocks of some row groups, as text; see :mod:`core.base.apart`."""
    import pyarrow as pa

    spans, columns = [RowGroups.read(told) for told in piece["spans"]], piece["columns"]
    total, done = sum(span.rows for span in spans), 0
    counted, waiting = list[pa.Table](), 0
    with giving_back():
        for block in _answered(spans, piece) if "asked" in piece else _read(spans, piece):
            counted.append(_counted(block))
            waiting += len(counted[-1])
            if waiting > MOST_KINDS:
                counted = [_together(counted, columns)]
                waiting = len(counted[0])
            done += len(block)
            on_progress(Progress(done / max(total, 1), say("Counting the rows")))
        return to_text(_sorted(_together(counted, columns)))


def _read(spans: Sequence[RowGroups], piece: Mapping[str, Any]) -> Iterator[pa.Table]:
    return (block for _, _, block in blocks(spans, piece["columns"], piece["limits"]))


def _answered(spans: Sequence[RowGroups], piece: Mapping[str, Any]) -> Iterator[pa.Table]:
    """The blocks with what a model answers each of their rows."""
    asking = opened(piece)
    names = dict.fromkeys((*piece["columns"], *asking.asked.reads))
    names.pop(asking.asked.column, None)
    for where, block in placed(blocks(spans, [*names], {}, ASKED_AT_ONCE)):
        answers = asking.answered(block, where)
        yield in_ranges(block.append_column(asking.asked.column, answers).select(piece["columns"]), piece["limits"])


def _counted(block: pa.Table) -> pa.Table:
    """The kinds of a block; columns are called by their places, the last counts."""
    import pyarrow as pa

    places = [str(place) for place in range(block.num_columns)]
    found = block.rename_columns(places).group_by(places, use_threads=False).aggregate([([], "count_all")])
    columns = [found[place] for place in places]
    columns = [one.cast(one.type.value_type) if pa.types.is_dictionary(one.type) else one for one in columns]
    return pa.table([*columns, found["count_all"].cast(pa.int64())], names=[*places, _PEOPLE])


def _together(counted: Sequence[pa.Table], columns: Sequence[str]) -> pa.Table:
    """The kinds of several tables, added up.

    Raises:
        DataError: They are too many; says which column has most values.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    places = counted[0].column_names[:-1]
    found = pa.concat_tables(counted).group_by(places, use_threads=False).aggregate([(_PEOPLE, "sum")])
    if len(found) > MOST_KINDS:
        values = [pc.count_distinct(found[place]).as_py() for place in places]
        most = max(values)
        raise DataError(
            say(
                "There are more than {most} combinations of values: the column {name} has {values} of its own.",
                most=whole(MOST_KINDS),
                name=quoted(columns[values.index(most)]),
                values=whole(most),
            ),
            where=say("columns that are counted: {names}", names=", ".join(map(quoted, columns))),
            advice=say(
                "Count numbers in ranges: {ranges}. Or draw rows at random: {sample}.",
                ranges=option("ranges", ("COLUMN", "30,45")),
                sample=option("sample", 1_000_000),
            ),
        )
    return found.select([*places, f"{_PEOPLE}_sum"]).rename_columns([*places, _PEOPLE])


def _sorted(counted: pa.Table) -> pa.Table:
    """Kinds in the order of their values."""
    return counted.sort_by([(name, "ascending") for name in counted.column_names[:-1]])


def processes_for(listing: Listing, asked: AskedModel | None = None) -> int:
    """How many processes count side by side, and ask a model: those that are worth their start."""
    return max(1, min(processors(), listing.rows // (_WORTH_A_PROCESS if asked is None else _WORTH_A_MODEL)))


def memory_to_count(listing: Listing, columns: Sequence[str], processes: int, asked: AskedModel | None = None) -> int:
    """Bytes that counting takes at most, of all processes together, beyond what this one holds.

    Where a model is asked about each row, its own processes are among them.
    """
    if asked is not None:
        lying = [name for name in columns if name != asked.column]
        return memory_to_count(listing, lying, processes) + processes * asked.memory(listing)
    width = sum(listing.widths[name] for name in columns) + 8
    kinds, answers = _KINDS * MOST_KINDS * width, MOST_PIECES * MOST_KINDS * _ANSWER
    counting = processes * kinds + (kinds if processes > 1 else 0) + answers
    return memory_to_read(listing, columns, processes) + int(counting)


def memory_to_read(listing: Listing, columns: Sequence[str], processes: int) -> int:
    """Bytes of the blocks that are read, of all processes together, beyond what this one holds."""
    width = sum(listing.widths[name] for name in columns) + 8
    block = _BLOCKS * BLOCK * width + _PAGE * len(columns)
    return int(processes * (_LIBRARIES + block) + (processes * _PROCESS if processes > 1 else 0))


def require_memory(needed: int) -> None:
    """See to it that the machine has so many bytes left.

    Raises:
        DataError: It has not.
    """
    left = available_memory()
    if needed > left:
        raise DataError(
            say(
                "This takes up to {needed} MB of memory, and the machine has {left} MB left.",
                needed=localized(f"{needed / 2**20:,.0f}"),
                left=localized(f"{left / 2**20:,.0f}"),
            ),
            advice=say("End other programs, read fewer columns, or set OMP_NUM_THREADS=1 for a single process."),
        )
