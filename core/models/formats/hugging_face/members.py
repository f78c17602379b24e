"""The files of a zipped Hugging Face folder: which are read, which are refused, which are left alone."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from core.archive import Archive
from core.base.errors import Caveat, ModelError
from core.language.phrases import count, first_few
from core.language.told import retold, say
from core.models.formats.hugging_face.config import CONFIG_NAME

WEIGHTS_NAME = "model.safetensors"
TOKENISER_NAME = "tokenizer.json"
TOKENISER_CONFIG_NAME = "tokenizer_config.json"
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".p", ".npy", ".npz")
_SHARD = re.compile(r"-\d+-of-\d+\.safetensors$")
_BESIDE = (".md", ".txt", ".gitattributes", ".gitignore", "special_tokens_map.json", "added_tokens.json", "merges.txt")
_SHOWN = 5

_SAVE = "model.save_pretrained(folder)"
_TO_SAFETENSORS = say(
    "On the machine that made it: {save}, which writes {weights_name} in a current version of the "
    "library, then zip the folder again.",
    save=_SAVE,
    weights_name=WEIGHTS_NAME,
)


def inside(archive: Archive, member: str) -> str:
    """How errors name a file of the archive."""
    return f"{archive.name}, {member}"


def check_names(archive: Archive) -> None:
    """Refuse archives by the files in them, before one is read.

    Raises:
        ModelError: Code, an adapter, weights in several files or in a pickle only, or a file that is missing.
    """
    names = {name: PurePosixPath(name).name.casefold() for name in archive.names}

    def found(*endings: str) -> str:
        return next((name for name, last in names.items() if last.endswith(endings)), "")

    if code := found(".py", ".pyc", ".so", ".dll", ".pyd"):
        raise ModelError(
            say("The archive holds program code, which is not run here."),
            where=inside(archive, code),
            advice=say(
                "Bring a model of an architecture that is part of the transformers library, and leave the code out."
            ),
        )
    if adapter := found("adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"):
        raise ModelError(
            say("This is an adapter: changes to another model, which it names and does not contain."),
            where=inside(archive, adapter),
            advice=say("Merge it where it was trained: model.merge_and_unload().save_pretrained(folder)."),
        )
    shard = next((name for name, last in names.items() if _SHARD.search(last)), "")
    if split := shard or found(".index.json"):
        raise ModelError(
            say("The weights are spread over several files by an index, which may point anywhere."),
            where=inside(archive, split),
            advice=say("Save them in one file: model.save_pretrained(folder, max_shard_size='100GB')."),
        )
    if WEIGHTS_NAME not in archive.names:
        raise _no_weights(archive, found(*_PICKLES), found(".safetensors"))
    if CONFIG_NAME not in archive.names:
        raise ModelError(
            say("The archive has no config.json beside the weights."),
            where=archive.name,
            advice=say("Save it: {save}.", save=_SAVE),
        )
    if TOKENISER_NAME not in archive.names:
        raise ModelError(
            say("The archive has no tokenizer.json; without it the library would silently read every text as empty."),
            where=archive.name,
            advice=say("Save it into the folder: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)."),
        )


def _no_weights(archive: Archive, pickled: str, elsewhere: str) -> ModelError:
    if pickled:
        return ModelError(
            say("The weights are a pickle: opening one runs whatever code it carries, so it is refused."),
            where=inside(archive, pickled),
            advice=retold(_TO_SAFETENSORS),
        )
    if elsewhere:
        return ModelError(
            say(
                "The weights are not where they are looked for: beside config.json, as {weights_name}.",
                weights_name=WEIGHTS_NAME,
            ),
            where=inside(archive, elsewhere),
            advice=say(
                "Call the file {weights_name}, and put it and the others into one folder.", weights_name=WEIGHTS_NAME
            ),
        )
    return ModelError(
        say("The archive has no {weights_name}.", weights_name=WEIGHTS_NAME),
        where=archive.name,
        advice=retold(_TO_SAFETENSORS),
    )


def unread(archive: Archive) -> Iterator[Caveat]:
    """Which files of the archive played no part."""
    read = {CONFIG_NAME, TOKENISER_NAME, TOKENISER_CONFIG_NAME, WEIGHTS_NAME}
    others = [name for name in archive.names if name not in read]
    pickled = [name for name in others if name.casefold().endswith(_PICKLES)]
    if pickled:
        yield Caveat(
            "info",
            say(
                "{files} of the archive may hold a pickle, which can run code; they were not opened: {names}.",
                files=count(len(pickled), "file"),
                names=first_few([one[:80] for one in pickled], _SHOWN),
            ),
            say("The weights were read from model.safetensors alone."),
        )
    if rest := [name for name in others if name not in pickled and not name.casefold().endswith(_BESIDE)]:
        yield Caveat(
            "info",
            say(
                "{files} of the archive played no part: {names}.",
                files=count(len(rest), "other file"),
                names=first_few([one[:80] for one in rest], _SHOWN),
            ),
        )
