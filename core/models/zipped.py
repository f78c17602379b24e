"""A model that comes as a zipped folder."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from core.archive import Archive, Limits, open_archive
from core.base.errors import ModelError
from core.language.told import say

LIMITS = Limits(
    error=ModelError,
    again=say("Zip the model's folder again with an ordinary program, without password or splitting."),
    smaller=say("Zip only the model's own files, without other formats and checkpoints, or bring a smaller model."),
    entries=1_000,
    directory=2**20,
    unpacked=2 * 2**30 + 128 * 2**20,
    entry_bytes=2 * 2**30,
    entry_ratio=200,
)


def open_folder(path: Path, name: str) -> Archive:
    """The files of a zipped folder, by their path in it.

    A folder that holds everything else is taken off the names; what macOS adds (``__MACOSX``, ``.DS_Store``) is left
    out.

    Raises:
        ModelError: The archive is refused, or holds no file of the model.
    """
    archive = open_archive(path, name, LIMITS)
    members = {
        member: found
        for member, found in archive.members.items()
        if not (member.startswith("__MACOSX/") or member.rsplit("/", 1)[-1] == ".DS_Store")
    }
    if not members:
        raise LIMITS.refusal(name, say("The archive holds no file."))
    folders = {member.split("/", 1)[0] if "/" in member else "" for member in members}
    if len(folders) == 1 and "" not in folders:
        members = {member.split("/", 1)[1]: found for member, found in members.items()}
    return replace(archive, members=MappingProxyType(members))
