"""Files of built-in sources: from a local folder, or fetched once into a cache; never used without its checksum."""

import hashlib
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.base.errors import SourceError
from core.base.files import home
from core.contracts.source import AbstractSource
from core.language.told import say

_TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class PublicFile:
    """A file on the web, or one that everybody brings.

    Attributes:
        folder: Its folder below ``EVENHAND_DATA`` and in the cache.
        name: The file's name.
        url: Where it comes from; empty if no address is known that gives these very bytes.
        sha256: What its bytes must hash to.
    """

    folder: str
    name: str
    url: str
    sha256: str


class AbstractPublished(AbstractSource):
    """A table made of published files.

    Attributes:
        published: The files.
    """

    published: ClassVar[tuple[PublicFile, ...]]

    def fetch(self) -> None:
        """Download the files, or look for them where ``EVENHAND_DATA`` points."""
        for file in self.published:
            fetch(file)


def fetch(file: PublicFile) -> Path:
    """Where the file lies: below ``EVENHAND_DATA`` if it is there, otherwise in the cache, fetched at the first call.

    Raises:
        SourceError: There is no network, the bytes are not the ones expected, or there is nowhere to fetch them from.
    """
    local = os.environ.get("EVENHAND_DATA")
    if local and (found := Path(local) / file.folder / file.name).is_file():
        if hashlib.sha256(found.read_bytes()).hexdigest() != file.sha256:
            raise SourceError(
                say("The local copy of {name} is not the published file.", name=file.name),
                where=str(found),
                advice=say("Replace it by the file at {url}, or remove it to have that fetched.", url=file.url)
                if file.url
                else say("Put the right file there; its SHA-256 is {sha256}.", sha256=file.sha256),
            )
        return found
    if not file.url:
        raise SourceError(
            say("The file {name} is not on this machine, and no public address of it is known.", name=file.name),
            where=f"SHA-256 {file.sha256}",
            advice=say("Put the file into the folder {folder}, or bring a table of your own.", folder=_manual(file)),
        )
    return _download(file)


def _download(file: PublicFile) -> Path:
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    folder = home() / "data" / file.folder
    try:
        kept = pooch.retrieve(
            file.url,
            known_hash=f"sha256:{file.sha256}",
            fname=file.name,
            path=folder,
            downloader=pooch.HTTPDownloader(timeout=_TIMEOUT_SECONDS),
        )
    except ValueError as error:
        raise SourceError(
            say("The file {name} that was fetched is not the published one (its SHA-256 differs).", name=file.name),
            where=file.url,
            advice=say("Try again later, or put the right file into the folder {folder}.", folder=_manual(file)),
        ) from error
    except OSError as error:
        raise SourceError(
            say("The file {name} could not be fetched.", name=file.name),
            where=file.url,
            advice=say("Connect to the network, or put the file into the folder {folder}.", folder=_manual(file)),
        ) from error
    return Path(kept)


def _manual(file: PublicFile) -> str:
    return say("{folder}/ below the folder that the environment variable EVENHAND_DATA names", folder=file.folder)
