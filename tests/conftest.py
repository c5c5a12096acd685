"""Settings of hypothesis for all tests."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    # A machine under load must not fail a test, and a run is the same every time.
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("explore", settings.get_profile("ci"), derandomize=False)
# More examples are worth more if they are new ones; `--hypothesis-seed=N` repeats a run.
settings.load_profile("explore" if "SPATIAL_EXAMPLES" in os.environ else "ci")
