"""The pages of the site: each module is one part of it (a room), a blueprint with its views."""
