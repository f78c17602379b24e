"""Boosted trees of XGBoost (JSON, UBJSON) and LightGBM (text): answered behind the wall by the library that wrote them.

``inside`` is what runs there, ``said`` what is read of its word, ``categories`` finds which values have which numbers,
``columns`` finds the model's columns in the table, and ``source`` makes it a model.
"""

from core.language.told import say
from core.models.signature import Signature

_XGBOOST, _LIGHTGBM = b"learner", (b"tree\nversion=", b"tree\r\nversion=")


def _begins(head: bytes, size: int) -> bool:
    return head.startswith(_LIGHTGBM) or (head.lstrip()[:1] == b"{" and _XGBOOST in head[:200])


SIGNATURE = Signature("trees", say("file of boosted trees (XGBoost or LightGBM)"), begins=_begins)
