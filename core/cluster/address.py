"""Where a scheduler is, and what has to be true of an address before anything is said to it."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import ssl
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from core.base.errors import SettingsError
from core.language.told import say

_NAMES = ("EVENHAND_SCHEDULER", "EVENHAND_TLS_CA", "EVENHAND_TLS_CERT", "EVENHAND_TLS_KEY")
"""Environment variables that say where pieces are done, as the fields of a scheduler."""
_FORM = re.compile(r"(?P<protocol>tls|tcp)://(?:\[(?P<six>[0-9A-Fa-f:]+)\]|(?P<host>[^\s:/\[\]]+)):(?P<port>\d{1,5})")
_SECONDS = 10.0


def host_and_port(address: str) -> tuple[str, str, int] | None:
    """Protocol, host and port of an address; None where it has another form."""
    found = _FORM.fullmatch(address)
    return (found["protocol"], found["six"] or found["host"], int(found["port"])) if found else None


def is_safe(address: str) -> bool:
    """Whether an address is TLS's, or leads to this very machine."""
    found = host_and_port(address)
    if found is None:
        return False
    protocol, host, _ = found
    if protocol == "tls" or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Scheduler:
    """A Dask scheduler, and by what it and we prove who we are.

    Attributes:
        address: ``tls://HOST:PORT``; ``tcp://`` on this machine only.
        ca: File with the certificate of whoever signed both sides' certificates.
        cert: File with our certificate.
        key: File with its key.
    """

    address: str
    ca: str = ""
    cert: str = ""
    key: str = ""

    @classmethod
    def chosen(cls, given: str | Self = "") -> Self | None:
        """What is given, else what the environment says, else what Dask's own settings say of certificates.

        Returns:
            The scheduler; None where neither names one.

        Raises:
            SettingsError: It cannot be taken: Dask is not installed, or the address is of another form or unsafe.
        """
        known = cls(given) if isinstance(given, str) else given
        values = [
            getattr(known, one.name) or os.environ.get(name, "") for one, name in zip(fields(cls), _NAMES, strict=True)
        ]
        if not values[0]:
            return None
        _require_dask()
        import dask

        own = [dask.config.get(f"distributed.comm.tls.{name}", "") for name in ("ca-file", "client.cert", "client.key")]
        scheduler = cls(values[0], *(one or str(other or "") for one, other in zip(values[1:], own, strict=True)))
        scheduler._require_safe()
        return scheduler

    def _require_safe(self) -> None:
        if host_and_port(self.address) is None:
            raise SettingsError(
                say("The address of the scheduler is not of the form tls://HOST:PORT."),
                where=self.address,
                advice=say("Give the address that the scheduler says when it starts."),
            )
        if not is_safe(self.address):
            raise SettingsError(
                say("A scheduler on another machine is spoken to by tls:// only."),
                where=self.address,
                advice=say("Start scheduler and workers with certificates, and give its address as tls://."),
            )
        if not self.is_encrypted:
            return
        missing = [one.name for one in fields(self)[1:] if not getattr(self, one.name)]
        if missing:
            raise SettingsError(
                say("A scheduler at tls:// needs three files: {names}.", names="--tls-ca, --tls-cert, --tls-key"),
                where=say("missing: {names}", names=", ".join(f"--tls-{name}" for name in missing)),
                advice=say("Name them, or set them in Dask's own configuration."),
            )
        for name in ("ca", "cert", "key"):
            if not os.access(getattr(self, name), os.R_OK) or not Path(getattr(self, name)).is_file():
                raise SettingsError(
                    say("The file of a certificate or key cannot be read."),
                    where=f"--tls-{name} {getattr(self, name)}",
                    advice=say("Check the path and its permissions."),
                )

    @property
    def is_encrypted(self) -> bool:
        """Whether it is spoken to by TLS."""
        return self.address.startswith("tls://")

    def greet(self) -> None:
        """See whether it is there, and whether both sides' certificates are taken.

        Raises:
            SettingsError: It is not, or one is refused (says why).
        """
        found = host_and_port(self.address)
        if found is None:
            raise ValueError(self.address)
        _, host, port = found
        try:
            with socket.create_connection((host, port), timeout=_SECONDS) as plain:
                if not self.is_encrypted:
                    plain.recv(1)  # it speaks first, unless it is frozen
                else:
                    context = ssl.create_default_context(cafile=self.ca)
                    context.check_hostname = False  # as Dask: the authority signs for nobody else
                    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
                    context.load_cert_chain(self.cert, self.key)
                    with context.wrap_socket(plain) as secret:
                        secret.recv(1)  # it speaks first; a certificate of ours that it refuses is told here
        except ssl.SSLError as error:
            raise self._refused(error) from error
        except OSError as error:
            raise SettingsError(
                say("No scheduler answers: {reason}.", reason=error.strerror or str(error) or type(error).__name__),
                where=self.address,
                advice=say("Start it, or leave the scheduler out to compute on this machine."),
            ) from error

    def _refused(self, error: ssl.SSLError) -> SettingsError:
        reason = getattr(error, "verify_message", "") or (error.reason or "").replace("_", " ").lower() or str(error)
        return SettingsError(
            say("Scheduler and client do not take each other's certificates: {reason}.", reason=reason),
            where=self.address,
            advice=say("Check that both are signed by the authority of --tls-ca and have not expired."),
        )


def _require_dask() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            say("Dask is not installed, and computing elsewhere needs it."),
            advice=say(
                "Install it by {command}, here and where the workers are.",
                command="pip install -r core/cluster/requirements.txt",  # verbatim
            ),
        ) from error
