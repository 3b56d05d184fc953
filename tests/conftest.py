"""Set before NumPy loads: one thread for each library. Tests run side by side in several processes, and two thread
pools in one process (NumPy's and PyTorch's) that wait for each other made a comparison eighty times slower."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
