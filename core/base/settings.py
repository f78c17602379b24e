"""The base of every settings object: one definition for forms, records, the command line and reports."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo

from core.base.errors import SettingsError
from core.language.settings_words import what_is_wrong
from core.language.told import Retelling, retold, say

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)

SECRETS = "EVENHAND_SECRET_"
"""How the name of an environment variable begins that may hold a secret, which a setting names."""


class Settings(BaseModel):
    """Frozen settings. Two objects with equal fields have equal fingerprints."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex, 64 characters) of the settings as canonical JSON."""
        return self.fingerprint_without()

    def fingerprint_without(self, *names: str) -> str:
        """The same of all fields but these."""
        content = self.model_dump(mode="json", exclude=set(names))
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    @classmethod
    def idle(cls, *, numbers: bool) -> frozenset[str]:
        """The fields that change nothing, by whether the outcome is a number; nobody is asked for them or told them."""
        return frozenset()


class MadeByPeople(ModelMetaclass):
    """Settings that people make by their class in Python, and that say what is wrong in a sentence."""

    def __call__(cls, *args: Any, **given: Any) -> Any:  # noqa: N805 - the class is what is called
        """The settings.

        Raises:
            SettingsError: One is not what it should be, or is missing.
        """
        try:
            return super().__call__(*args, **given)
        except ValidationError as error:
            first = error.errors()[0]
            wrong, name = what_is_wrong(first), str((first["loc"] or ("",))[0])
            fields: dict[str, FieldInfo] = getattr(cls, "model_fields", {})
            raise SettingsError(
                say("The setting {name} of {kind} cannot be taken: {wrong}.", name=name, kind=cls.__name__, wrong=wrong)
                if name
                else f"{wrong}.",
                where=cls.__name__,
                advice=help_of(fields[name])
                if name in fields
                else say("Its settings are {names}.", names=", ".join(one for one in fields if one != "kind")),
            ) from error


def setting(
    default: Any = ...,
    *,
    label: str,
    help: str,
    symbol: str = "",
    unit: str = "",
    names: Mapping[str, str] | None = None,
    empty: str = "",
    example: str = "",
    counted: bool = False,
    **limits: Any,
) -> Any:
    """A pydantic field that also says how people read it.

    Args:
        default: The default value; ``...`` makes the field required.
        label: The plain-language name shown in forms and reports.
        help: One or two sentences for the tooltip.
        symbol: The paper's symbol, shown on demand ("λ").
        unit: The unit of the value ("steps", "rows").
        names: What people read for a choice whose own name would not tell them, by that name ("l2": "Ridge (L2)").
        empty: What it means when nothing is filled in ("all rows").
        example: What somebody might fill in.
        counted: Reports only count its entries, which are too long to be read there, or nobody's business.
        limits: pydantic's own constraints (``ge``, ``gt``, ``le``, ``lt``, ``min_length``, ``discriminator``).
    """
    extra: JsonDict = {
        "symbol": symbol,
        "unit": unit,
        "names": dict(names or {}),
        "empty": empty,
        "example": example,
        "counted": counted,
    }
    return Field(default, title=label, description=help, json_schema_extra=extra, **limits)


@dataclass(frozen=True)
class FieldWords(Retelling):
    """What people read of a field beside its label and its help, as :func:`setting` takes it."""

    symbol: str = ""
    unit: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    empty: str = ""
    example: str = ""
    counted: bool = False


def field_words(info: FieldInfo) -> FieldWords:
    """What :func:`setting` was told of a field; nothing for a field that was not made by it."""
    return FieldWords(**cast(dict[str, Any], info.json_schema_extra or {}))


def title_of(info: FieldInfo) -> str:
    """A field's plain-language name, in the reader's language."""
    return retold(info.title or "")


def help_of(info: FieldInfo) -> str:
    """What a field's tooltip says, in the reader's language."""
    return retold(info.description or "")


def name_of_choice(kind: type[Settings], field: str, value: object) -> str:
    """What people read for a choice of a field: the name declared in :func:`setting`, or the value itself."""
    return retold(field_words(kind.model_fields[field]).names.get(str(value), str(value)))
