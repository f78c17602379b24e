"""Bring the files of translations up to date with the source, and say what is missing.

``python -m tests.translations update de`` writes every ``languages/de.po``; ``missing de [FOLDER]`` lists messages
without a translation; ``unsaid [FOLDER]`` lists words in the source that cannot be translated yet.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from tests.translations.sources import REPOSITORY, Found, messages, sources, template_text, unsaid


def home_of(found: Found) -> Path:
    """The folder ``languages`` of a message: of the nearest folder that has one."""
    return next(
        folder / "languages"
        for folder in (REPOSITORY / found.path).parents
        if (folder / "languages").is_dir() and folder.name != "languages"
    )


def update(code: str) -> None:
    """Write every file of a language: messages that are in the source, with the translations there are, here first."""
    fresh: dict[Path, Catalog] = {}
    for found in messages():
        catalog = fresh.setdefault(home_of(found), Catalog(locale=code, fuzzy=False))
        flags = ["python-brace-format"] if "{" in str(found.message) else []
        catalog.add(found.message, locations=[(str(found.path), 1)], flags=flags, context=found.about)
    before = {folder: _read(folder / f"{code}.po", code) for folder in fresh}
    for folder, catalog in fresh.items():
        catalog.creation_date = before[folder].creation_date
        for known in (*before.values(), before[folder]):
            for message in known:
                entry = catalog.get(message.id, message.context) if message.id else None
                if entry and message.string:
                    entry.string = message.string
        with (folder / f"{code}.po").open("wb") as out:
            write_po(out, catalog, width=120, sort_output=True, omit_header=False, include_lineno=False)


def _read(path: Path, code: str) -> Catalog:
    """The translations in a file; none where it does not exist."""
    if not path.exists():
        return Catalog(locale=code)
    with path.open("rb") as content:
        return read_po(content, locale=code)


def missing(code: str, under: str = "") -> list[Found]:
    """Messages without a translation."""
    known: dict[Path, Catalog] = {}
    lacking = []
    for found in messages():
        if not str(found.path).startswith(under):
            continue
        path = home_of(found) / f"{code}.po"
        if path not in known:
            known[path] = _read(path, code)
        key = found.message if isinstance(found.message, str) else found.message[0]
        entry = known[path].get(key, found.about)
        strings = () if entry is None else (entry.string,) if isinstance(entry.string, str) else entry.string
        if not strings or not all(strings):
            lacking.append(found)
    return lacking


def main(command: str, *given: str) -> None:
    """Do what is asked."""
    if command == "update":
        update(*given)
    elif command == "missing":
        for found in missing(*given):
            print(f"{found.path}:{found.line}: {found.message}")
    else:
        under = given[0] if given else ""
        for path in (*sources(".py"), *sources(".html")):
            if str(path.relative_to(REPOSITORY)).startswith(under):
                for line, text in template_text(path) if path.suffix == ".html" else unsaid(path):
                    print(f"{path.relative_to(REPOSITORY)}:{line}: {text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
