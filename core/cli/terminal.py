"""What the command line says, on a terminal and in a pipe."""

import sys

import typer

CLEAR = "\r\033[K"
"""Back to the start of the terminal's line, and empty it."""


def say(line: str, *, to_people: bool = False) -> None:
    """One line on standard output, or on standard error for a message; control characters are shown, not obeyed."""
    if sys.stderr.isatty():
        sys.stderr.write(CLEAR)
    typer.echo(printable(line), err=to_people)


def printable(text: str) -> str:
    """The text with every control character written as Python writes it."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
