"""The command line inside the tests' own process, which saves the seconds a new one takes to import everything."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest import mock

import typer

from core.cli.app import app, main


@dataclass(frozen=True)
class Ran:
    """The status a command ended with and what it printed."""

    status: int
    out: str
    err: str


def command(*arguments: object, commands: typer.Typer = app) -> Ran:
    """``python -m core``, or the commands that are given, with these arguments."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    given = mock.patch.object(sys, "argv", ["core", *map(str, arguments)])
    with given, redirect_stdout(out), redirect_stderr(err):
        try:
            main(commands)
        except SystemExit as end:
            code: Any = end.code
            status = int(code or 0)
    return Ran(status, out.getvalue(), err.getvalue())
