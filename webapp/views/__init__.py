"""Hold the pages of the site. Each module is a blueprint with the pages of one task."""
