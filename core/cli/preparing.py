"""What is made before an audit, for the command line: a preprocessing filled from a table, and SQL that counts."""

import tempfile
from pathlib import Path

from core.api.bringing import kept
from core.base.errors import SettingsError
from core.base.files import FileStore
from core.data.counting_sql import Dialect, counting_sql
from core.models.declared import encoding_bytes
from core.models.prepared import filled_from
from core.records.audits import AUDITS
from core.records.repeat import record_bytes
from core.records.workflow import read_record
from core.sources.upload.uploaded import UploadedTable


def fill_from_table(table: Path, features: tuple[str, ...], numbers: str, out: Path) -> tuple[str, ...]:
    """Write the preprocessing that is learned from a table; returns the names of its encoded columns, in order.

    Raises:
        EvenhandError: The table cannot be read, a column is missing, or a cell of it is empty.
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        frame = UploadedTable(file=kept(table, files)).load(files)
    encoder = filled_from(frame, features, raw=numbers == "raw")
    out.write_bytes(encoding_bytes(encoder))
    return encoder.names


def sql_of_record(record: Path, table: str, database: Dialect, limits: tuple[str, ...], fewest: int = 0) -> str:
    """The SQL that counts what the roles of an audit name; limits as ``COLUMN=30,45``, fewer people suppressed.

    Raises:
        EvenhandError: It is no record or plan of an audit, or the limits are none.
    """
    (plan, *_) = read_record(record_bytes(record), (AUDITS,)).plan.plans
    return counting_sql(plan.roles, table, database, dict(map(_limits, limits)), fewest)


def _limits(given: str) -> tuple[str, tuple[float, ...]]:
    name, _, ends = given.rpartition("=")
    try:
        return name, tuple(map(float, ends.split(",")))
    except ValueError as error:
        raise SettingsError(
            f"The limits {given!r} are no numbers.", where="--limits", advice="Write them as age=30,45."
        ) from error
