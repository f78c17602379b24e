"""The dashboard's server: ``streamlit run dashboard/app.py``."""

import sys
from functools import cache
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]
if str(REPOSITORY) not in sys.path:
    sys.path.insert(0, str(REPOSITORY))

import streamlit as st  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402
from streamlit import config, net_util  # noqa: E402
from streamlit.components.v2 import manifest_scanner  # noqa: E402

from core.base.files import make_private  # noqa: E402
from dashboard.door import Door  # noqa: E402
from dashboard.ends_of_runs import wait_for_ends_of_runs  # noqa: E402
from dashboard.health import routes  # noqa: E402
from dashboard.logs import begin  # noqa: E402
from dashboard.messages import show_fault  # noqa: E402
from dashboard.pages import prepare  # noqa: E402

_TURN = 0.001
"""Seconds after which a thread that computes lets others in (Python's own: 0.005). The one that sends pages waits for a
turn at every message, beside as many threads as there are visitors whose page is being made."""

sys.setswitchinterval(_TURN)
net_util.get_external_ip = net_util.get_internal_ip = lambda: None  # Streamlit would ask a host on the internet
manifest_scanner.scan_component_manifests = lambda max_workers=None: []
"""Streamlit would read what each installed package says of itself, for components that nobody here uses: 0.15 s."""
config.get_options_for_section = cache(config.get_options_for_section)
"""Streamlit goes through all its options six times to tell a browser its colours, at every run of a page or a part."""

begin("server")
wait_for_ends_of_runs()
make_private()
HOW: dict[str, Any] = {
    "lifespan": prepare,
    "routes": routes(),
    "middleware": [Middleware(Door)],
    "on_script_error": show_fault,
}
"""How the server works, whatever script it shows."""
app = st.App(REPOSITORY / "dashboard" / "script.py", **HOW)
