"""Real skops files of every family of estimators, with the answers of the library that wrote them."""
