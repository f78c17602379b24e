"""Long work: the queue, the worker process and its sandboxed children."""
