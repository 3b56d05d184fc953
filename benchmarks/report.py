"""Write a race's figures as text: one table for each network and number of processors, and a summary.

Everything here is computed from the saved results, so that a table can be made again from race.json.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

PICTURES = 60_000  # in an epoch
SAME = 5e-5  # losses that differ by less are the same to four decimals


def steps_per_second(row: dict[str, Any], race: dict[str, Any]) -> float:
    """The median over the rounds."""
    return race["steps"] / statistics.median(row["seconds"])


def best_peer(race: dict[str, Any]) -> tuple[float, str] | None:
    """Steps/s and name of the fastest engine that is not minigrad."""
    peers = [(steps_per_second(row, race), row["title"]) for row in race["rows"] if row["engine"] != "minigrad"]
    return max(peers, default=None)


def ours(race: dict[str, Any]) -> float | None:
    """Steps/s of minigrad's fastest row."""
    return max((steps_per_second(r, race) for r in race["rows"] if r["engine"] == "minigrad"), default=None)


def ratio(race: dict[str, Any], races: Sequence[dict[str, Any]]) -> tuple[float, str] | None:
    """minigrad over the best peer at its best number of processors, up to this race's; and who that peer is."""
    same = [r for r in races if r["network"] == race["network"] and r["threads"] <= race["threads"]]
    peers = [(*peer, r["threads"]) for r in same if (peer := best_peer(r))]
    speed_of_ours = ours(race)
    if speed_of_ours is None or not peers:
        return None
    speed, name, threads = max(peers)
    return speed_of_ours / speed, name if threads == race["threads"] else f"{name} on {cores(threads)}"


def share_of_peak(row: dict[str, Any], race: dict[str, Any]) -> float:
    """The FLOP/s of a row's matrix products as a fraction of what large square ones reach."""
    return race["flop"] * steps_per_second(row, race) / (race["peak"] * 1e9)


def compile_seconds(row: dict[str, Any], first: str = "first_seconds") -> float | None:
    """Building and the first round, without what a round takes anyway."""
    return max(0.0, row[first] - statistics.median(row["seconds"])) if row.get(first) is not None else None


def undisturbed(race: dict[str, Any]) -> float | None:
    """On one core: the share of the time in which the engines computed; less than 1 where others took the core."""
    if race["threads"] != 1 or not race["rows"]:
        return None
    return sum(sum(r["processor_seconds"]) for r in race["rows"]) / sum(sum(r["seconds"]) for r in race["rows"])


HEAD = (
    "engine", "steps/s", "min to max", "s/epoch", "of peak", "compile s", "bytes/step", "allocations/step",
    "bytes in all", "loss", "test", "losses differ by",
)  # fmt: skip


def table(race: dict[str, Any]) -> list[tuple[str, ...]]:
    """The rows as text, fastest first."""
    rows = []
    for row in sorted(race["rows"], key=lambda r: -steps_per_second(r, race)):
        counted = row.get("count") or {}
        speed = steps_per_second(row, race)
        compiling = f"{compile_seconds(row):.1f}"
        if (again := compile_seconds(row, "again_seconds")) is not None:
            compiling += f" ({again:.1f})"
        rows.append(
            (
                f"{row['title']}, {row['mode']}",
                f"{speed:,.0f}",
                f"{race['steps'] / max(row['seconds']):,.0f} to {race['steps'] / min(row['seconds']):,.0f}",
                f"{PICTURES / race['batch'] / speed:.2f}",
                f"{100 * share_of_peak(row, race):.0f} %",
                compiling,
                f"{max(0.0, counted['bytes_per_step']):,.0f}" if "bytes_per_step" in counted else "not counted",
                f"{max(0.0, counted['allocations_per_step']):,.1f}" if "bytes_per_step" in counted else "not counted",
                f"{counted['bytes']:,}" if "bytes" in counted else "not counted",
                f"{row['final_loss']:.4f}",
                f"{row['judged']:.3f}" if race["network"] == "autoencoder" else f"{100 * row['judged']:.2f} %",
                f"{row['difference']:.0e}" + ("" if row["difference"] <= SAME else " NOT THE SAME TRAINING"),
            )
        )
    return rows


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in columns: the first to the left, the others to the right."""
    lines = [head, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return "\n".join(
        "  ".join(
            c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    ruler = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ruler, *rows])


def cores(threads: int) -> str:
    return "one core" if threads == 1 else f"{threads} cores"


def remarks(race: dict[str, Any], races: Sequence[dict[str, Any]]) -> list[str]:
    """Return the notes under the table."""
    sentences = []
    if compared := ratio(race, races):
        sentences.append(f"minigrad is {compared[0]:.2f} times as fast as the best peer, {compared[1]}.")
    sentences.append(
        f"A step multiplies {race['flop'] / 1e6:.1f} MFLOP; this machine multiplies {race['peak']:.0f} GFLOP/s "
        f"(1024 x 1024 matrices, measured in the same run, {cores(race['threads'])})."
    )
    if "registers" in race:
        sentences.append(
            f"The multiply-add units of one core could do {race['registers']:.0f} GFLOP/s if nothing had to be loaded."
        )
    counts = [row.get("count_arrays", {}) for row in race["rows"]]
    exact = [count["bytes_per_step"] for count in counts if "bytes_per_step" in count]
    if exact:
        sentences.append(f"minigrad's own arrays, counted exactly: {max(exact):,.0f} bytes a step.")
    if (share := undisturbed(race)) is not None and share < 0.95:
        sentences.append(
            f"ROUGH: others used the machine meanwhile; the engines had their core {100 * share:.0f} % of the time. "
            "Measure again when it is quiet."
        )
    return [*sentences, *race["left_out"]]


def race_text(race: dict[str, Any], races: Sequence[dict[str, Any]]) -> str:
    """One race for the terminal."""
    return "\n".join([heading(race), aligned(HEAD, table(race)), *remarks(race, races)])


def heading(race: dict[str, Any]) -> str:
    rounds = len(race["rows"][0]["seconds"]) if race["rows"] else 0
    return (
        f"{race['title']}, batch {race['batch']}, {cores(race['threads'])}: medians of {rounds} rounds "
        f"of {race['steps']:,} steps"
    )


def summary(results: dict[str, Any]) -> str:
    """One line for each race."""
    lines = []
    for race in results["races"]:
        compared = ratio(race, results["races"])
        if compared:
            best = max((r for r in race["rows"] if r["engine"] == "minigrad"), key=lambda r: steps_per_second(r, race))
            share = 100 * share_of_peak(best, race)
            lines.append(
                f"{race['title']}, {cores(race['threads'])}: {ours(race):,.0f} steps/s, {compared[0]:.2f} times "
                f"{compared[1]}, {share:.0f} % of the matmul peak"
            )
    return "\n".join(lines) or "minigrad did not run beside another engine: nothing to compare."


def machine_text(about: dict[str, Any]) -> str:
    packages = ", ".join(f"{name} {version}" for name, version in about["packages"].items())
    avx = "with AVX-512" if about["AVX-512"] else "without AVX-512"
    system = f"{about['system']}, Python {about['Python']}"
    return f"{about['processor']} ({avx}), {cores(about['cores'])}, {system}\n{packages}"


def blas_text(tried: dict[str, float]) -> str:
    figures = "; ".join(f"{name}: {figure:.0f} GFLOP/s" for name, figure in tried.items())
    return f"OpenBLAS on one core: {figures}. The peak, and what multiplies with NumPy, run with the fastest."


def quick_sentences(engines: Sequence[str]) -> list[str]:
    """Describe the limits of a quick race."""
    sentences = [
        "A quick race: short rounds, so the figures are rough. Its networks share one folder of compiled programs, so "
        "only the first one's compile seconds are whole."
    ]
    if "torch_compile" in engines:
        sentences.append(
            "torch.compile takes part with one step a call, not with its best, and not in the CNN and the GPT."
        )
    sentences.append("The GPT takes part where it is named: `--networks gpt`.")
    return sentences


NOTES = """\
- steps/s, s/epoch: medians over rounds in which the engines take turns; "min to max": the slowest and the fastest one.
- of peak: the FLOP of a step's matrix products (benchmarks/workloads.py) per second, over that of 1024 x 1024 products.
- compile s: building and the first round less a median round; in brackets from the cache, in a new process.
- bytes/step: all bytes that a step allocates besides the loss that it returns, counted by memray for every engine
  alike, in a run that is not timed; bytes in all: of the longest counted round. Python's own: up to 2 KB a round, and
  some KB each tenth of a second in which minigrad's program comes back to Python, to look for Ctrl-C.
- loss: the mean over the last epoch. test: accuracy on the test pictures, or letters; for the autoencoder the mean
  sum of squares.
- losses differ by: at most, over the first 300 steps (100 of the CNN), |a - b| / max(1, |b|) against the first engine;
  5e-05 may be.
"""


def markdown(results: dict[str, Any]) -> str:
    """The whole report."""
    about = machine_text(results["machine"]).replace("\n", "  \n")
    parts = [
        f"# The race\n\n{results['when']}; data: {results['data']}.  \n{about}  \n{blas_text(results['blas'])}",
        *results["left_out"],
    ]
    for race in results["races"]:
        busy = f" Load of the machine before: {race['load_before']:.1f}."
        parts.append(
            f"## {heading(race)}\n\n{grid(HEAD, table(race))}\n\n{' '.join(remarks(race, results['races']))}{busy}"
        )
    return "\n\n".join([*parts, "## How to read it\n\n" + NOTES])
