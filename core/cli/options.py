"""The options of ``python -m core audit``: one for each choice of :mod:`core.api.choices`, with its help."""

import functools
import inspect
import types
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import typer
from typer.core import TyperCommand

from core.base.errors import SettingsError
from core.base.settings import help_of
from core.language.options import spelling
from core.language.phrases import listed

_ELSEWHERE = ("delta", "alpha", "metric", "settings")
"""Choices that the command has an option of its own for, or none."""


def chosen_by_options(command: Callable[..., None]) -> Callable[..., None]:
    """Mark a command whose ``**given`` are choices; registered as :class:`OptionsLater` it has an option for each."""
    return _with(command, [])


class OptionsLater(TyperCommand):
    """A command whose options are made when it is called, so that other commands do not wait for what they need."""

    def make_context(self, info_name: str | None, args: list[str], *given: Any, **more: Any) -> Any:
        """See the base class.

        Raises:
            SettingsError: An option is a setting of tests, which only a plan chooses.
        """
        from core.api.choices import Choices

        options = [_parameter(name) for name in Choices.model_fields if name not in _ELSEWHERE]
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        app.command(self.name)(_with(inspect.unwrap(cast(Callable[..., None], self.callback)), options))
        command = typer.main.get_command(app)
        known = {spelt for one in command.params for spelt in one.opts}
        for one in (arg.partition("=")[0] for arg in args):
            if one not in known and (tests := _tests_with(one)):
                raise SettingsError(
                    f"{one} is no option but a setting of {listed(tests)}.",
                    where=one,
                    advice=(
                        "Audit without it, write what record.json calls a test's plan into a file of its own, change "
                        "it there, and give that file to run."
                    ),
                )
        return command.make_context(info_name, args, *given, **more)


def _tests_with(option: str) -> list[str]:
    """The titles of the tests that have a setting which would be spelt so."""
    from core.audits import KINDS

    fields = {one.title: {*one.settings.model_fields, *one.decision.model_fields} - {"kind"} for one in KINDS.values()}
    return [title for title, names in fields.items() if option in map(spelling, names)]


def _with(command: Callable[..., None], options: list[inspect.Parameter]) -> Callable[..., None]:
    """A command as typer sees it, with these options besides its own."""

    @functools.wraps(command)
    def called(**given: Any) -> None:
        command(**given)

    own = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.kind is one.KEYWORD_ONLY]
    parameters = [*own, *options]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _parameter(name: str) -> inspect.Parameter:
    from core.api.choices import Choices

    info = Choices.model_fields[name]
    kind, many = _kind(info.annotation)
    told = f"{help_of(info)} Repeat for more." if many else help_of(info)
    option = typer.Option(spelling(name), help=told)
    default = info.default if kind is bool else None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind if kind is bool else kind | None, option],
    )


def _kind(annotation: Any) -> tuple[Any, bool]:
    """What an option reads for a choice of this type, and whether it may be repeated."""
    parts = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    if any(get_origin(one) is tuple for one in parts):
        return list[str], True
    (kind,) = [one for one in parts if one is not type(None)]
    if get_origin(kind) is Literal or kind in (str, int, float, bool):
        return kind, False
    return Path, False
