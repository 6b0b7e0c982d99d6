"""How property tests run: the same examples each time where a change is judged."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("judging", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("judging")
