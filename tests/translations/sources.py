"""What the product says, read from its source: messages to translate, and words that nobody can translate yet."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment
from jinja2.ext import babel_extract

REPOSITORY = Path(__file__).parents[2]
PLACES = ("core", "dashboard", "assets")
NO_SENTENCES = ("core/api/", "core/cli/", "core/register/migrations/", "dashboard/forget.py")
SAYS = {"say": 0, "say_as": 1, "say_count": 0, "count": 1}
"""Functions that translate, and where their message stands."""
NOT_SHOWN = re.compile(
    r"(ValueError|TypeError|KeyError|RuntimeError|AssertionError|NotImplementedError|LookupError|OSError|EOFError"
    r"|BrokenRulesError|PermissionError|AttributeError|OutboxError|ArgumentParser|add_argument"
    r"|compile|sub|match|search|fullmatch|finditer|findall|split"
    r"|debug|info|warning|exception|text|execute|getLogger|namedtuple|TypeVar|NewType|cast|filterwarnings)$"
)
"""Functions whose strings no user reads: errors and options of programs, patterns, logs, SQL."""
ASKED = {"values", "lists", "ours"}
"""Functions that are asked for what was found, by its name."""
SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|JOIN|WHERE|AND|ORDER|INTEGER|TEXT|REAL) ")
WORDS = re.compile(r"[A-Za-z]{2,}[,;:.]? +[A-Za-z{(]|\{\}[,;:]? +[A-Za-z]{2,}")
VERBATIM = "# verbatim"
"""Ends a line whose words are the same in every language: a citation, a statement of SQL, a style."""


@dataclass(frozen=True)
class Found:
    """A message and where it stands.

    Attributes:
        path: Its file, relative to the repository.
        line: Its line.
        message: What to translate, one form or two.
        about: What tells it from the same words elsewhere.
    """

    path: Path
    line: int
    message: str | tuple[str, str]
    about: str | None = None


def sources(suffix: str) -> list[Path]:
    """Files that may hold sentences: none of a room without a folder ``languages``, which speaks English."""
    paths = [path for place in PLACES for path in sorted((REPOSITORY / place).rglob(f"*{suffix}"))]
    english = tuple(f"{room.relative_to(REPOSITORY)}/" for room in _rooms() if not (room / "languages").is_dir())
    return [path for path in paths if not str(path.relative_to(REPOSITORY)).startswith((*NO_SENTENCES, *english))]


def _rooms() -> Iterator[Path]:
    """The folders of the kinds of test."""
    for place in ("core", "dashboard"):
        yield from (path.parent for path in sorted((REPOSITORY / place / "audits").glob("*/__init__.py")))


def messages() -> Iterator[Found]:
    """Every message of the product."""
    for path in sources(".py"):
        yield from messages_of(path)
    for path in sources(".toml"):
        yield from _in_toml(path)
    for path in sources(".html"):
        yield from _in_template(path)


def messages_of(path: Path) -> Iterator[Found]:
    """Messages of a Python file."""
    place = path.relative_to(REPOSITORY)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or _name(node) not in SAYS:
            continue
        name, given = _name(node), [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        words = [one for one in given if isinstance(one, str)]
        if name == "count" and words and len(node.args) > 1:
            one, many = words[0], (words[1:] or [words[0] + "s"])[0]
            yield Found(place, node.lineno, (f"{{n}} {one}", f"{{n}} {many}"))
        else:
            yield from _told_by(name, words, place, node.lineno)


def _told_by(name: str, words: list[str], place: Path, line: int) -> Iterator[Found]:
    """The message of one call with these strings."""
    if name == "say" and words:
        yield Found(place, line, words[0])
    elif name == "say_as" and len(words) == 2:
        yield Found(place, line, words[1], words[0])
    elif name == "say_count" and len(words) == 2:
        yield Found(place, line, (words[0], words[1]))


def _in_toml(path: Path) -> Iterator[Found]:
    """Values of the keys that the file's first line names: ``# translated: title, text``."""
    content = path.read_text(encoding="utf-8")
    head = re.match(r"# translated: (.*)\n", content)
    keys = {key.strip() for key in head[1].split(",")} if head else set()

    def walked(tree: object, key: str = "") -> Iterator[Found]:
        if isinstance(tree, dict):
            for name, part in tree.items():
                yield from walked(part, name)
        elif isinstance(tree, list):
            for part in tree:
                yield from walked(part, key)
        elif isinstance(tree, str) and key in keys and tree:
            yield Found(path.relative_to(REPOSITORY), 1, tree)

    yield from walked(tomllib.loads(content))


def _in_template(path: Path) -> Iterator[Found]:
    """Messages of a template: ``{{ say("…") }}`` and ``{{ say_as("…", "…") }}``."""
    options = {"trim_blocks": "true", "lstrip_blocks": "true"}
    with path.open("rb") as content:
        for line, name, given, _ in babel_extract(content, [*SAYS], [], options):
            words = [one for one in (given if isinstance(given, tuple) else (given,)) if isinstance(one, str)]
            yield from _told_by(name, words, path.relative_to(REPOSITORY), line)


def template_text(path: Path) -> Iterator[tuple[int, str]]:
    """Words of a template that stand outside any message."""
    source = path.read_text(encoding="utf-8")
    kept = re.sub(r"<(style|script).*?</\1>", lambda part: "\n" * part[0].count("\n"), source, flags=re.DOTALL)
    within = False
    for line, kind, text in Environment(autoescape=True).lex(kept):
        if kind == "data":
            tagged = f"<{text}" if within else text
            within = tagged.rfind("<") > tagged.rfind(">")
            bare = re.sub(r"<[^>]*>?", " ", tagged)
            if re.search(r"[A-Za-z]{2,}", re.sub(r"&\w+;", " ", bare)):
                yield line, " ".join(bare.split())


def unsaid(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a Python file that look like words for people and are not said: line and text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    silent: set[int] = set()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.Call) and _name(node) in SAYS:
            silent |= {id(one) for argument in node.args for one in ast.walk(argument)}
        elif isinstance(node, ast.Call) and _name(node) in ASKED:
            silent |= {id(one) for given in (*node.args, *node.keywords) for one in ast.walk(given)}
        elif isinstance(node, ast.Call) and NOT_SHOWN.search(_name(node)):
            silent |= {id(one) for one in ast.walk(node)}
        elif isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in silent:
            text = _text(node)
            silent |= {id(part) for part in ast.walk(node)} if isinstance(node, ast.JoinedStr) else set()
            ends = (lines[node.lineno - 1], lines[(node.end_lineno or node.lineno) - 1])
            shown = WORDS.search(text) and not SQL.match(text) and text not in _keys()
            if shown and not any(VERBATIM in end for end in ends):
                yield node.lineno, text


@cache
def _keys() -> frozenset[str]:
    """Values of the product's ``Literal`` types: names that programs compare, whatever they are called on a page."""
    texts = (path.read_text(encoding="utf-8") for path in sources(".py"))
    kinds = (node for text in texts if "Literal[" in text for node in ast.walk(ast.parse(text)))
    literals = (kind for kind in kinds if isinstance(kind, ast.Subscript) and _called(kind.value) == "Literal")
    parts = (part for kind in literals for part in ast.walk(kind.slice) if isinstance(part, ast.Constant))
    return frozenset(part.value for part in parts if isinstance(part.value, str))


def _text(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def _name(node: ast.Call) -> str:
    return _called(node.func)


def _called(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
