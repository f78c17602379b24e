"""skops without torch, which takes longer to import than all the rest and more memory than most files.

skops lists the estimators that it trusts by importing every package of scikit-learn; one of them is the bridge to
torch, which no estimator needs.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_BRIDGE = "sklearn.externals.array_api_compat.torch"


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Let a package that is not imported yet count as missing until the block ends."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]


with _without(_BRIDGE):
    import skops.io as skops_io
    from skops.io._audit import NODE_TYPE_MAPPING
    from skops.io._protocol import PROTOCOL
    from skops.io._sklearn import LossNode, TreeNode
    from skops.io.exceptions import UntrustedTypesFoundException

__all__ = ["NODE_TYPE_MAPPING", "PROTOCOL", "LossNode", "TreeNode", "UntrustedTypesFoundException", "skops_io"]
