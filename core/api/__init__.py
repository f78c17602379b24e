"""Audit a model from Python.

A fitted model, and people whom it was not trained on:

>>> from sklearn.linear_model import LogisticRegression
>>> from core import audit, load_table
>>> table, columns = load_table("hiring"), ["experience (years)", "test score"]
>>> model = LogisticRegression().fit(table[:2000][columns], table[:2000]["hired"])
>>> a = audit(
...     table[2000:3000], model=model, outcome="hired", favourable="yes", protected="gender", trained_on="other rows",
...     tests="group_fairness", progress=False,
... )
>>> a.verdict.value
'insufficient evidence'
>>> a.claims.to_frame()[["who", "against", "estimate", "low", "high", "said"]].shape
(4, 6)

In a notebook ``a`` alone shows the verdict, its numbers and a picture; :attr:`Audit.guesses` says what was guessed.

| to | see |
|---|---|
| audit a model, or a column with its answers | :func:`audit` with ``model=`` or ``predictions=`` |
| choose tests and their settings | ``tests=`` and further keywords of :func:`audit`, or classes of :mod:`core.audits` |
| say who counts as similar | ``metric=`` with a class of :mod:`core.metrics`, such as ``Expert(free=["age"])`` |
| read what was found | :class:`Audit`, and :class:`Finding` of one test: ``a["group_fairness"]`` |
| know what a column of claims holds | :meth:`Claims.to_frame` |
| see how each group is answered | :attr:`Audit.answers` |
| judge the same results by another tolerance | :meth:`Audit.under` |
| change a person and ask again | :meth:`Audit.edit` |
| keep it | :meth:`Audit.report` and :meth:`Audit.write` |
| repeat what was kept | ``python -m core run FOLDER/record.json --out OTHER`` |
| compare models on the same people | :func:`compare` |
| train a fairer model, and see what it costs | :func:`fairer` |
| choose the most accurate model within the tolerance | :func:`choose` |

Settings of tests and of how they are judged are given by their names, those of a test also as an object.
"""

from core.api.audited import Audit, Claims, Finding, Pictures
from core.api.bringing import ModelFile, keep_file, load_model, load_table
from core.api.comparing import Comparison, compare
from core.api.door import audit
from core.api.made import MadeModels, choose, fairer
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
    "MadeModels",
    "ModelFile",
    "Pictures",
    "ProtectedStatus",
    "Scheduler",
    "SensitiveSubspace",
    "TextSwaps",
    "Verdict",
    "audit",
    "choose",
    "compare",
    "fairer",
    "keep_file",
    "load_model",
    "load_table",
]
