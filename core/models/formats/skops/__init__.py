"""scikit-learn estimators, as skops files."""

from core.models.signature import Signature

SIGNATURE = Signature("sklearn", "skops file", holds=lambda entries: "schema.json" in entries)
