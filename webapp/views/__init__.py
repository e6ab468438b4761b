"""The rooms of the site, one file each."""
