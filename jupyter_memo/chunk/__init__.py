"""Sources to pieces: one reader for each kind of file, one way of fitting what they read into a model's window."""
