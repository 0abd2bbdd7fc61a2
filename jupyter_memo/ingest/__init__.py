"""Writing: what is on the disk or in a record becomes passages, whole sources at a time."""
