"""Compiled programs: what they compute, what they say about themselves, and what each pass is for."""

import math
import sys
import textwrap
from pathlib import Path

import numba
import numpy as np
import pytest
from scipy.special import ndtr

import minigrad as mg
import minigrad.native.convolution  # before `shaped` is replaced for programs: kernels keep theirs
from minigrad import nn
from minigrad.core.operation import Operation
from minigrad.native import compiled, jit, kernels, normal
from minigrad.training import optim, train
from tests.campaign import GRAPHS, PART, PARTS
from tests.fresh import printed
from tests.made_up_workloads import WORKLOADS, batch_of

pytestmark = pytest.mark.slow

in_both = pytest.mark.parametrize("mode", ["plain Python", pytest.param("machine code", marks=pytest.mark.compiled)])


@pytest.fixture(autouse=True)
def plain_python(request, monkeypatch):
    """The generated functions run as they are, in Python: the text is the same, and compiling takes seconds.

    Tests marked `compiled` are those in which the machine code matters. A module that is there already is not made
    again, so each kind of test has modules of its own.
    """
    if "compiled" in request.keywords:
        yield
        return
    for decorator in ("program", "main", "apart", "part"):
        monkeypatch.setattr(compiled, decorator, lambda function: function)
    monkeypatch.setattr(compiled, "shaped", compiled.shaped_in_python)
    for name in generated():
        monkeypatch.delitem(sys.modules, name)
    yield
    for name in generated():
        del sys.modules[name]


def generated():
    """The names of the modules that were made from programs."""
    return [name for name in sys.modules if name.startswith("minigrad_generated_")]


def rows(seed, n=24, inputs=6, classes=3):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    return (rng.standard_normal((n, inputs)) + labels[:, None]).astype(np.float32), labels


class Small(nn.Sequential):
    def __init__(self, dtype=np.float32):
        super().__init__(nn.Linear(6, 5, rng=0, dtype=dtype), nn.Tanh(), nn.Linear(5, 3, rng=1, dtype=dtype))


def small_step(optimizer=None, model=None, order=np.ascontiguousarray, **options):
    x, y = rows(0)
    model = model or Small()
    return model, mg.compile(model, nn.cross_entropy, optimizer or optim.SGD(0.1), order(x)[:8], y[:8], **options)


def workload_step(name, lr=None):
    """A paper's network and its compiled step: here, in one place, so that the program is the same for all tests."""
    workload = WORKLOADS[name]
    model = workload.make(np.float32)
    x, y = batch_of(name, np.random.default_rng(0), np.float32)
    return model, mg.compile(model, workload.loss, optim.SGD(lr or workload.lr), x, y)


def replay(model, optimizer, batches, loss=nn.cross_entropy, change=lambda parameters: None):
    """The losses of a training that runs its graph again, and the model after it."""
    step, losses = None, []
    for x, y in batches:
        step = step or train.Step(model, loss, x, y)
        losses.append(step.run(x, y))
        change(model.parameters())
        optimizer.step(model.parameters())
    return losses


def in_plain_python(program):
    """Run a test program with numba switched off: the text is the same, and nothing is compiled."""
    return printed(textwrap.dedent(program), NUMBA_DISABLE_JIT=1)


# ---------------------------------------------------------------- the same numbers


def graphs_of_each_batch(model, optimizer, batches, loss):
    """The losses of a training that builds a new graph for each batch."""
    losses = []
    for x, y in batches:
        value = loss(model(mg.Constant(x)), mg.Constant(y))
        losses.append(float(value.value))
        model.zero_grad()
        value.backward()
        optimizer.step(model.parameters())
    return losses


def with_random_last_bits(model, seed):
    """The model, each weight one float32 up or down, at random."""
    rng = np.random.default_rng(seed)
    for variable in model.parameters():
        towards = np.where(rng.random(variable.shape) < 0.5, -np.inf, np.inf).astype(np.float32)
        variable.value = np.nextafter(variable.value, towards)
    return model


@pytest.mark.compiled
@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("name", WORKLOADS)
def test_compiled_and_eager_losses_agree_over_many_steps(name):
    """Each engine stays as near to training in float64 as float32 can.

    How near that is, is measured: by trainings from weights whose last bit is random, which float32 cannot tell from
    the given ones. Training enlarges such a difference, the more the closer the network comes to telling the pictures
    apart, and by how much depends on the order in which a processor adds. So no constant holds everywhere; but
    four times the largest distance of three such trainings does, and a mistake of 1 % in the updates is far beyond it.
    """
    make, loss, _, lr, target = WORKLOADS[name]
    rng = np.random.default_rng(1)
    batches = [batch_of(name, rng, np.float32) for _ in range(50 if name == "CNN" else 300)]
    x, y = (np.concatenate(parts) for parts in zip(*batches, strict=True))

    exact = make(np.float64)
    for variable, start in zip(exact.parameters(), make(np.float32).parameters(), strict=True):
        variable.value = start.value.astype(np.float64)
    wide = [(a.astype(np.float64), b if target == "labels" else b.astype(np.float64)) for a, b in batches]
    expected = np.array(replay(exact, optim.SGD(lr), wide, loss))

    def far(losses, model):
        """The largest distances of a training from that in float64: of a loss, and of a weight after the last step."""
        weights = zip(model.parameters(), exact.parameters(), strict=True)
        return np.array([max(abs(losses - expected)), max(abs(a.value - b.value).max() for a, b in weights)])

    starts = [make(np.float32), *(with_random_last_bits(make(np.float32), seed) for seed in (0, 1))]
    float32 = np.max([far(replay(model, optim.SGD(lr), batches, loss), model) for model in starts], axis=0)
    # A loss that is the sum of n numbers is off by up to n roundings, in whichever order they are added.
    n = 784 if target == "pictures" else 100
    allowed = 4 * float32 + [n * np.finfo(np.float32).eps / 2 * expected.max(), 0]

    compiled, step = workload_step(name, lr)
    distance = far(step.epoch(x, y, np.arange(len(x))), compiled)
    assert (distance <= allowed).all(), f"compiled is {distance} from float64, {allowed} allowed"
    eager = make(np.float32)
    distance = far(graphs_of_each_batch(eager, optim.SGD(lr), batches, loss), eager)
    assert (distance <= allowed).all(), f"eager is {distance} from float64, {allowed} allowed"
    wrong, step = workload_step(name, 1.01 * lr)
    distance = far(step.epoch(x, y, np.arange(len(x))), wrong)
    assert (distance > 3 * allowed).all(), f"a mistake is {distance} from float64, and {allowed} allowed"


def test_each_pass_can_be_left_out():
    """One by one, and all together; for a network with a loop over time, one with pooling, one with a single row."""
    in_plain_python("""
        import numpy as np, minigrad as mg
        from minigrad import nn
        from minigrad.training import optim
        from minigrad.compiler.passes import PASSES

        class Recurrent(nn.Module):
            def __init__(self):
                self.rnn = nn.RNN(3, 4, num_layers=2, batch_first=True, checkpoint="states", rng=0)
                self.dense = nn.Linear(4, 3, rng=1)
            def forward(self, x):
                return self.dense(self.rnn(x.reshape(x.shape[0], 4, 3))[0][:, -1])

        class Pooled(nn.Sequential):
            def __init__(self):
                super().__init__(nn.Conv2d(1, 2, 3, rng=0), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                                 nn.Linear(8, 3, rng=1))
            def forward(self, x):
                return super().forward(x.reshape(x.shape[0], 1, 7, 7)[:, :, :6, :6])

        class Dense(nn.Sequential):
            def __init__(self):
                super().__init__(nn.Linear(12, 5, rng=0), nn.Sigmoid(), nn.Linear(5, 4, rng=1), nn.GELU(),
                                 nn.Linear(4, 3, rng=2))

        rng = np.random.default_rng(0)
        for make, inputs, n in ((Recurrent, 12, 4), (Pooled, 49, 4), (Dense, 12, 1)):
            x, y = rng.standard_normal((3 * n, inputs)).astype("f4"), rng.integers(0, 3, 3 * n)
            found = {}
            for off in [(), PASSES, *((name,) for name in PASSES)]:
                step = mg.compile(make(), nn.cross_entropy, optim.SGD(0.1), x[:n], y[:n], off=off)
                found[off] = step.epoch(x, y, np.arange(3 * n))
                np.testing.assert_allclose(found[off], found[()], rtol=1e-5, err_msg=str(off))
                said = dict(step.explain().rows)
                assert set(said) == set(PASSES) and all(said[name] == "switched off" for name in off), said
    """)


# ---------------------------------------------------------------- what it says about itself


def test_code_that_is_moved_is_the_same_program():
    """Whoever writes a line above a network does not wait for it to be compiled again."""
    cell = "model = Small()\nstep = mg.compile(model, nn.cross_entropy, optim.SGD(0.1), x, y)"
    x, y = rows(0)
    result = []
    for above in ("", "\n\n# a comment\n"):
        names = {**globals(), "x": x[:8], "y": y[:8]}
        exec(compile(above + cell, "<ipython-input-1>", "exec"), names)
        result.append(names["step"].path)
    assert result[0] == result[1]
    assert Path(result[0]).read_text() == names["step"].source
    assert names["step"]._built.module.step.__code__.co_filename == result[0], "a debugger steps through it"


def source_of(kind, steps, layers=1):
    """The text of the program for a recurrent network and its gradients."""
    x = mg.Constant(np.random.default_rng(0).standard_normal((2, steps, 4)).astype(np.float32))
    model = kind(4, 4, num_layers=layers, batch_first=True, rng=0)
    output = mg.sum(model(x)[0])
    return mg.compile_graph([output, *mg.adjoints(output, model.parameters())]).source


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_a_long_sequence_makes_no_longer_program(kind):
    source = source_of(kind, 100)
    assert "for t in range(100):" in source
    assert "range(99, -1, -1):" in source
    assert len(source.splitlines()) == len(source_of(kind, 400).splitlines()) < 180


def test_equal_layers_are_compiled_once():
    assert source_of(nn.RNN, 40, layers=6).count("for t") <= 6, "12 loops without it"


class Deep(nn.Module):
    """Layers over a batch that comes step by step, as time series do, and a number at the end."""

    def __init__(self):
        options = {"checkpoint": "states", "rng": 0, "dtype": np.float64}
        self.rnn = nn.RNN(3, 4, num_layers=2, batch_first=True, **options)
        self.dense = nn.Linear(4, 1, rng=1, dtype=np.float64)

    def forward(self, x):
        return self.dense(self.rnn(x)[0][:, -1])


@pytest.mark.compiled
def test_parts_are_compiled_once_for_each_shape():
    """Of two layers of one size and a third of another; in float64, since Adam enlarges what rounding does."""
    from minigrad.native.machine_code import ShapedArray

    rng = np.random.default_rng(0)
    x, y, order = rng.standard_normal((20, 6, 3)), rng.standard_normal((20, 1)), rng.permutation(20)
    step = mg.compile(Deep(), mg.mse, optim.Adam(0.05), x[:4], y[:4])
    seen = [*step.epoch(x, y, order), step(x[:4], y[:4])]
    batches = [(x[rows], y[rows]) for rows in (*np.split(order, 5), np.arange(4))]
    np.testing.assert_allclose(seen, replay(Deep(), optim.Adam(0.05), batches, mg.mse), rtol=1e-9)
    functions = {name: part for name, part in vars(step._built.module).items() if name.startswith("step")}
    assert len(functions) > 1
    for name, part in functions.items():
        (arguments,) = part.overloads
        assert any(isinstance(kind, ShapedArray) for kind in arguments), name
        assert not any(isinstance(kind, numba.types.Array) for kind in arguments), name


# ---------------------------------------------------------------- memory


@pytest.mark.compiled
def test_a_step_allocates_nothing():
    """In a process of its own with one thread: all of the process is counted, and pytest's threads would be as well.
    A run of the middle tier compiles a third of the networks.
    """
    pytest.importorskip("memray", reason="counts with memray")
    program = """
        import sys
        import threading
        import numpy as np
        from minigrad_course.measure import count_allocations
        from tests import test_attention
        from tests.test_compiler import WORKLOADS, batch_of, mg, optim, workload_step

        def least(step, x, y, steps):
            order, losses = np.tile(np.arange(len(x)), steps), np.zeros(steps, np.float32)
            step.epoch(x, y, order, out=losses)  # arrays kept from call to call are there now
            # Python itself asks for memory once in a while: that is not in the least of three counts.
            counts = [count_allocations(lambda: step.epoch(x, y, order, out=losses)) for _ in range(3)]
            return min((m.allocated_bytes, m.allocations) for m in counts)

        def twice(step, x, y):
            step._built._at_once = 1000  # one call of the program, however busy this computer is
            return least(step, x, y, 5), least(step, x, y, 25)

        def counted(name):
            if name != "GPT":
                return twice(workload_step(name)[1], *batch_of(name, np.random.default_rng(0), np.float32))
            batch, speller = test_attention.letters(3), test_attention.Speller(np.float32)
            return twice(mg.compile(speller, test_attention.spelling, optim.AdamW(0.01), *batch), *batch)

        print({name: counted(name) for name in sys.argv[1:]})
        assert threading.active_count() == 1
    """
    names = [*WORKLOADS, "GPT"][slice(PART, None, PARTS) if GRAPHS < 3_000 else slice(None)]
    counts = eval(printed(textwrap.dedent(program), *names))
    assert [*counts] == names
    for name, (few, many) in counts.items():
        assert few == many, name


# ---------------------------------------------------------------- shards


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [({"shards": 3}, ValueError, "a batch of 8 rows goes into 1, 2, 4, 8 equal shards, got 3"),
     ({"shards": 0}, ValueError, "shards >= 1"),
     ({"shards": True}, ValueError, "needs shards >= 1, .*; got True"),
     ({"shards": 2.0}, ValueError, "needs shards >= 1, .*; got 2.0"),
     ({"shards": 2, "threads": 3}, ValueError, "threads from 1 to shards"),
     ({"off": ("fuze",)}, ValueError, r"no pass \['fuze'\]"),
     ({"gradients": 3}, TypeError, "gradients is a function, such as .*, got an int")],
)  # fmt: skip
def test_wrong_options_get_a_sentence(options, error, sentence):
    with pytest.raises(error, match=sentence):
        small_step(**options)


def test_a_program_takes_each_input_once():
    x, y = mg.Variable(1.0, name="x"), mg.Variable(2.0, name="y")
    with pytest.raises(
        ValueError, match=r"inputs 0 and 2 are one and the same node, <x = Variable 1\.0>\. .*leave one"
    ):
        mg.compile_graph(x - y, [x, y, x])


@pytest.mark.parametrize("name", ['q"""', "..\\x", "../../evil", "/evil", "two\nlines", "", "\x00\ud800", 200 * "long"])
def test_a_program_may_have_any_name(name, tmp_path, monkeypatch):
    folder = tmp_path / "cache" / "of" / "programs"
    folder.mkdir(parents=True)
    monkeypatch.setattr(jit, "cache_folder", lambda: folder)
    x = mg.Variable(1.0, name="x")
    program = mg.compile_graph(x + 1, name=name)
    assert program(2.0) == 3
    model, (a, b) = Small(), rows(0)
    step = mg.compile(model, nn.cross_entropy, optim.SGD(0.1), a[:8], b[:8], name=name or None)
    assert np.isfinite(step(a[:8], b[:8]))
    assert len([file for file in tmp_path.rglob("*.py") if file.parent == folder]) == 2
    assert len(list(tmp_path.rglob("*.py"))) == 2


def test_a_loss_that_mixes_rows_has_no_shards():
    x, y = rows(0)
    with pytest.raises(ValueError, match="mean or a sum over the rows"):
        mg.compile(Small(), lambda o, t: mg.sum(o) ** 2, optim.SGD(0.1), x[:8], y[:8], shards=2)


@pytest.mark.compiled
@pytest.mark.turns
@pytest.mark.parametrize("shards", [1, 2])
def test_names_and_memory_order_change_nothing(shards):
    """Columns picked out of data and transposed weights come in Fortran's order; two weights may have one name."""
    x, y = rows(0)
    result = []
    for order, rename in ((np.ascontiguousarray, False), (np.asfortranarray, True)):
        model = Small()
        for layer in (model[0], model[2]) if rename else ():
            layer.weight = mg.Variable(order(layer.weight.value), name="weight")
            layer.bias = mg.Variable(layer.bias.value)
        _, step = small_step(model=model, order=order, shards=shards)
        result.append([*step.epoch(order(x), y, np.arange(24)[::-1]), step(order(x[:8]), y[:8])])
        assert [v.name for v in model.parameters()] == (
            ["weight", "bias"] * 2 if rename else [*dict(model.named_parameters())]
        )
    assert result[0] == result[1]


# ---------------------------------------------------------------- mistakes


def test_another_batch_size_gets_a_sentence():
    """Mistakes in the rows themselves: tests/campaign/refusals.py."""
    model, step = small_step()
    x, y = rows(0)
    before = model.state_dict()
    with pytest.raises(ValueError, match="compiled for batches of 8 rows, got 5"):
        step(x[:5], y[:5])
    for name, array in model.state_dict().items():
        np.testing.assert_array_equal(array, before[name])


def test_steps_for_two_batch_sizes_share_parameters():
    x, y = rows(0)
    model, optimizer = Small(), optim.SGD(0.1, momentum=0.9)
    large = mg.compile(model, nn.cross_entropy, optimizer, x[:16], y[:16])
    little = mg.compile(model, nn.cross_entropy, optimizer, x[16:], y[16:])
    losses = [large(x[:16], y[:16]), little(x[16:], y[16:]), large(x[:16], y[:16])]
    other, theirs = Small(), optim.SGD(0.1, momentum=0.9)
    expected = []
    for part in (slice(0, 16), slice(16, 24), slice(0, 16)):
        expected += replay(other, theirs, [(x[part], y[part])])
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def test_an_operation_without_a_kernel_is_named():
    class Mystery(Operation):
        name = "mystery"

        def value(self, a, out=None):
            return a + 1

    x = mg.Variable(np.ones(3), name="x")
    with pytest.raises(TypeError, match=r"does not know the operation mystery.*test_compiler\.py.*kernel"):
        mg.compile_graph(Mystery()(x))


class Scaled(nn.Module):
    """x times a weight, which an operation changes first."""

    def __init__(self, operation):
        self.operation, self.weight = operation, mg.Variable(np.arange(3.0), name="weight")

    def forward(self, x):
        return x * self.operation(self.weight)


def kernel_that_looks_up(k, place):
    """The same loop each time; k is in its closure, its defaults, a global, an array, or a function that it calls."""
    factor = {"array": "ks[0]", "function": "given()"}.get(place, "k")
    default = ", k=k" if place == "default" else ""
    names = {"k": k, "ks": np.array([k])}
    exec("def made(k):\n    def given():\n        return k\n    return given", names)
    names["given"] = numba.njit(names["made"](k))
    loop = f"def kernel(a, out{default}):\n    for i in range(a.size):\n        out[i] = a[i] * {factor}\n"
    if place == "closure":
        loop = "def outer(k):\n" + textwrap.indent(f"{loop}return kernel\n", "    ") + "kernel = outer(k)\n"
    exec(loop, names)
    return names["kernel"]


class Times(Operation):
    """k a, by a kernel of which only what it looks up says by how much."""

    name = "times"

    def __init__(self, k, place="closure"):
        self.k, self.place = k, place

    def value(self, a, out=None):
        return np.multiply(a, self.k, out=out)

    def vjp(self, i, adjoint, v, a):
        return Times(self.k, self.place)(adjoint)

    @property
    def kernel(self):
        return kernel_that_looks_up(self.k, self.place)


KERNELS = ["closure", "default", "global", "array", "function"]


@pytest.mark.turns
@in_both
@pytest.mark.parametrize("place", KERNELS)
def test_programs_do_not_share_looked_up_values(place, mode):
    programs = []
    for k in (2.0, 3.0):
        programs.append(mg.compile_graph(Times(k, place)(mg.Variable(np.ones(3), name="x"))))
        np.testing.assert_array_equal(programs[-1](np.ones(3)), np.full(3, k))
    np.testing.assert_array_equal(programs[0](np.ones(3)), np.full(3, 2.0))


@pytest.mark.turns
@in_both
def test_programs_do_not_share_kernels_by_name(mode):
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    made = []
    for function in (lambda x: mg.cumsum(x)[-1], np.argmax, np.argmin):
        y = function(mg.Variable(a, name="x"))
        y.name = "answer"
        made.append((mg.compile_graph(y), y.value))
        made[-1][0](a)
    for program, value in made:
        assert program(a) == pytest.approx(value)


@pytest.mark.thorough
@pytest.mark.compiled
def test_changed_closures_are_compiled_in_another_process(tmp_path):
    program = textwrap.dedent("""
        import numpy as np, minigrad as mg
        from tests.test_compiler import KERNELS, Times
        x = mg.Variable(np.ones(3), name="x")
        print([mg.compile_graph(Times(K, place)(x))(x.value)[0] for place in KERNELS])
    """)
    for k in ("2.0", "7.0"):
        assert printed(program.replace("K,", f"{k},"), MINIGRAD_CACHE_DIR=tmp_path).count(k) == len(KERNELS)


@pytest.mark.thorough
@pytest.mark.compiled
def test_programs_with_kernels_of_minigrad_are_kept(tmp_path):
    program = textwrap.dedent("""
        import numpy as np, minigrad as mg
        x = mg.Variable(np.ones((3, 2)), name="x")
        for y in (x[np.array([0, 2])], mg.cumsum(x, 0)):
            program = mg.compile_graph([mg.sum(y)])
            program(x.value)
            print(sum(program._function.stats.cache_misses.values()))
    """)
    folders = {"MINIGRAD_CACHE_DIR": tmp_path, "NUMBA_CACHE_DIR": tmp_path / "numba"}
    assert printed(program, **folders).split() == ["1", "1"]
    assert printed(program, **folders).split() == ["0", "0"]


@pytest.mark.turns
@in_both
@pytest.mark.parametrize("shards", [1, 2])
def test_a_steps_programs_share_no_kernels_by_name(shards, mode):
    rows, model = np.ones((4, 3)), Scaled(Times(2.0))
    step = mg.compile(model, lambda output, y: mg.mean(output), optim.SGD(3.0), rows, rows, shards=shards,
                      gradients=lambda gs: [Times(5.0)(g) for g in gs])  # fmt: skip
    assert step(rows, rows) == 2  # of 0, 2 and 4
    np.testing.assert_array_equal(model.weight.value, np.arange(3.0) - 3 * 5 * 2 / 3)


@pytest.mark.compiled
def test_a_kernel_that_numba_cannot_compile_is_named():
    class Nobody(Times):
        @staticmethod
        def kernel(a, out):
            out[:] = a + not_there  # noqa: F821

    rows = np.ones((4, 3))
    text = (
        r"^the kernel .*Nobody\.kernel \(test_compiler\.py, line \d+\) cannot be compiled: NameError: name 'not_there'"
    )
    with pytest.raises(TypeError, match=text):
        mg.compile(Scaled(Nobody(2.0)), lambda output, y: mg.mean(output), optim.SGD(0.1), rows, rows)
    x = mg.Variable(np.arange(3.0), name="x")
    with pytest.raises(TypeError, match=text):
        mg.compile_graph(Nobody(2.0)(x))(np.ones(3))


def test_an_unused_parameter_is_updated_as_eagerly():
    """Its derivative is 0, which is not the same as no update: AdamW makes weights smaller by themselves."""
    model, eager = nn.Sequential(nn.Linear(3, 2, rng=0), nn.ReLU()), nn.Sequential(nn.Linear(3, 2, rng=0), nn.ReLU())
    for one in (model, eager):
        one.unused = mg.Variable(np.full(4, 2.0, np.float32), name="unused")
    x, y = np.ones((4, 3), np.float32), np.zeros((4, 2), np.float32)
    seen = []
    step = mg.compile(model, nn.mse, optim.AdamW(0.1), x, y, gradients=lambda grads: seen.extend(grads) or grads)
    assert [grad.shape for grad in seen] == [parameter.shape for parameter in model.parameters()]
    step(x, y)
    nn.mse(eager(mg.Constant(x)), mg.Constant(y)).backward()
    optim.AdamW(0.1).step(eager.parameters())
    assert eager.unused.value[0] < 2
    for ours, theirs in zip(model.parameters(), eager.parameters(), strict=True):
        np.testing.assert_allclose(ours.value, theirs.value, rtol=1e-6)


class Filters(nn.Sequential):
    """Three layers of filters over pictures that are not square; after the second, windows of 2 x 2, or none."""

    def __init__(self, dtype, pooled):
        super().__init__(
            nn.Conv2d(2, 3, 3, rng=0, dtype=dtype), nn.Tanh(),
            nn.Conv2d(3, 4, 3, rng=1, dtype=dtype), nn.ReLU(), *([nn.MaxPool2d(2)] if pooled else []),
            nn.Conv2d(4, 2, 3, rng=2, dtype=dtype), nn.Flatten(),
            nn.Linear(2 * (1 * 2 if pooled else 4 * 7), 3, rng=3, dtype=dtype),
        )  # fmt: skip


@pytest.mark.turns
@pytest.mark.parametrize("pooled", [False, True])
def test_convolutions_train_as_the_graph_does(pooled):
    """In float32; in float64 as well, tests/campaign/trainings.py."""
    rng, dtype = np.random.default_rng(0), np.float32
    x, y = rng.standard_normal((15, 2, 10, 13)).astype(dtype), rng.integers(0, 3, 15)
    batches = [(x[k : k + 5], y[k : k + 5]) for k in (0, 5, 10)]
    step = mg.compile(Filters(dtype, pooled), nn.cross_entropy, optim.SGD(0.1), *batches[0])
    with_windows = "conv_x_at", "conv_w_of_winners", "conv_pool", "conv_y"
    for name in with_windows if pooled else ("conv_x", "conv_w", "conv_y"):
        assert f"    {name}(" in step.source
    losses = [step(*batch) for batch in batches]
    np.testing.assert_allclose(losses, replay(Filters(dtype, pooled), optim.SGD(0.1), batches), rtol=1e-5)


@pytest.mark.parametrize("off", [(), ("pool_early",)])
@pytest.mark.parametrize("place", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_a_pooled_nan_stays_nan(off, place):
    x = mg.Variable(np.zeros((1, 1, 4, 4), np.float32), name="x")
    filters = mg.Constant(np.ones((1, 1, 3, 3), np.float32) / 9)
    program = mg.compile_graph(mg.sum(mg.max_pool2d(mg.conv2d(x, filters), 2)), [x], off=off)
    picture = np.zeros((1, 1, 4, 4), np.float32)
    picture[0, 0, 3 * place[0], 3 * place[1]] = np.nan  # a corner: one of the four outputs sees it
    assert np.isnan(program(picture))


# ---------------------------------------------------------------- kernels


inf, nan = np.inf, np.nan
# The function in float64; where float32 has all of its digits; where it has ever fewer, and how many of the smallest
# numbers it may be off there; special values. (gelu is x times a number that may be one of the smallest off, or two
# with its rounding.)
FLOAT32 = {
    kernels.exp32: (np.exp, (-87, 88.7), (-104.5, -87), lambda x: 1,
                    {0: 1, inf: inf, -inf: 0, nan: nan, 100: inf, -200: 0}),
    kernels.tanh32: (np.tanh, (-87, 88.7), None, None, {0: 0, inf: 1, -inf: -1, nan: nan, 100: 1, -200: -1}),
    normal.normal_cdf: (ndtr, (-12.9, 7), (-15, -12.9), lambda x: 2,
                        {0: 0.5, inf: 1, -inf: 0, nan: nan, 40: 1, -40: 0}),
    normal.normal_pdf: (lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), (-12.9, 7), (-15, -12.9), lambda x: 2,
                        {0: 1 / np.sqrt(2 * np.pi), inf: 0, -inf: 0, nan: nan, 40: 0, -40: 0}),
    normal.gelu: (lambda x: x * ndtr(x), (-12.9, 7), (-15, -12.9), lambda x: 2 * (1 + np.abs(x)),
                  {0: 0, inf: inf, -inf: nan, nan: nan, 40: 40, -40: 0}),
}  # fmt: skip


@pytest.mark.parametrize("function", FLOAT32, ids=lambda function: function.__name__)
def test_functions_of_float32_keep_their_error_bounds(function):
    """At most eight roundings, 5e-7 relative, over the whole range; exact at the special values."""

    @numba.njit
    def run(function, x, out):
        for i in range(x.size):
            out[i] = function(x[i])

    def computed(x):
        out = np.empty_like(x)
        run(function, x, out)
        return out

    exact, whole, small, steps, special = FLOAT32[function]
    near_0 = np.logspace(-30, 0, 1001)
    x = np.concatenate([np.linspace(*whole, 1_000_001), near_0, -near_0]).astype(np.float32)
    wide = exact(x.astype(np.float64))
    assert np.all(np.abs(computed(x) - wide) <= 5e-7 * np.abs(wide))
    if small:
        x = np.linspace(*small, 1_000_001).astype(np.float32)
        wide = exact(x.astype(np.float64))
        room = np.maximum(5e-7 * np.abs(wide), steps(x) * np.finfo(np.float32).smallest_subnormal)
        assert np.all(np.abs(computed(x) - wide) <= room)
    np.testing.assert_array_equal(computed(np.float32([*special])), np.float32([*special.values()]))


def test_tanh_of_float64_keeps_its_error_bound():

    @numba.njit
    def run(x, out):
        for i in range(x.size):
            out[i] = kernels.tanh64(x[i])

    x = np.concatenate([np.linspace(-22, 22, 100_001), np.logspace(-300, 0, 2001), np.linspace(0.6, 0.65, 10_001)])
    x, ends = np.concatenate([x, -x]), np.array([0, -0.0, inf, -inf, nan])
    exact, out, at_ends = np.tanh(x.astype(np.longdouble)), np.empty_like(x), np.empty_like(ends)
    run(x, out)
    run(ends, at_ends)
    assert np.all(np.abs(out - exact) <= 4e-16 * np.abs(exact))
    np.testing.assert_array_equal(at_ends, np.tanh(ends))
    assert np.signbit(at_ends[1])


def test_sums_of_float32_stay_accurate():
    """However long they are: as many roundings as a block has entries, however many of them a register holds."""
    tenth = np.float32(0.1)
    for n in (1000, 10_000_000):
        exact = n * float(tenth)
        assert abs(kernels.sum_all(np.full(n, tenth)) - exact) <= kernels.BLOCK * np.finfo(np.float32).eps / 2 * exact
    rows_of = np.full((300_000, 3), 0.1, np.float32)
    out = np.zeros(3, np.float32)
    kernels.sum_rows(rows_of, out)
    np.testing.assert_allclose(out, 30_000, rtol=1e-6)


@pytest.mark.turns
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_sums_of_rows_in_any_layout(dtype):
    """Slices whose rows are contiguous, whose columns are, and where neither is; of integers exactly."""
    x = (10 * np.random.default_rng(0).standard_normal((130, 7, 300))).astype(dtype)
    layouts = (x[:, 1], x[:, 1].T, x[::3, 2, ::2], x[5], x[::-1, 1], x[:, 1, ::-1], x[:, :, 3], x[:, 1, :1], x[:0, 1],
               x[:, 1, :0], np.broadcast_to(x[:, :1, 0], (130, 9)))  # fmt: skip
    for a in layouts:
        out = np.ones(a.shape[1], a.dtype)
        kernels.sum_rows(a, out)
        exact = a.astype(np.float64).sum(0)
        rounding = 0 if a.dtype.kind == "i" else np.finfo(a.dtype).eps * len(a)
        assert np.all(np.abs(out - exact) <= rounding * np.abs(a).astype(np.float64).sum(0)), a.strides


# ---------------------------------------------------------------- one place for each operation, one list of passes


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_row_of_patterns_holds_for_special_values(dtype):
    """Both sides are computed with all that is special, as the table of derivatives computes them; nan is nan."""
    import itertools
    import re

    from minigrad.compiler.passes.simplify import BACKWARD, PATTERNS
    from minigrad.core.rules import TABLE

    special = [dtype(x) for x in (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 3e38)]

    def same(left, right, a, n, zero):
        words = TABLE | {"a": a, "b": dtype(1.5), "n": n, "zero": dtype(zero), "plus_zero": dtype(0), "count": 3}
        with np.errstate(all="ignore"):
            words |= {"sum": lambda x: x + x + x, "max": lambda x: x, "min": lambda x: x}
            # In a pattern, 0 is 0 or -0.
            x, y = eval(re.sub(r"\b0\b", "zero", left), {}, words), eval(right, {}, words)
        return (math.isnan(x) and math.isnan(y)) or (x == y and np.signbit(x) == np.signbit(y))

    def holds(left, right):
        # What stands below "scaled_power(0, a, b)" has another n.
        numbers = [n for n in special if n != 0 or not left.startswith("scaled_power(n")]
        return all(same(left, right, a, n, zero) for a, n, zero in itertools.product(special, numbers, (0.0, -0.0)))

    assert [left for left, right in PATTERNS.items() if not holds(left, right)] == []
    assert [left for left, right in BACKWARD.items() if holds(left, right)] == []
