"""Texts: words, tokens, tokenisers and the networks that read them.

Imports the table (:mod:`core.data`) and nothing that is made of texts: models, metrics and sources import this package.
"""
