"""The campaign: one table of operations, thousands of gradients, and wrong gradients planted to see them caught."""

import os

GRAPHS = int(os.environ.get("MINIGRAD_CAMPAIGN", 10_000))  # random graphs in a run; the other amounts follow
SEED = int(os.environ.get("MINIGRAD_CAMPAIGN_SEED", 1))  # tests/conftest.py sets another one in each run
# A shorter run asks a third of the most expensive questions, by its seed, and a quick one a sixth.
PARTS = 1 if GRAPHS >= 10_000 else 3 if GRAPHS >= 1_000 else 6
PART = SEED % PARTS
