"""A skops file becomes an estimator that was built here."""

import warnings
from pathlib import Path
from typing import Any

from core.errors import ModelError, Notice
from core.language.told import say
from core.models.formats.skops.document import ADVICE, Node, read_document
from core.models.formats.skops.trusted import FUNCTIONS, PASSED_OVER, PLAIN


def load_skops(path: Path, name: str) -> tuple[Any, tuple[Notice, ...]]:
    """The estimator that a skops file describes, rebuilt from its checked parts, and what a reader has to know.

    Raises:
        ModelError: The archive is too large or damaged, names a type that is not on the list, holds no estimator, or
            one whose parts do not fit together.
    """
    import sklearn

    from core.models.formats.skops.rebuild import ESTIMATORS, rebuild

    document = read_document(path, name, PLAIN | PASSED_OVER | frozenset(ESTIMATORS), FUNCTIONS)
    if not isinstance(document.content, Node):
        raise ModelError(
            say(
                "The file holds a {kind}, which is no fitted classifier or regression model.",
                kind=type(document.content).__name__,
            ),
            where=name,
            advice=ADVICE,
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator = rebuild(document.content, name)
    except ModelError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0][:200]
        raise ModelError(
            say(
                "The parts of the {kind} in the file do not fit together ({error}).",
                kind=document.content.kind,
                error=type(error).__name__,
            ),
            where=f"{name}: {reason}" if reason else name,
            advice=ADVICE,
        ) from error
    return estimator, _version_notices(document.versions - {sklearn.__version__})


def _version_notices(others: frozenset[str]) -> tuple[Notice, ...]:
    if not others:
        return ()
    return (
        Notice(
            "warning",
            say("The model was saved with another version of scikit-learn than the one that reads it here."),
            say("Compare a few of the example predictions with the model's own."),
        ),
    )
