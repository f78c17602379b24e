"""How a model file that can run code becomes one that cannot: the lines for it, and those lines carried out.

Only :func:`convert` opens such a file, which runs whatever it carries; nothing but the command line calls it, and only
where somebody says that the file is trusted.
"""

import pickletools
import zipfile
from dataclasses import dataclass
from pathlib import Path

from core.archive import entry_names
from core.base.errors import ModelError, SettingsError
from core.language.told import say

_LOOKED_AT = 1 << 18
"""Bytes in which a pickle has named the class of its model."""


@dataclass(frozen=True)
class Converter:
    """Three lines of Python that convert a model.

    Attributes:
        packages: What they need, as pip names it.
        lines: They, with ``{file}`` and ``{out}`` for the names of the files.
        suffix: How the name of the converted file ends.
        width: Whether they need to know how many numbers the model reads (``{columns}``).
    """

    packages: tuple[str, ...]
    lines: tuple[str, str, str]
    suffix: str
    width: bool = False


_JOBLIB = "model = joblib.load({file!r})"
RECIPES = {
    "sklearn": Converter(
        ("scikit-learn", "skops"),
        ("import joblib, skops.io", _JOBLIB, "skops.io.dump(model, {out!r})"),  # verbatim
        ".skops",
    ),
    "xgboost": Converter(("xgboost",), ("import joblib", _JOBLIB, "model.save_model({out!r})"), ".json"),  # verbatim
    "lightgbm": Converter(
        ("lightgbm",),
        ("import joblib", _JOBLIB, "getattr(model, 'booster_', model).save_model({out!r})"),  # verbatim
        ".txt",
    ),
    "catboost": Converter(
        ("catboost",),
        (
            "from catboost import CatBoost",  # verbatim
            "model = CatBoost().load_model({file!r})",
            "model.save_model({out!r}, format='onnx')",
        ),
        ".onnx",
    ),
    "torch": Converter(
        ("torch", "safetensors"),
        (
            "import torch; from safetensors.torch import save_file",  # verbatim
            "model = torch.load({file!r}, map_location='cpu', weights_only=False)",
            "save_file(model.state_dict() if hasattr(model, 'state_dict') else model, {out!r})",  # verbatim
        ),
        ".safetensors",
    ),
    "torchscript": Converter(
        ("torch", "onnx"),
        (
            "import torch",  # verbatim
            "model = torch.jit.load({file!r}, map_location='cpu').eval()",
            "torch.onnx.export(model, (torch.zeros(1, {columns}),), {out!r}, dynamo=False)",  # verbatim
        ),
        ".onnx",
        width=True,
    ),
    "keras": Converter(
        ("keras", "tf2onnx"),
        (
            "import keras",  # verbatim
            "model = keras.models.load_model({file!r})",
            "model.export({out!r}, format='onnx')",
        ),
        ".onnx",
    ),
}
"""By what made the file."""


def maker_of(path: Path) -> str:
    """What made a model file that is refused, a key of :data:`RECIPES`; "" where that cannot be told.

    Reads the beginning of a pickle instruction by instruction, and runs none.
    """
    with path.open("rb") as stream:
        head = stream.read(_LOOKED_AT)
    if head.startswith(b"CBM1"):
        return "catboost"
    if head.startswith(b"\x89HDF\r\n\x1a\n"):
        return "keras"
    if head.startswith(b"PK"):
        return _maker_of_archive(path)
    named = [name.partition(".")[0] for name in _names(head)]
    return next((maker for maker in ("lightgbm", "xgboost", "torch", "sklearn") if maker in named), "")


def lines_for(path: Path, name: str) -> tuple[str, ...]:
    """The lines that convert exactly this file on the machine of whoever made it; none where that cannot be told."""
    maker = maker_of(path)
    return _lines(RECIPES[maker], name, _converted(name, RECIPES[maker]), "COLUMNS") if maker else ()


def convert(path: Path, out: Path, columns: int | None = None) -> str:
    """Open a trusted model file, which runs whatever it carries, and write it as one that cannot run anything.

    Args:
        path: The file.
        out: Where the converted one goes.
        columns: How many numbers the model reads, for TorchScript.

    Returns:
        The lines that were carried out.

    Raises:
        ModelError: What made the file cannot be told, or it cannot be opened or written.
        SettingsError: A library is missing, the number of columns too, or ``out`` ends otherwise.
    """
    try:
        maker = maker_of(path)
    except OSError as error:
        raise ModelError(say("The file cannot be read."), where=str(path), advice=say("Check its name.")) from error
    if not maker:
        raise ModelError(
            say("What made this file cannot be told."),
            where=str(path),
            advice=say("It is a pickle of scikit-learn, XGBoost, LightGBM or PyTorch, TorchScript, Keras or CatBoost?"),
        )
    recipe = RECIPES[maker]
    if recipe.width and columns is None:
        raise SettingsError(
            say("A TorchScript model does not say how many numbers it reads."),
            where="--columns",
            advice=say("Add --columns with that number."),
        )
    if out.suffix != recipe.suffix:
        raise SettingsError(
            say("The converted file must end with {suffix}.", suffix=recipe.suffix),
            where="--out",
            advice=say("Add --out {name}.", name=f"{out.stem}{recipe.suffix}"),
        )
    lines = "\n".join(_lines(recipe, str(path), str(out), str(columns)))
    try:
        exec(compile(lines, "<conversion>", "exec"), {})  # noqa: S102 - our own lines; the file is said to be trusted
    except ImportError as error:
        raise SettingsError(
            say("A library is missing: {name}.", name=error.name or str(error)),
            where=str(path),
            advice=say("Install it: pip install {packages}.", packages=" ".join(recipe.packages)),
        ) from error
    except Exception as error:
        raise ModelError(
            say("The file could not be converted: {error}", error=f"{type(error).__name__}: {error}"),
            where=str(path),
            advice=say(
                "Convert it with the versions of the libraries that made it, with these lines: {lines}",
                lines="; ".join(lines.splitlines()),
            ),
        ) from error
    return lines


def _lines(recipe: Converter, file: str, out: str, columns: str) -> tuple[str, ...]:
    return tuple(line.format(file=file, out=out, columns=columns) for line in recipe.lines)


def _converted(name: str, recipe: Converter) -> str:
    return f"{Path(name).stem}{recipe.suffix}"


def _maker_of_archive(path: Path) -> str:
    try:
        entries = entry_names(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ""
    inner = {entry.split("/", 1)[-1] for entry in entries}
    if any(entry.startswith("code/") for entry in inner) or "constants.pkl" in inner:
        return "torchscript"
    if "data.pkl" in inner:
        return "torch"
    return "keras" if "model.weights.h5" in entries else ""


def _names(head: bytes) -> list[str]:
    """Texts in a pickle's first instructions, modules of its classes among them."""
    found: list[str] = []
    try:
        for _, argument, _ in pickletools.genops(head):
            if isinstance(argument, str):
                found.append(argument)
    except (ValueError, IndexError, UnicodeDecodeError):
        pass
    return found
