"""How all tests run: no example is too slow on a busy machine, and a CI run tries the same examples every time."""

import os

from hypothesis import settings

settings.register_profile("gliding", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("gliding")
