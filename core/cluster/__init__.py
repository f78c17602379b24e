"""Pieces of work on other machines, by Dask: an engine that others run already, behind :mod:`core.base.apart`.

Dask unpickles what its schedulers and workers receive, so whoever may talk to one may do there what its account may.
Of ours only strings cross: the name of a module and JSON, asked of one known function (``core.cluster.worker.serve``),
and the bytes of files, known by their fingerprints. Off this machine they cross ``tls://`` with certificates on both
sides, or not at all.
"""
