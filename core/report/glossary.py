"""Every symbol and term that pages and reports use, from ``assets/glossary.toml``."""

from functools import cache
from pathlib import Path

from core.base.settings import Settings
from core.language.reader import language
from core.language.toml import read_toml

_FILE = Path(__file__).parents[2] / "assets" / "glossary.toml"


class Term(Settings):
    """One entry.

    Attributes:
        topic: Which part of the glossary it belongs to.
        name: The plain-language name.
        meaning: What it means, one sentence.
        symbol: The symbol or abbreviation; empty where there is none.
        explanation: What else is worth knowing; may be empty.
        reference: Where the paper defines it; may be empty.
        also: Other words people may look for.
    """

    topic: str
    name: str
    meaning: str
    symbol: str = ""
    explanation: str = ""
    reference: str = ""
    also: tuple[str, ...] = ()


def topics() -> dict[str, str]:
    """Topics in the order of reading, with the headings people see."""
    found: dict[str, str] = read_toml(_FILE)["topics"]
    return found


def glossary() -> tuple[Term, ...]:
    """All terms, in the order of reading and in the reader's language."""
    return _glossary(language())


@cache
def _glossary(code: str) -> tuple[Term, ...]:
    return tuple(Term.model_validate(term) for term in read_toml(_FILE)["term"])


def find(query: str) -> tuple[Term, ...]:
    """Terms that match every word of ``query``, those with a matching name or symbol first; all for an empty one."""
    words = query.casefold().split()
    found = [term for term in glossary() if all(word in _text(term) for word in words)]
    return tuple(sorted(found, key=lambda term: not all(word in _heading(term) for word in words)))


def _heading(term: Term) -> str:
    return f"{term.name} {term.symbol}".casefold()


def _text(term: Term) -> str:
    return " ".join((_heading(term), term.meaning, term.explanation, *term.also)).casefold()
