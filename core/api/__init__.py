"""Audit a model from Python.

>>> from core import audit
>>> a = audit("loans.csv", predictions="approved", outcome="repaid", favourable="yes")  # doctest: +SKIP
>>> a  # doctest: +SKIP
No violation found by any of the 2 tests: …

:func:`audit` takes a table and a model, or a column with its answers, and returns an :class:`Audit`: verdict, claims,
tables, pictures, report and record. Settings of tests and of how they are judged are given by their names, those of a
test also as an object: ``tests=[…]`` of the classes that ``core`` offers.
"""

from core.api.audited import Audit, Claims, Finding, Pictures
from core.api.bringing import ModelFile, keep_file, load_model, load_table
from core.api.comparing import Comparison, compare
from core.api.door import audit
from core.base.errors import EvenhandError
from core.cluster.address import Scheduler
from core.inference.estimate import Verdict
from core.metrics import ComparablePairs, Expert, ProtectedStatus, SensitiveSubspace, TextSwaps

__all__ = [
    "Audit",
    "Claims",
    "ComparablePairs",
    "Comparison",
    "EvenhandError",
    "Expert",
    "Finding",
    "ModelFile",
    "Pictures",
    "ProtectedStatus",
    "Scheduler",
    "SensitiveSubspace",
    "TextSwaps",
    "Verdict",
    "audit",
    "compare",
    "keep_file",
    "load_model",
    "load_table",
]
