"""scikit-learn estimators, as skops files."""

from core.language.told import say
from core.models.signature import Signature

SIGNATURE = Signature("sklearn", say("skops file"), holds=lambda entries: "schema.json" in entries)
