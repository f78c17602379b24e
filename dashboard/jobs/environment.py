"""What a process that works for a job learns of the server's environment."""

import os

from core.base.memory import RESERVING_NOTHING
from core.base.settings import SECRETS
from core.register import DATABASE

_KEPT = (
    *("PATH", "HOME", "LANG", "TZ", "TMPDIR", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH"),
    *("DYLD_LIBRARY_PATH", "XDG_CACHE_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
)
_KEPT_FAMILIES = ("LC_", "EVENHAND_", "OMP_", "MKL_", "OPENBLAS_", "KMP_", "COV_", "COVERAGE_")


def harmless_environment() -> dict[str, str]:
    """A child's environment: neither passwords nor keys, nor secrets of models behind addresses."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_FAMILIES)}
    harmless = {name: value for name, value in kept.items() if name != DATABASE and not name.startswith(SECRETS)}
    return harmless | RESERVING_NOTHING
