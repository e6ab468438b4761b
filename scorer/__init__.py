"""Score finished board games: turn a record into an itemised result, without input, output or other libraries."""
