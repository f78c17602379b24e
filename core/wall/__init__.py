"""The wall between a stranger's model file and everything else: one for command line, Python and pages.

Each file is opened and answered in a child of its own, by the library that wrote it (:mod:`core.wall.behind`), and only
checked arrays and JSON of bounded length leave it; statistics, records and verdicts are made elsewhere, so that no
library that a file took over can write a verdict. What a format does inside is its module ``inside``
(:mod:`core.wall.inside`); what the child may not do is in :mod:`core.wall.sandbox`:

- It reads its one file, Python, the system's libraries and Evenhand's code; it writes nothing.
- It has no network and starts neither process, thread nor program. It signals, traces and changes nobody.
- Memory, seconds of computing for each question and seconds of waiting for each answer are limited. A child that dies,
  hangs or floods ends in a ``ModelError`` that names the file.
- It stands still unless it is asked something, and is asked only while the machine has the memory that it may come to
  hold; where memory runs out all the same, the kernel ends these children first.
- It goes with whoever opened the file. A process forks these children (:mod:`core.wall.forks`), so that a file opens in
  some 40 ms; a job of the dashboard has one of its own (:mod:`core.wall.forks_of_a_job`), confined as the job is.

Formats that do without, since no library but NumPy and Evenhand itself reads their bytes: safetensors, the LSTM archive
and the zipped folders of Hugging Face. Their headers are JSON that is checked against a schema, their weights are
numbers of a declared size and type, and the network is Evenhand's own code; a file can choose among layers, not bring
one. On a page they are read inside the job, which is confined too.

Where the system has no wall (:func:`core.wall.sandbox.missing_walls`), the child is still a process of its own with
limits, and :mod:`core.wall.trust` says which files are opened at all.
"""
