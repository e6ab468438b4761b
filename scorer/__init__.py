"""Scores finished board games: a record in, an itemised result out. No input or output, no other libraries."""
