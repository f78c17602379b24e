"""The pages people see, and the worker process that does their long work."""
