"""Evenhand's computations. Start reading at :mod:`core.run`."""
