"""Files of every kind that XGBoost and LightGBM write, in several versions."""
