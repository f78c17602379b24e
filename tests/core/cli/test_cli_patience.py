"""The command line stops reading a table when it takes as long as no page would let it."""

import re
import signal
import time
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from core.base.errors import DataError
from core.cli.app import app
from core.cli.patience import seconds_to_read, within
from core.sources.upload.uploaded import UploadedTable
from dashboard.jobs.tasks import TASKS


@pytest.mark.parametrize("size", [0, 2**20, 10**9])
def test_it_waits_as_long_as_the_page(size: int) -> None:
    assert seconds_to_read(size) == TASKS["read_table"].longest({"file": {"sha256": "", "bytes": size}})


def test_an_expression_that_goes_on_and_on_is_stopped_and_the_alarm_goes() -> None:
    before, begun = signal.getsignal(signal.SIGALRM), time.monotonic()
    with pytest.raises(DataError, match=r"longer than the 0 seconds.*\(a\.csv\)"), within(0.2, "a.csv"):
        re.match(r"(a|a)*b", "a" * 60)
    assert time.monotonic() - begun < 20
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_the_command_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> tuple[pd.DataFrame, None]:
        while True:
            pass

    table = tmp_path / "people.csv"
    table.write_text("a,b\n1,2\n")
    monkeypatch.setattr(UploadedTable, "read", endless)
    monkeypatch.setattr("core.cli.patience.seconds_to_read", lambda _: 0.3)
    ran = CliRunner().invoke(app, ["audit", "--table", str(table), "--out", str(tmp_path / "out")])
    assert isinstance(ran.exception, DataError)
    assert ran.exception.where == "people.csv"
