"""The kinds of test that are shipped, whose rooms are translated; to no list of these is a stranger's own held."""

from core.audits import KINDS
from core.contracts.kind import Kind
from tests.imports import REPOSITORY

SHIPPED: dict[str, Kind] = {
    name: kind for name, kind in KINDS.items() if (REPOSITORY / "core" / "audits" / name / "languages").is_dir()
}
