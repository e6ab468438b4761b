"""Clubs: the people who share a link, what each link allows, and which device holds which right."""
