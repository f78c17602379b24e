"""What checks of the source ask of a file: which modules it imports, what it names, which classes it has."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


@dataclass(frozen=True)
class Reading:
    """What stands in a file, from one walk through it.

    Attributes:
        imports: Modules that it imports anywhere, each with the names it takes from it, none where it takes all of it.
        words: Its names, attributes and whole strings.
        classes: Its classes.
        by_name: Whether it imports modules whose names are not written in it.
    """

    imports: tuple[tuple[str, tuple[str, ...]], ...]
    words: frozenset[str]
    classes: tuple[str, ...]
    by_name: bool


@cache
def read(source: str) -> Reading:
    """Read a file; once, however many checks ask."""
    imports: list[tuple[str, tuple[str, ...]]] = []
    words, classes, by_name = set[str](), [], False
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imports += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imports.append((node.module, tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.Call):
            called = getattr(node.func, "id", ""), getattr(node.func, "attr", "")
            by_name |= "import_module" in called and not isinstance(node.args[0], ast.Constant)
        said = (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "value", ""))
        words |= {word for word in said if isinstance(word, str)}
    return Reading(tuple(imports), frozenset(words), tuple(classes), by_name)


def modules(*tops: str) -> dict[str, Path]:
    """Every module below these folders, and its file."""
    paths = [path for top in tops for path in sorted((REPOSITORY / top).rglob("*.py"))]
    return {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__"): path for path in paths
    }


def imported(source: str, known: dict[str, Path]) -> set[str]:
    """Modules that a file imports anywhere: on top, in a function, or for types only."""
    found = set()
    for module, names in read(source).imports:
        found |= ({f"{module}.{name}" for name in names} & known.keys()) or {module}
    return found & known.keys()


def packages(source: str) -> set[str]:
    """The top-level packages that a file imports anywhere."""
    return {module.partition(".")[0] for module, _ in read(source).imports}
