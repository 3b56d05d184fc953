"""Measure the savings and the cost of checkpoint policies: bytes kept and seconds of a loop of 200 steps, forward and
backward.

Run: python benchmarks/checkpointing.py. Times are medians of 7 interleaved runs on one thread; bytes are those of the
arrays alive after the backward pass, as NumPy's allocator reports them.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import statistics
import time
import tracemalloc

import numpy as np

import minigrad as mg

STEPS, N, INPUT, HIDDEN = 200, 50, 32, 64
POLICIES = ["everything", "states", 50, 10, "sqrt"]


def build(policy: object, u: mg.Variable, w: mg.Variable, xs: np.ndarray) -> mg.Graph:
    """The sum of all states of a tanh loop, forward and backward once."""

    def cell(h, x):
        h = mg.tanh(x @ w + h @ u)
        return h, mg.sum(h)

    graph = mg.Graph(mg.sum(mg.scan(cell, xs, np.zeros((N, HIDDEN), np.float32), policy)[1]))
    graph.backward()
    return graph


def main() -> None:
    """Measure all policies and print the table."""
    rng = np.random.default_rng(0)
    xs = rng.standard_normal((STEPS, N, INPUT)).astype(np.float32)
    w, u = (mg.Variable((0.1 * rng.standard_normal(s)).astype(np.float32)) for s in ((INPUT, HIDDEN), (HIDDEN, HIDDEN)))
    graphs, kept, gradients = [], [], []
    for policy in POLICIES:
        u.zero_grad()
        tracemalloc.start()
        graphs.append(build(policy, u, w, xs))
        snapshot = tracemalloc.take_snapshot()
        tracemalloc.stop()
        arrays = snapshot.filter_traces([tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)])
        kept.append(sum(trace.size for trace in arrays.traces))
        gradients.append(u.grad.copy())
    seconds: list[list[float]] = [[] for _ in POLICIES]
    for _ in range(7):
        for graph, times in zip(graphs, seconds, strict=True):
            start = time.perf_counter()
            graph.forward()
            graph.backward()
            times.append(time.perf_counter() - start)
    print(f"{STEPS} steps, batch {N}, {INPUT} inputs, {HIDDEN} hidden units, float32, one thread")
    print(f"{'policy':>12} {'MB kept':>9} {'ms a pass':>10} {'time':>6} {'largest gradient error':>23}")
    base = statistics.median(seconds[0])
    for policy, size, times, gradient in zip(POLICIES, kept, seconds, gradients, strict=True):
        error = abs(gradient - gradients[0]).max() / abs(gradients[0]).max()
        median = statistics.median(times)
        print(f"{policy!s:>12} {size / 1e6:9.2f} {1e3 * median:10.1f} {median / base:5.2f}x {error:23.1e}")


if __name__ == "__main__":
    main()
