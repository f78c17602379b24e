"""What a model file is, judged by its bytes and never by running any of it."""

import pickletools
import zipfile
from dataclasses import dataclass
from pathlib import Path

from core.archive import entry_names
from core.base.errors import ModelError
from core.language.phrases import lower_first, without_stop
from core.language.told import Retelling, retold, say
from core.models.formats import SIGNATURES

_CALLED = {found.format: found.called for found in SIGNATURES}
_PICKLE_SUFFIXES = (".pkl", ".pickle", ".joblib", ".p", ".sav")
_PICKLE_INSTRUCTIONS = 16
_MAXIMUM_ENTRIES = 100_000
_COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x5d\x00\x00": "lzma",
    b"\x04\x22\x4d\x18": "lz4",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x78\x01": "zlib",
    b"\x78\x5e": "zlib",
    b"\x78\x9c": "zlib",
    b"\x78\xda": "zlib",
    b"ZF": "zlib",
}

_TO_SAFETENSORS = say(
    "On the machine that made it, write the weights alone: from safetensors.torch import save_file; "
    "save_file(model.state_dict(), 'model.safetensors')."
)
_TO_SKOPS = say("On the machine that made it: import skops.io; skops.io.dump(model, 'model.skops').")
_TO_ONNX = say("On the machine that made it, export it as ONNX: torch.onnx.export(model, example_rows, 'model.onnx').")
_KERAS_TO_ONNX = say("On the machine that made it, export it as ONNX: model.export('model.onnx', format='onnx').")


@dataclass(frozen=True)
class _Refusal(Retelling):
    what: str
    advice: str

    def error(self, name: str) -> ModelError:
        return ModelError(self.what, where=name, advice=self.advice)


_PICKLE = _Refusal(
    say(
        "This is a pickle (also written by joblib, cloudpickle and torch.save): opening one runs "
        "whatever code it carries, so it is refused."
    ),
    say(
        "scikit-learn: {to_skops} PyTorch: {to_safetensors}",
        to_skops=lower_first(_TO_SKOPS),
        to_safetensors=lower_first(_TO_SAFETENSORS),
    ),
)
_TORCH_SAVE = _Refusal(
    say(
        "This is a PyTorch checkpoint written by torch.save, which holds a pickle: opening one can run "
        "code, so it is refused."
    ),
    _TO_SAFETENSORS,
)
_TORCHSCRIPT = _Refusal(
    say(
        "This is a TorchScript archive: it carries a program, and running a stranger's program is not "
        "safe, so it is refused."
    ),
    say("{to_safetensors}, or: {to_onnx}", to_safetensors=without_stop(_TO_SAFETENSORS), to_onnx=_TO_ONNX),
)
_PT2 = _Refusal(
    say("This is a torch.export archive (.pt2): crafted ones run code when they are opened, so it is refused."),
    _TO_ONNX,
)
_KERAS = _Refusal(
    say("This is a Keras model, which may carry Python code in its layers, so it is refused."), _KERAS_TO_ONNX
)
_CATBOOST = _Refusal(
    say("This is a CatBoost model, which is not read here."),
    say("On the machine that made it, export it as ONNX: model.save_model('model.onnx', format='onnx')."),
)
_TFLITE = _Refusal(say("This is a TensorFlow Lite model, which is not read here."), _KERAS_TO_ONNX)
_SPREADSHEET = _Refusal(
    say("This is a spreadsheet, not a model."),
    say("If it holds a model's answers, bring it as the table and choose the column with the predictions."),
)
_UNKNOWN = _Refusal(
    say("This is no model file that can be read here."),
    say(
        "Bring safetensors (PyTorch weights), ONNX, skops (scikit-learn), XGBoost's .json or .ubj, "
        "LightGBM's .txt, or for texts a zip of a Hugging Face folder; or put the model's answers into a "
        "column of the table and choose it as the prediction."
    ),
)


def recognise(path: Path, name: str) -> str:
    """The format of a model file, by its content; a key of ``core.models.MODEL_FORMATS``.

    Reads a few hundred bytes, and for a zip archive the list of its entries.

    Raises:
        ModelError: The format is refused or unknown; the advice says how to convert it.
    """
    with path.open("rb") as stream:
        head = stream.read(4096)
    if not head:
        raise ModelError(say("The model file is empty."), where=name, advice=say("Export the model again."))
    if head.startswith(b"PK"):
        return _recognise_archive(path, name)
    found = _recognise_bytes(head, path.stat().st_size, Path(name).suffix.lower())
    if isinstance(found, _Refusal):
        raise found.error(name)
    return found


def require_format(expected: str, path: Path, name: str) -> None:
    """Check that the file's content is of the expected format.

    Raises:
        ModelError: It is another format, refused, or unknown.
    """
    found = recognise(path, name)
    if found != expected:
        raise ModelError(
            say(
                "This is a {called}, whatever its name says; a {needed} is needed here.",
                called=retold(_CALLED[found]),
                needed=retold(_CALLED[expected]),
            ),
            where=name,
            advice=say("Choose the format that the file really has."),
        )


def _recognise_bytes(head: bytes, size: int, suffix: str) -> str | _Refusal:
    packer = next((name for magic, name in _COMPRESSED.items() if head.startswith(magic)), "")
    pickled = (head[0] == 0x80 and head[1:2] <= b"\x05") or suffix in _PICKLE_SUFFIXES
    rules: tuple[tuple[bool, str | _Refusal], ...] = (
        *((found.begins(head, size), found.format) for found in SIGNATURES),
        (head.startswith(b"\x89HDF\r\n\x1a\n"), _KERAS),
        (head[4:8] == b"TFL3", _TFLITE),
        (head.startswith(b"CBM1"), _CATBOOST),
        (bool(packer), _compressed(packer)),
        (pickled, _PICKLE),
        *((found.seems(head), found.format) for found in SIGNATURES),
        (_reads_like_a_pickle(head), _PICKLE),
        *((bool(suffix) and suffix == found.suffix, found.format) for found in SIGNATURES),
    )
    return next((answer for holds, answer in rules if holds), _UNKNOWN)


def _reads_like_a_pickle(head: bytes) -> bool:
    """Whether the bytes begin with instructions of a pickle; the old protocols have no magic number. Runs none."""
    count = 0
    try:
        for opcode, _, _ in pickletools.genops(head):
            count += 1
            if opcode.name == "STOP" or count > _PICKLE_INSTRUCTIONS:
                return count > 1
    except (ValueError, IndexError, UnicodeDecodeError):
        return count > _PICKLE_INSTRUCTIONS
    return False


def _compressed(packer: str) -> _Refusal:
    return _Refusal(
        say(
            "This file is compressed with {packer}, as joblib does with its pickles; it is not unpacked.", packer=packer
        ),
        say("scikit-learn: {to_skops} Otherwise unpack it first.", to_skops=retold(_TO_SKOPS)),
    )


def _recognise_archive(path: Path, name: str) -> str:
    try:
        entries = entry_names(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ModelError(
            say("The file begins like a zip archive and is damaged or cut off."),
            where=name,
            advice=say("Export it again."),
        ) from error
    if len(entries) > _MAXIMUM_ENTRIES:
        raise ModelError(
            say(
                "The archive has {entries} entries; at most {most} are read.",
                entries=len(entries),
                most=_MAXIMUM_ENTRIES,
            ),
            where=name,
            advice=say("Bring a smaller model, or its answers as a column of the table."),
        )
    inner = {entry.split("/", 1)[-1] for entry in entries}
    if any(entry.startswith("code/") for entry in inner) or "constants.pkl" in inner:
        raise _TORCHSCRIPT.error(name)
    if any("serialized_exported_program" in entry or "archive_format" in entry for entry in entries) or any(
        entry.startswith(("data/aotinductor", "models/")) for entry in inner
    ):
        raise _PT2.error(name)
    if "data.pkl" in inner or any(entry.endswith((".pkl", ".pickle")) for entry in entries):
        raise _TORCH_SAVE.error(name)
    if found := next((found.format for found in SIGNATURES if found.holds(entries)), ""):
        return found
    if "model.weights.h5" in entries or ("config.json" in entries and "metadata.json" in entries):
        raise _KERAS.error(name)
    if "[Content_Types].xml" in entries:
        raise _SPREADSHEET.error(name)
    raise _UNKNOWN.error(name)
