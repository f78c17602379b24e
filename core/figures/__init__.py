"""The table of figures: pure functions from results to plotly figures."""
