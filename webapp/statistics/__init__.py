"""Statistics: what pages show of the sums that the history keeps."""
