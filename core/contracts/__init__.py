"""What others implement: a model, a metric, a source of rows, a kind of test and how it is decided."""
