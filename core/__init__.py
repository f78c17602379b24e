"""Evenhand: test whether a model treats similar people similarly.

>>> from core import audit
>>> a = audit("loans.csv", predictions="approved", outcome="repaid", favourable="yes")  # doctest: +SKIP
>>> a.verdict  # doctest: +SKIP
<Verdict.VIOLATION: 'violation found'>

The names below are imported when they are used (PEP 562), so that ``import core`` is light; :mod:`core.api` documents
them. Computations begin at :mod:`core.run`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.api import Audit as Audit
    from core.api import Claims as Claims
    from core.api import Comparison as Comparison
    from core.api import EvenhandError as EvenhandError
    from core.api import Finding as Finding
    from core.api import MadeModels as MadeModels
    from core.api import ModelFile as ModelFile
    from core.api import Scheduler as Scheduler
    from core.api import Verdict as Verdict
    from core.api import audit as audit
    from core.api import choose as choose
    from core.api import compare as compare
    from core.api import fairer as fairer
    from core.api import keep_file as keep_file
    from core.api import load_model as load_model
    from core.api import load_table as load_table
    from core.audits import ColumnSensitivity as ColumnSensitivity
    from core.audits import EqualizedOdds as EqualizedOdds
    from core.audits import GradientFlow as GradientFlow
    from core.audits import GroupFairness as GroupFairness
    from core.audits import TextSensitivity as TextSensitivity
    from core.audits import Transport as Transport
    from core.metrics import ComparablePairs as ComparablePairs
    from core.metrics import Expert as Expert
    from core.metrics import ProtectedStatus as ProtectedStatus
    from core.metrics import SensitiveSubspace as SensitiveSubspace
    from core.metrics import TextSwaps as TextSwaps


def __dir__() -> list[str]:
    import core.api
    import core.audits

    tests = (kind.settings.__name__ for kind in core.audits.KINDS.values())
    return sorted({*core.api.__all__, *tests})


def __getattr__(name: str) -> Any:
    if name[:1] != "_":
        import core.api
        import core.audits
        import core.metrics

        for module in (core.api, core.audits, core.metrics):
            if name in vars(module):
                return vars(module)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
