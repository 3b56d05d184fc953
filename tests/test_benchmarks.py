"""The race: what it trains, how it counts arithmetic, that engines agree, what its tables say. No time is asserted."""

import json
import os

import numpy as np
import pytest

from benchmarks import field, machine, race, report, untuned, workloads
from benchmarks.engines import ENGINES

pytestmark = pytest.mark.slow

NETWORKS = list(workloads.WORKLOADS)
SMALL = workloads.made_up(600, 50)
for pictures in (SMALL["train_x"], SMALL["test_x"]):  # no two pixels are equal, so that no window of a max-pool ties
    pictures += 0.01 * np.random.default_rng(0).random(pictures.shape, dtype=np.float32)
PLAN = race.Plan(steps=4, rounds=2, judged=2, counted=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("race")
    race.prepare(SMALL, path, rounds=2)
    return path


def run(folder, network, racers, **options):
    """A race with the compiled code of all these tests, not with an empty cache: no time is looked at."""
    caches = {name: os.environ.get(name) for name in ("MINIGRAD_CACHE_DIR", "NUMBA_CACHE_DIR")}
    return race.run(network, racers, 1, PLAN, folder, SMALL, caches, **{"count": False, "thorough": False, **options})


@pytest.fixture(scope="module")
def rnn(folder):
    """A race in which one of three fails."""
    modes = ("compiled -nonsense", "replayed", "interpreted")
    return run(folder, "rnn", [("minigrad", mode) for mode in modes], count=True)


class TestWorkloads:
    @pytest.mark.parametrize(
        ("network", "batch", "lr", "epochs", "weights", "flop"),
        [
            # input 400x196x64 twice, state 100x64x64 three times three, dense 100x64x10 three times: 2 m n k each
            ("rnn", 100, 0.015, 5, 17_418, 2 * (2 * 400 * 196 * 64 + 9 * 100 * 64 * 64 + 3 * 100 * 64 * 10)),
            # windows of 9 in 26x26x6, twice; of 54 in 11x11x16, three times; 400x84 and 84x10, three times
            ("cnn", 100, 0.01, 5, 35_474,
             200 * (2 * 26 * 26 * 6 * 9 + 3 * 11 * 11 * 16 * 54 + 3 * 400 * 84 + 3 * 84 * 10)),
            ("autoencoder", 1, 0.02, 4, 344_000, 2 * (2 * 784 * 300 + 3 * 300 * 100 + 3 * 100 * 784)),
            # three blocks of 12 x 64 x 64 weights, 2048 rows, three times; 32 x 2080 pairs of 64 numbers, six times;
            # 33 letters, three times. No paper has it.
            ("gpt", None, None, None, 158_400,
             2 * (3 * (3 * 12 * 64 * 64 * 2048 + 6 * 32 * 2080 * 64) + 3 * 2048 * 64 * 33)),
        ],
    )  # fmt: skip
    def test_they_are_those_of_the_papers(self, network, batch, lr, epochs, weights, flop):
        """Their settings, how many weights they have, and the arithmetic of a step."""
        workload = workloads.WORKLOADS[network]()
        if batch is not None:
            assert (workload.batch, workload.lr, workload.epochs) == (batch, lr, epochs)
        assert sum(weight.size for weight in workload.first_weights().values()) == weights
        assert workload.flop == flop

    @pytest.mark.parametrize("network", NETWORKS)
    def test_the_judge_computes_what_the_model_computes(self, network):
        from benchmarks.engines.minigrad import MODELS
        from minigrad.training.train import predict

        workload = workloads.WORKLOADS[network]()
        weights = workload.first_weights(3)
        model = MODELS[network](workload, np.float32)
        model.load_state_dict(weights)
        data = workloads.data_of(workload, SMALL)
        x, y = data["test_x"], data["test_y"]
        output = predict(model, x)
        if network == "autoencoder":
            expected = np.square(output - x, dtype=float).sum() / len(x)
        else:
            expected = np.mean(output.argmax(axis=-1) == y)
        assert workloads.judge(workload, weights, x, y) == pytest.approx(expected, rel=1e-5)


@pytest.mark.thorough
class TestRace:
    def test_from_start_to_table(self, rnn):
        replayed, interpreted = rnn["rows"]
        assert len(replayed["seconds"]) == PLAN.rounds
        assert replayed["difference"] == 0
        assert interpreted["difference"] <= report.SAME
        assert 0 < replayed["losses"][1] < replayed["losses"][0]
        assert rnn["peak"] > 0
        if "bytes_per_step" in replayed["count"]:  # memray is there
            assert replayed["count"]["bytes_per_step"] < interpreted["count"]["bytes_per_step"]
        shown = report.race_text(rnn, [rnn])
        assert "minigrad, replayed" in shown
        assert "27.8 MFLOP" in shown

    @pytest.mark.torch
    @pytest.mark.turns
    @pytest.mark.parametrize("network", NETWORKS)
    def test_engines_train_the_same(self, folder, network):
        pytest.importorskip("torch", reason="compares with PyTorch")
        present = [name for name in ("pytorch", "jax") if not ENGINES[name].missing()]
        theirs = [(name, ENGINES[name].modes[network][0]) for name in present]
        result = run(folder, network, [("minigrad", "replayed"), *theirs])
        assert result["left_out"] == []
        assert max(row["difference"] for row in result["rows"]) <= report.SAME
        assert len({round(row["judged"], 3) for row in result["rows"]}) == 1

    @pytest.mark.torch
    @pytest.mark.turns
    @pytest.mark.parametrize("network", ["float64", "gru28", "strided", "gpt32"])
    def test_layers_are_the_same_everywhere(self, network, monkeypatch, tmp_path):
        """The losses of each engine are those of PyTorch in float64, with SGD and with Adam."""
        pytest.importorskip("torch", reason="compares with PyTorch")
        monkeypatch.setattr(untuned, "SECONDS", 0.0)
        caches = {name: os.environ.get(name) for name in ("MINIGRAD_CACHE_DIR", "NUMBA_CACHE_DIR")}
        engines = ["minigrad", "shards", "torch", *([] if ENGINES["jax"].missing() else ["jax"])]
        [result] = untuned.run([network], engines, 1, 1, caches, tmp_path)
        assert result["left_out"] == []
        assert [*result["engines"]] == engines
        assert max(row["differ"] for row in result["engines"].values()) <= report.SAME
        assert untuned.NETWORKS[network].title in untuned.steps_text([result], "one core", 1, 1)

    def test_an_engine_that_fails_is_left_out(self, rnn):
        assert [row["mode"] for row in rnn["rows"]] == ["replayed", "interpreted"]
        assert len(rnn["left_out"]) == 1
        assert "nonsense" in rnn["left_out"][0]

    def test_a_network_that_trains_otherwise_is_noticed(self):
        rows = [{"first_losses": [2.0, 1.0]}, {"first_losses": [2.0, 1.001]}]
        race.agree(rows)
        assert [row["difference"] for row in rows] == [0, pytest.approx(0.001)]
        assert "NOT THE SAME" in report.table(made_race(speeds={"minigrad": 1}, difference=0.001))[0][-1]

    def test_engines_of_a_pair_see_the_same_rows(self, folder):
        orders = np.load(folder / "orders.npy")
        assert orders.shape == (2, 600)
        assert all(np.array_equal(np.sort(order), np.arange(600)) for order in orders)
        assert not np.array_equal(*orders)


def made_race(speeds, threads=1, network="rnn", difference=0.0, title=None):
    """A race with the given steps/s, as `race.run` would have written it."""
    rows = [
        {
            "engine": engine, "title": title or ENGINES[engine].title, "mode": "a mode", "version": "1",
            "first_seconds": 100 / speed + 2, "seconds": [50 / speed, 100 / speed, 150 / speed],
            "processor_seconds": [50 / speed, 100 / speed, 150 / speed], "losses": [1.0], "final_loss": 0.5,
            "judged": 0.9, "difference": difference,
            "count": {"bytes_per_step": 1234.4, "allocations_per_step": 3.0, "bytes": 5678, "peak_bytes": 90},
        }
        for engine, speed in speeds.items()
    ]  # fmt: skip
    workload = workloads.WORKLOADS[network]()
    return {
        "network": network, "title": workload.title, "threads": threads, "batch": workload.batch, "steps": 100,
        "judged": 1, "flop": 10_000_000, "peak": 100.0, "load_before": 0.0, "rows": rows, "left_out": [],
    }  # fmt: skip


class TestReport:
    def test_the_ratio_is_to_the_best_peer(self):
        one = made_race({"minigrad": 300, "jax": 200, "pytorch": 100})
        two = made_race({"minigrad": 600, "jax": 150}, threads=2)
        for races in ([one], [one, two]):
            assert report.ratio(one, races) == (pytest.approx(1.5), "JAX")
        assert report.ratio(two, [one, two]) == (pytest.approx(3), "JAX on one core")
        for speeds in ({"minigrad": 300}, {"jax": 200}, {}):
            alone = made_race(speeds)
            assert report.ratio(alone, [alone]) is None

    def test_the_report_is_made_from_what_was_saved(self, tmp_path, capsys):
        results = {
            "when": "today", "quick": True, "machine": machine.describe(), "blas": {"as OpenBLAS chooses": 99.6},
            "data": "MNIST", "left_out": ["JAX is left out."], "races": [made_race({"minigrad": 300, "pytorch": 100})],
        }  # fmt: skip
        race.save(results, tmp_path / "new")
        saved = json.loads((tmp_path / "new" / "race.json").read_text())
        text = (tmp_path / "new" / "race.md").read_text()
        assert report.markdown(saved) == text
        for sentence in (
            "JAX is left out.",
            "as OpenBLAS chooses: 100 GFLOP/s",
            "3.00 times as fast",
            "| minigrad, a mode |",
        ):
            assert sentence in text
        assert len({line.count("|") for line in text.splitlines() if line.startswith("|")}) == 1


class TestField:
    def test_what_ended_an_engine_is_told(self, folder):
        task = {"engine": "no_such_engine", "mode": "", "network": "rnn", "sizes": {}, "threads": 1}
        with (
            field.Worker(folder, folder, task, {}) as worker,
            pytest.raises(field.WorkerError, match=r"no_such_engine.*ended with code 1: ModuleNotFoundError"),
        ):
            worker.ask("start", steps=1)
        assert worker.process.poll() is not None
