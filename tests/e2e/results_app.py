"""A page that shows finished tests at once, for tests in a browser."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from dashboard.views.results import page as results
from tests.dashboard.results_made import several

results.show(*several(similarity="metric"))
