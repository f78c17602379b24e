"""Which modules of the repository a file imports."""

import ast
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


def modules(*tops: str) -> dict[str, Path]:
    """Every module below these folders, and its file."""
    paths = [path for top in tops for path in sorted((REPOSITORY / top).rglob("*.py"))]
    return {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__"): path for path in paths
    }


def imported(source: str, known: dict[str, Path]) -> set[str]:
    """Modules that a file imports anywhere: on top, in a function, or for types only."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names & known.keys()) or {node.module}
    return found & known.keys()
