"""What the checks of a tokenizer.json share: how a refusal is said, and which numbers a token may have."""

from typing import NoReturn

from typing_extensions import TypeIs

from core.base.errors import ModelError
from core.language.told import retold, say

MAXIMUM_TOKENS = 400_000
_AGAIN = say("Save it again with the library: tokenizer.save('tokenizer.json').")


class AbstractTokeniserCheck:
    """Checks of one file; every method raises :class:`ModelError` on what it does not accept.

    Args:
        name: How errors name the file.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def refuse(self, what: str, where: str = "", advice: str = _AGAIN) -> NoReturn:
        """Raise the error: what is wrong, where in the file, and what to do."""
        raise ModelError(what, where=f"{self.name}, {where}" if where else self.name, advice=retold(advice))


def is_token_number(value: object) -> TypeIs[int]:
    """Whether a value can be the number of a token."""
    return type(value) is int and 0 <= value < MAXIMUM_TOKENS
