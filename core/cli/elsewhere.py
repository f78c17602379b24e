"""The options of every command that computes: which workers do it."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

_HELP = {
    "scheduler": "Let workers of this Dask scheduler compute: tls://HOST:PORT; else EVENHAND_SCHEDULER, else here.",
    "tls_ca": "Certificate of the authority that signed those of scheduler and workers; else EVENHAND_TLS_CA.",
    "tls_cert": "Your own certificate, signed by it; else EVENHAND_TLS_CERT.",
    "tls_key": "The key of your certificate; else EVENHAND_TLS_KEY.",
}


_KINDS: dict[str, Any] = {"scheduler": str}


def computing_elsewhere(command: Callable[..., None]) -> Callable[..., None]:
    """A command that also has the options, and does its work where they say."""

    @functools.wraps(command)
    def called(**given: Any) -> None:
        from core.cluster.address import Scheduler
        from core.cluster.carrier import computing_on

        with computing_on(Scheduler(*(str(given.pop(name, None) or "") for name in _HELP))):
            command(**given)

    del called.__wrapped__  # whoever looks for the command finds this one
    own = list(inspect.signature(command, eval_str=True).parameters.values())
    last = [one for one in own if one.kind is one.VAR_KEYWORD]
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[_KINDS.get(name, Path) | None, typer.Option(help=told)],
        )
        for name, told in _HELP.items()
    ]
    parameters = [*(one for one in own if one not in last), *options, *last]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called
