"""A list of words that name a group, as an auditor brings it: CSV, plain text or JSON."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from core.base.errors import DataError, SettingsError
from core.language.phrases import whole
from core.language.told import retold, say
from core.text.encoding import find_encoding
from core.text.word_lists import MOST_WORDS, OWN, Pair, WordList

MOST_BYTES = 2**20
"""A list of 5,000 pairs has a tenth of this."""

_HEADERS = {("word",), ("words",), ("word", "counterpart")}
_FORM = say(
    "Write two words a line, separated by a comma (she,he), or one word that has no counterpart; or "
    'a JSON list of pairs: [["she", "he"], ["aunt", "uncle"]].'
)


def read_words(path: Path, name: str) -> WordList:
    """The list in a file: lines of one or two words separated by comma, semicolon or tab, or a JSON list of such.

    Empty lines, lines that begin with ``#`` and a first line "word" or "word,counterpart" are no words.

    Args:
        path: Where the file lies.
        name: What the user calls it.

    Raises:
        DataError: It is too large, no text, not of this form, or names no word; says in which line.
    """
    if path.stat().st_size > MOST_BYTES:
        raise DataError(
            say(
                "The list of words has {size} bytes; at most {most} are read.",
                size=whole(path.stat().st_size),
                most=whole(MOST_BYTES),
            ),
            where=name,
            advice=say("Is it the right file? {form}", form=retold(_FORM)),
        )
    try:
        text = path.read_bytes().decode(find_encoding(path).codec)
    except DataError as error:
        raise DataError(error.what, where=f"{name}, {error.where}", advice=retold(_FORM)) from error
    rows = _from_json(text, name) if text.lstrip().startswith(("[", "{")) else _from_lines(text, name)
    found = [_read(row, f"{name}, {where}") for where, row in rows]
    pairs = tuple(item for item in found if isinstance(item, Pair))
    others = tuple(item for item in found if isinstance(item, str))
    if not found:
        raise DataError(say("The list holds no word."), where=name, advice=retold(_FORM))
    if max(len(pairs), len(others)) > MOST_WORDS:
        raise DataError(
            say(
                "The list holds {entries} entries; at most {most} are read.",
                entries=whole(len(found)),
                most=whole(MOST_WORDS),
            ),
            where=name,
            advice=say("Keep to words that name a group."),
        )
    return WordList(name=Path(name).stem[:60] or OWN, pairs=pairs, others=others)


def _from_lines(text: str, name: str) -> list[tuple[str, list[str]]]:
    sample = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((mark for mark in "\t;," if mark in sample), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows: list[tuple[str, list[str]]] = []
    try:
        for cells in reader:
            filled = [cell.strip() for cell in cells]
            while filled and not filled[-1]:
                filled.pop()
            first = not rows and tuple(cell.lower() for cell in filled) in _HEADERS
            if filled and not filled[0].startswith("#") and not first:
                rows.append((say("line {number}", number=reader.line_num), filled))
    except csv.Error as error:
        raise DataError(
            say("The list of words is not a readable table."),
            where=say("{name}, line {number}", name=name, number=reader.line_num),
            advice=retold(_FORM),
        ) from error
    return rows


def _from_json(text: str, name: str) -> list[tuple[str, list[str]]]:
    try:
        tree: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = (
            say("{name}, line {number}", name=name, number=error.lineno)
            if isinstance(error, json.JSONDecodeError)
            else name
        )
        raise DataError(say("The list of words is not valid JSON."), where=where, advice=retold(_FORM)) from error
    if not isinstance(tree, list):
        raise DataError(say("The JSON file is not a list."), where=name, advice=retold(_FORM))
    rows = []
    for place, item in enumerate(tree, start=1):
        cells = [item] if isinstance(item, str) else item
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise DataError(
                say("An entry is neither a word nor a pair of words."),
                where=say("{name}, entry {number}", name=name, number=place),
                advice=retold(_FORM),
            )
        rows.append((say("entry {number}", number=place), [cell.strip() for cell in cells]))
    return rows


def _read(cells: list[str], where: str) -> Pair | str:
    """A pair of words, or a word without a counterpart."""
    if len(cells) not in (1, 2):
        raise DataError(
            say("There are {words} words; one or two are expected.", words=len(cells)),
            where=where,
            advice=retold(_FORM),
        )
    try:
        if len(cells) == 2:
            return Pair(word=cells[0], counterpart=cells[1])
        return WordList(others=(cells[0],)).others[0]
    except SettingsError as error:
        raise DataError(error.what, where=where, advice=error.advice) from error
