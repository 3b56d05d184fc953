"""The race: what it trains, how it counts arithmetic, that engines agree, what its tables say. No time is asserted."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import engines, field, ladder, machine, race, report, workloads
from benchmarks.engines import ENGINES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
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

    def test_arithmetic_grows_with_the_batch_and_with_the_square_of_the_hidden_units(self):
        assert workloads.rnn(batch=200).flop == 2 * workloads.rnn(batch=100).flop
        deep = [workloads.rnn(25, n, n, 20, 50).flop for n in (64, 128)]
        assert deep[1] / deep[0] == pytest.approx(4, rel=0.01)

    def test_first_weights_are_always_the_same(self):
        first, second = (workloads.cnn().first_weights() for _ in range(2))
        assert all(np.array_equal(first[name], second[name]) for name in first)

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

    def test_made_up_pictures_have_classes_that_can_be_told_apart(self):
        x, y = SMALL["train_x"], SMALL["train_y"]
        assert (x.dtype, x.shape, y.dtype) == (np.float32, (600, 784), np.int64)
        means = np.stack([x[y == k].mean(axis=0) for k in range(10)])
        assert np.mean((x @ means.T - np.square(means).sum(axis=1) / 2).argmax(axis=1) == y) > 0.99

    def test_without_mnist_on_this_machine_the_data_is_made_up_and_says_so(self, monkeypatch, tmp_path):
        monkeypatch.setenv("MINIGRAD_DATA", str(tmp_path))
        monkeypatch.setattr(workloads, "made_up", lambda train, test: {"train_x": (train, test)})
        title, arrays = workloads.load_data()
        assert "made-up" in title
        assert arrays["train_x"] == (60_000, 10_000)


@pytest.mark.thorough
class TestRace:
    def test_on_several_cores_minigrad_runs_in_fewer_shards_too(self):
        options = race.parse(["--networks", "rnn", "--threads", "1"])
        assert [race.modes("minigrad", "rnn", threads, options) for threads in (1, 2, 5)] == [
            ("compiled",), ("compiled", "compiled 1"), ("compiled", "compiled 1", "compiled 2", "compiled 4")
        ]  # fmt: skip
        assert race.modes("jax", "rnn", 5, options) == ENGINES["jax"].modes["rnn"][:1]

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

    def test_an_engine_that_fails_is_left_out_with_its_own_words_and_the_others_go_on(self, rnn):
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


class TestMissingEngines:
    def test_what_is_not_installed_or_needs_a_compiler_that_is_not_there_is_a_sentence(self):
        gone = engines.About("Some engine", "no_such_package", {}, "pip install it")
        assert gone.missing() == "Some engine is left out: it is not installed here (pip install it)."
        needy = engines.About("Some engine", "json", {}, "", ("no-such-compiler",))
        assert "needs a C++ compiler, one of no-such-compiler" in needy.missing()

    def test_when_all_are_missing_there_is_no_race(self, monkeypatch):
        gone = engines.About("Some engine", "no_such_package", {}, "pip install it")
        monkeypatch.setitem(ENGINES, "jax", gone)
        with pytest.raises(SystemExit, match=r"nobody to race.*Some engine is left out"):
            race.main(["--engines", "jax"])

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["--engines", "flux"], "unknown: flux; there is minigrad"),
            (["--networks", "gan"], "unknown: gan; there is rnn"),
            (["--threads", "100000"], "processors here"),
            (["--rounds", "0"], "1 or more"),
        ],
    )
    def test_a_wrong_argument_is_told(self, arguments, sentence, capsys):
        with pytest.raises(SystemExit):
            race.parse(arguments)
        assert sentence in capsys.readouterr().err


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
    def test_a_row(self):
        """Without memray bytes are not counted, and not 0."""
        one = made_race({"minigrad": 5000})
        (line,) = report.table(one)
        assert dict(zip(report.HEAD, line, strict=True)) == {
            "engine": "minigrad, a mode", "steps/s": "5,000", "min to max": "3,333 to 10,000", "s/epoch": "0.12",
            "of peak": "50 %", "compile s": "2.0", "bytes/step": "1,234", "allocations/step": "3.0",
            "bytes in all": "5,678", "loss": "0.5000", "test": "90.00 %", "losses differ by": "0e+00",
        }  # fmt: skip
        one["rows"][0]["count"] = {"notes": ["memray is missing"]}
        assert report.table(one)[0][6:9] == ("not counted",) * 3

    def test_the_fastest_comes_first(self):
        lines = report.table(made_race({"pytorch": 100, "minigrad": 300, "jax": 200}))
        assert [line[0].split(",")[0] for line in lines] == ["minigrad", "JAX", "PyTorch eager"]

    def test_the_ratio_is_to_the_best_peer_which_may_use_fewer_cores(self):
        one = made_race({"minigrad": 300, "jax": 200, "pytorch": 100})
        two = made_race({"minigrad": 600, "jax": 150}, threads=2)
        for races in ([one], [one, two]):
            assert report.ratio(one, races) == (pytest.approx(1.5), "JAX")
        assert report.ratio(two, [one, two]) == (pytest.approx(3), "JAX on one core")
        for speeds in ({"minigrad": 300}, {"jax": 200}, {}):
            alone = made_race(speeds)
            assert report.ratio(alone, [alone]) is None

    def test_the_summary_says_speed_ratio_and_share_of_the_peak(self):
        results = {"races": [made_race({"minigrad": 3000, "jax": 2000})]}
        assert report.summary(results) == (
            "RNN (paper B), one core: 3,000 steps/s, 1.50 times JAX, 30 % of the matmul peak"
        )
        assert "nothing to compare" in report.summary({"races": [made_race({"jax": 1})]})

    def test_a_machine_that_others_used_makes_the_figures_rough_and_it_says_so(self):
        one = made_race({"minigrad": 300})
        assert not any("ROUGH" in remark for remark in report.remarks(one, [one]))
        one["rows"][0]["processor_seconds"] = [0.5 * seconds for seconds in one["rows"][0]["seconds"]]
        assert any("ROUGH" in remark and "50 %" in remark for remark in report.remarks(one, [one]))

    def test_the_whole_report_is_made_from_what_was_saved(self, tmp_path, capsys):
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

    def test_a_process_runs_on_as_many_processors_as_it_has_threads(self):
        assert len(field.processors(1)) <= 1
        assert field.processors(machine.cores()) == field.processors(10**6)

    def test_the_package_itself_loads_no_engine(self):
        code = "import sys, benchmarks.race; sys.exit(bool({'torch', 'jax'} & set(sys.modules)))"
        assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


class TestLadder:
    def test_the_ladder_climbs_from_interpreted_to_all_passes_and_every_pass_can_be_taken_away(self):
        from minigrad.compiler.passes import PASSES

        modes = [mode for _, mode in ladder.rungs()]
        assert modes[:3] == ["interpreted64", "interpreted", "replayed"]
        assert modes[-1] == "compiled"
        switched_off = [mode.count("-") for mode in modes[3:]]
        assert switched_off == sorted(switched_off, reverse=True)
        modes = [mode for _, mode in ladder.one_pass_less()]
        assert modes == ["compiled", *(f"compiled -{name}" for name in PASSES)]

    def test_rungs_are_compared_with_the_first(self):
        one = made_race({"minigrad": 300})
        one["rows"] = [dict(made_race({"minigrad": speed})["rows"][0], rung=str(speed)) for speed in (100, 250)]
        assert [(line[0], line[2]) for line in ladder.table(one)] == [("100", "1.00"), ("250", "2.50")]
        assert "| 250 | 250 | 2.50 |" in ladder.markdown(
            {"machine": machine.describe(), "data": "MNIST", "ladders": [one]}
        )


class TestParts:
    def test_tables_for_people(self):
        from benchmarks import parts
        from benchmarks.parts import Part, Parts

        result = {"rnn": Parts([Part("forward", 3e-6, 2e-6, 4e4), Part("update", 1e-6, 0, 0)], peak=1e11)}
        text = parts.markdown(result, "a processor", 4e10)
        assert "a processor" in text
        assert "## RNN (paper B)" in text
        assert "| forward | 3.0 | 75% | 2.0 | 20.0 | 20% | 1.0 |" in text
        assert "Peak: products of 1024 x 1024, 100.0 GFLOP/s." in text
        assert text.endswith("The products take at least 1.0 microseconds, 25% of the step.\n")

    @pytest.mark.parametrize(
        "network", ["autoencoder", *(pytest.param(n, marks=pytest.mark.thorough) for n in NETWORKS)]
    )
    def test_each_network_has_a_table(self, network, monkeypatch, tmp_path, capsys):
        from benchmarks import parts

        monkeypatch.setattr(workloads, "load_data", lambda: ("made up", SMALL))
        table = parts.main(["--quick", "--networks", network, "--out", str(tmp_path)])[network]
        assert sum(row.operations for row in table.rows) == workloads.WORKLOADS[network]().flop
        assert repr(table) in capsys.readouterr().out
        assert table.note() in (tmp_path / "parts.md").read_text()


class TestFirstSteps:
    def test_each_start_has_seconds_of_the_clock_and_of_processors_and_its_own_folders(self, monkeypatch):
        from benchmarks import first_steps

        started, folders = [], []

        def start(task, folder, cache):
            started.append((task["network"], task["engine"], task["mode"]))
            folders.append(sorted(path.name for path in cache.glob("*/*")))
            (cache / "minigrad").mkdir(parents=True, exist_ok=True)
            (cache / "minigrad" / "left").touch()
            return 4.0 + len(started) % 3, 2.0

        def prepared(command, env, **options):
            Path(env["MINIGRAD_CACHE_DIR"]).mkdir(parents=True)
            (Path(env["MINIGRAD_CACHE_DIR"]) / "kernels").touch()

        monkeypatch.setattr(first_steps, "start", start)
        monkeypatch.setattr(first_steps.subprocess, "run", prepared)
        monkeypatch.setattr(workloads, "load_data", lambda: ("", SMALL))
        times = first_steps.measure(["rnn"], ["minigrad", "torch_compile"], 2)
        of_each_round = [("rnn", "minigrad", "compiled")] * 3 + [("rnn", "torch_compile", "hoisted 1")] * 2
        assert started == 2 * of_each_round
        assert folders == 2 * [[], ["kernels"], ["left"], [], ["left"]]
        text = first_steps.markdown(times, 2, "a processor")
        assert "| RNN (paper B) | minigrad, compiled | 2.0 (4.5) | 2.0 (5.5) | 2.0 (5.0) |" in text
        assert "| RNN (paper B) | torch.compile, hoisted 1 | 2.0 (4.5) |  | 2.0 (5.5) |" in text

    def test_a_worker_tells_the_processor_seconds_of_its_start(self, folder):
        task = {"network": "rnn", "sizes": {}, "threads": 1, "engine": "minigrad", "mode": "replayed"}
        with field.Worker(folder, folder, task, {"MINIGRAD_CACHE_DIR": os.environ.get("MINIGRAD_CACHE_DIR")}) as worker:
            answer = worker.ask("start", steps=1)
        assert answer["processor_seconds"] > 0 < answer["seconds"]


class TestChart:
    def test_it_draws_what_there_is_and_says_what_there_is_not(self, tmp_path, capsys):
        pytest.importorskip("matplotlib", reason="draws charts")
        from benchmarks import chart

        results = {"races": [made_race({"minigrad": 300, "jax": 200}), made_race({"minigrad": 400}, threads=2)]}
        (tmp_path / "race.json").write_text(json.dumps(results))
        chart.main(["--results", str(tmp_path), "--to", str(tmp_path)])
        assert "ladder: not drawn" in capsys.readouterr().out
        picture = (tmp_path / "race.svg").read_text()
        for colour in (chart.COLOURS["minigrad"], chart.COLOURS["jax"]):
            assert re.search(f"fill: {colour}", picture, re.IGNORECASE)
        chart.main(["--results", str(tmp_path), "--to", str(tmp_path)])
        assert (tmp_path / "race.svg").read_text() == picture
