"""TOML files whose words are translated: the first line, ``# translated: title, text``, names the keys of messages."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from core.language.reader import language
from core.language.told import say


def read_toml(path: Path) -> dict[str, Any]:
    """A file of ours, its messages in the reader's language."""
    found: dict[str, Any] = _read(path, language())
    return found


@cache
def _read(path: Path, code: str) -> Any:
    content = path.read_text(encoding="utf-8")
    head = re.match(r"# translated: (.*)\n", content)
    keys = {key.strip() for key in head[1].split(",")} if head else set()
    return _said(tomllib.loads(content), "", keys)


def _said(tree: Any, key: str, keys: set[str]) -> Any:
    if isinstance(tree, dict):
        return {name: _said(part, name, keys) for name, part in tree.items()}
    if isinstance(tree, list):
        return [_said(part, key, keys) for part in tree]
    return say(tree) if isinstance(tree, str) and tree and key in keys else tree
