"""The notebook surface: mime bundles and magics."""
