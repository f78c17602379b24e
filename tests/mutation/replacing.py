"""A fault put where it belongs: into functions that are there already, or into a module that is yet to be imported."""

import ast
import gc
import inspect
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.mutation.mutants import Mutant, mutated

Place = tuple[str, str, int]
"""Where code is written: its file, qualified name and first line."""


def place_of(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def name_of(module: str) -> str:
    """The name under which a file is imported."""
    return module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def changed_code(repository: Path, mutant: Mutant) -> list[CodeType] | None:
    """The code of the functions that the fault changes; none where it acts when its module is imported."""
    path = repository / mutant.module
    trees = ast.parse(path.read_text(encoding="utf-8")), mutated(repository, mutant)
    try:
        return _changed(*(compile(tree, str(path), "exec") for tree in trees))
    except _ActsAtImportError:
        return None


class _ActsAtImportError(Exception):
    """What differs runs when the module is imported."""


def _changed(sound: CodeType, faulty: CodeType) -> list[CodeType]:
    """The functions that differ below the code of a module or of a class."""
    if sound.co_code != faulty.co_code or len(sound.co_consts) != len(faulty.co_consts):
        raise _ActsAtImportError
    found = []
    for one, other in zip(sound.co_consts, faulty.co_consts, strict=True):
        if one == other and type(one) is type(other):
            continue
        if not (isinstance(one, CodeType) and isinstance(other, CodeType)):
            raise _ActsAtImportError
        if not one.co_flags & inspect.CO_OPTIMIZED:
            found += _changed(one, other)
        elif one.co_name.startswith("<") and one.co_name != "<lambda>":
            raise _ActsAtImportError
        else:
            found.append(other)
    return found


def functions_below(folder: Path) -> dict[Place, list[FunctionType]]:
    """Every function of a folder's modules that is alive."""
    found: dict[Place, list[FunctionType]] = {}
    gc.unfreeze()
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename.startswith(f"{folder}/"):
            found.setdefault(place_of(one.__code__), []).append(one)
    gc.freeze()
    return found


def import_with(repository: Path, mutant: Mutant) -> None:
    """Let the module have the fault from when it is imported next; nothing that imports it is kept."""
    sys.meta_path.insert(0, _Finder(repository, mutant))
    for name in [name for name in sys.modules if name.split(".")[0] == "core"]:
        del sys.modules[name]


class _Finder(MetaPathFinder):
    """Finds the module with the fault."""

    def __init__(self, repository: Path, mutant: Mutant) -> None:
        self.name = name_of(mutant.module)
        self.tree = mutated(repository, mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin, self.tree)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")
