"""Help: what `mg.<Tab>` lists, what `?` says of each public name, and that the examples in it are true."""

import doctest
import inspect
import re
from types import ModuleType

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.rules import TABLE

MODULES = ("data", "linalg", "nn", "optim", "rules", "train", "viz")
NO_ACTION = re.compile(r"(what|who|where|whether|how|when|which|this|it|see)\b", re.IGNORECASE)


def public_names():
    """Names of mg, of its modules, and rows of the derivative table."""
    names = {f"mg.{name}": getattr(mg, name) for name in dir(mg) if name not in MODULES}
    for module in MODULES:
        if module not in ("rules", "viz"):
            library = getattr(mg, module)
            names |= {f"mg.{module}.{name}": getattr(library, name) for name in library.__all__}
    names |= {f"mg.{name}": getattr(mg, name) for name in TABLE}
    return {name: x for name, x in names.items() if callable(x) and not isinstance(x, ModuleType)}


def parameters(function):
    """The names of a function's arguments, without those that any function may be given."""
    try:
        listed = inspect.signature(function).parameters.values()
    except ValueError:
        return []
    return [x.name for x in listed if x.kind not in (x.VAR_KEYWORD, x.VAR_POSITIONAL) and x.name != "self"]


def test_tab_lists_what_learners_need():
    names = dir(mg)
    assert len(names) <= 90
    assert {name for name in names if isinstance(getattr(mg, name), ModuleType)} == {*MODULES}
    assert not {"np", "Any", "annotations", "core", "hooks"} & {*names}
    assert callable(mg.cumsum)  # NumPy's names stay
    assert mg.arctan2 is TABLE["arctan2"]
    assert mg.safe_div is TABLE["safe_div"]


@pytest.mark.parametrize("jedi", [True, False])
def test_ipython_completes_the_same_names(jedi):
    completer = pytest.importorskip("IPython.core.completer")
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    shell.user_ns["mg"] = mg
    shell.Completer.use_jedi = jedi
    with completer.provisionalcompleter():
        texts = {x.text.removeprefix(".") for x in shell.Completer.completions("mg.", 3)}
    assert texts == {*dir(mg)}


def test_every_public_name_has_help():
    """It begins with a verb or the thing, names the arguments, and ends in an example."""
    lacking = {}
    for name, x in public_names().items():
        text = inspect.getdoc(x) or ""
        unnamed = [
            p for p in parameters(x) if not re.search(rf"\b{p}\b", text) and f"{p}:" not in str(inspect.signature(x))
        ]
        faults = ["no example"] * (">>>" not in text and not is_exception(x))
        faults += ["no sentence"] * (not re.match(r"[\w`'(\[|]", text))
        faults += ["begins so"] * bool(NO_ACTION.match(text)) + unnamed
        if faults:
            lacking[name] = faults
    assert lacking == {}


def is_exception(x):
    return isinstance(x, type) and issubclass(x, Exception)


def test_every_example_is_true():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    report = []
    for name, x in public_names().items():
        test = parser.get_doctest(inspect.getdoc(x) or "", {"mg": mg, "np": np}, name, None, None)
        runner.run(test, out=report.append)
    assert not report, "".join(report)
    assert runner.tries > 300


def test_a_row_says_what_it_computes():
    text = inspect.getdoc(mg.tanh)
    assert text.startswith("The hyperbolic tangent: `tanh(a)`")
    assert "d/da = 1 - v * v\n    v = tanh(a)" in text
    assert "float32 gives float32" in text
    assert ">>> mg.tanh(0.5)\nnp.float64(0.46211715726000" in text
    assert str(inspect.signature(mg.where)).startswith("(a: 'ArrayLike', b: 'ArrayLike', c: 'ArrayLike', /)")


def test_a_row_of_ones_own_has_help():
    softsign = type(mg.sin)("a / (1 + abs(a))", "1 / square(1 + abs(a))", name="softsign")
    text = inspect.getdoc(softsign)
    assert "d/da = 1 / square(1 + abs(a))" in text
    assert ">>>" not in text  # `mg.softsign` is not there
