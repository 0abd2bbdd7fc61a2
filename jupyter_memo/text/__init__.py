"""Words and query plans: pure text in, frozen values out."""
