"""Benchmarks run one after another: what runs beside them would be timed too."""

import pytest


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    return 0
