"""Settings for every test of the package."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no failure, so examples have no deadline of their own.
settings.register_profile("project", deadline=None)
settings.load_profile("project")
