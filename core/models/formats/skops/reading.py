"""A skops file inside the wall: skops itself loads it, with its own list of types and a fixed one beside it."""

import importlib
import json
import re
import warnings
from pathlib import Path
from typing import Any

import sklearn

from core.archive import Limits, open_archive
from core.base.errors import ModelError
from core.language.told import say
from core.models.formats.skops.library import UntrustedTypesFoundException, skops_io
from core.models.formats.skops.older import mend, provide, refuse_other_answers
from core.models.formats.skops.said import MOST_VERSIONS
from core.models.formats.skops.trusted import ADVICE, INSTEAD, TRUSTED
from core.wall.inside import RefusedError

_MAXIMUM_BYTES = 256 * 2**20
_MAXIMUM_SCHEMA = 128 * 2**20
_ENTRY = re.compile(r"^(schema\.json|[\w-]+\.(npy|npz|bin))$")
_TYPES_SHOWN = 6

LIMITS = Limits(
    error=ModelError,
    again=ADVICE,
    smaller=ADVICE,
    entries=100_000,
    directory=16 * 2**20,
    unpacked=2**30,
    entry_bytes=2**30,
    ratio=100,
    zip64=True,
    damaged=say("The skops file is damaged or cut off."),
)


def read_estimator(path: Path) -> tuple[Any, tuple[str, ...]]:
    """The object that a skops file holds, and the versions of scikit-learn that wrote its parts.

    Raises:
        RefusedError: The archive is too large or damaged, names a type that is neither on skops' list nor on the fixed
            one, or was written by a scikit-learn whose files the installed one does not read or answers otherwise.
    """
    versions = _check_archive(path)
    provide()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = skops_io.load(path, trusted=sorted(TRUSTED))
            refuse_other_answers(found, versions)
            mend(found)
        except (RefusedError, MemoryError):
            raise
        except UntrustedTypesFoundException as error:
            raise _untrusted(path, versions) from error
        except Exception as error:
            raise unreadable(error, versions) from error
    return found, versions


def unreadable(error: Exception, versions: tuple[str, ...]) -> RefusedError:
    """Why the installed scikit-learn cannot do what the file needs of it: its version, or what the file holds."""
    reason = f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}".removesuffix(": ")
    if others := [version for version in versions if version != sklearn.__version__]:
        return other_version(others, reason)
    return RefusedError(
        say("scikit-learn cannot make a model of what the file holds: its parts do not fit together."),
        say("Fit the model again with scikit-learn {version} and save it.", version=sklearn.__version__),
        reason,
    )


def other_version(others: list[str], reason: str) -> RefusedError:
    """The file needs the scikit-learn that wrote it."""
    return RefusedError(
        say(
            "The file was written by scikit-learn {theirs}, and scikit-learn {ours}, which is installed here, does not "
            "read such a model as that version did.",
            theirs=", ".join(others[:3]),
            ours=sklearn.__version__,
        ),
        say(
            "Fit the model again with scikit-learn {ours} and save it with skops.io.dump, export it as ONNX, or put "
            "its answers into a column of the table.",
            ours=sklearn.__version__,
        ),
        reason,
    )


def _check_archive(path: Path) -> tuple[str, ...]:
    if (size := path.stat().st_size) > _MAXIMUM_BYTES:
        raise RefusedError(
            say("The file has {size} MB; at most {most} MB are read.", size=size >> 20, most=_MAXIMUM_BYTES >> 20),
            ADVICE,
        )
    try:
        archive = open_archive(path, "", LIMITS)
        if strange := next((entry for entry in archive.names if not _ENTRY.match(entry)), ""):
            raise RefusedError(
                say("The archive holds a file that skops does not write: {file}.", file=repr(strange)), ADVICE
            )
        return _versions(json.loads(archive.read("schema.json", _MAXIMUM_SCHEMA)))
    except ModelError as error:
        raise RefusedError(error.what, error.advice, error.where.lstrip(", ")) from error
    except (ValueError, RecursionError) as error:
        raise RefusedError(say("The skops file is damaged or cut off."), ADVICE) from error


def _versions(schema: Any) -> tuple[str, ...]:
    """Versions of scikit-learn that the file's parts name, in order."""
    found, waiting = set(), [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            version = node.get("_sklearn_version")
            if isinstance(version, dict) and isinstance(said := version.get("content"), str):
                found.add(said.strip('"')[:20])
            waiting.extend(node.values())
    return tuple(sorted(found))[:MOST_VERSIONS]


def _untrusted(path: Path, versions: tuple[str, ...]) -> RefusedError:
    others = sorted(set(skops_io.get_untrusted_types(file=path)) - TRUSTED)
    gone = [name for name in others if name.startswith(("sklearn.", "scipy.")) and not _exists(name)]
    if gone and (theirs := [version for version in versions if version != sklearn.__version__]):
        return other_version(theirs, gone[0])
    return RefusedError(
        say(
            "The file holds {types}, not on the fixed list of what is opened here.",
            types=", ".join(others[:_TYPES_SHOWN]) + (", …" if len(others) > _TYPES_SHOWN else ""),
        ),
        next((advice for of, advice in INSTEAD.items() if any(name.startswith(f"{of}.") for name in others)), ADVICE),
    )


def _exists(name: str) -> bool:
    module, _, kind = name.rpartition(".")
    try:
        return hasattr(importlib.import_module(module), kind)
    except ImportError:
        return False
