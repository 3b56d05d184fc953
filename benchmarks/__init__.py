"""Benchmarks: minigrad beside PyTorch, torch.compile and JAX, and beside itself, rung by rung.

    make bench                  # everything, from a quarter of an hour to an hour
    make bench QUICK=1          # a short one, under three minutes

    python -m benchmarks.race       # four networks, four engines: who is fastest, who allocates least
    python -m benchmarks.ladder     # one network, from interpreted to compiled and sharded: what each rung brings

Reading order: workloads.py (what is trained, and how much arithmetic that is), engines/ (the same four networks in
each engine), engine_process.py (one engine in a process of its own), field.py (several workers take turns), race.py,
report.py, chart.py. README.md says how things are measured, and what came out.
"""
