"""A response as plain text, script-free HTML and tables. Pure: no clock, no model, no store."""
