"""The kinds of test that are shipped: those whose rooms are translated. A stranger's own is held to no list of these."""

from core.audits import KINDS
from core.contracts.kind import Kind
from tests.imports import REPOSITORY

SHIPPED: dict[str, Kind] = {
    name: kind for name, kind in KINDS.items() if (REPOSITORY / "core" / "audits" / name / "languages").is_dir()
}
