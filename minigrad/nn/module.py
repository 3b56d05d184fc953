"""The base class of layers: variables with names, and a forward pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.block import block
from minigrad.core.errors import unmasked
from minigrad.core.graph import Variable
from minigrad.guards.files import load_arrays, save_arrays


class Module:
    """A layer or a network. Assign variables and other modules to attributes, and write `forward`.

    The names are the attributes', joined with dots: `rnn.weight_ih_l0`, as in PyTorch. Those in a list, a tuple or a
    dict are found too: `layers.0.weight`.
    """

    READ_ANEW = frozenset({"training"})  # attributes whose changes `changes.Snapshot` leaves to others
    training = True
    _name = ""  # its name where it was assigned

    def __setattr__(self, name: str, value: object) -> None:
        """Assign an attribute. Variables of an assigned module are named by their path from here, for pictures and
        errors; a variable without a name takes that of its attribute."""
        super().__setattr__(name, value)
        for path, module in inside(name, value):
            if isinstance(module, Variable) and module.name is None:
                module.name = path
            if isinstance(module, Module):
                module._name = path
                for full, variable in reversed(list(module._named(f"{path}.", {self}))):  # the first name stays
                    variable.name = full

    def forward(self, *inputs: Any, **named: Any) -> Array:
        raise TypeError(f"{type(self).__name__} has no forward(): write what it computes from its inputs")

    def __call__(self, *inputs: ArrayLike, **named: Any) -> Any:
        kind = type(self).__name__
        with block(self._name or kind, kind=kind, sizes=self._sizes()):
            return self.forward(*inputs, **named)

    def _sizes(self) -> str:
        """Describe its sizes in a few words, for the headings of compiled programs."""
        return ""

    def children(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules directly inside this one, with their names, in the order of assignment."""
        for name, value in self._assigned():
            if isinstance(value, Module):
                yield name, value

    def _assigned(self) -> Iterator[tuple[str, Any]]:
        """Yield the assigned attributes with their names; of lists, tuples and dicts the entries."""
        for name, value in vars(self).items():
            yield from inside(name, value)

    def named_parameters(self, prefix: str = "") -> Iterator[tuple[str, Variable]]:
        """(name, variable) for all variables of this module and of those inside it; a shared one only once."""
        seen: set[Variable] = set()
        names: set[str] = set()
        for name, variable in self._named(prefix):
            if variable not in seen:
                if name in names:  # the keys 1 and "1" of a dict, say: one of them would be lost in a file
                    raise ValueError(f"two parameters of {type(self).__name__} are called {name!r}: rename one of them")
                seen.add(variable)
                names.add(name)
                yield name, variable

    def _named(self, prefix: str, seen: set[Module] | None = None) -> Iterator[tuple[str, Variable]]:
        for path, module in self._modules(prefix, seen):
            for name, value in module._assigned():
                if isinstance(value, Variable):
                    yield path + name, value

    def _modules(self, prefix: str = "", seen: set[Module] | None = None) -> Iterator[tuple[str, Module]]:
        """Yield this module and all inside it, each once, with their paths; a child may know its parent."""
        seen = set() if seen is None else seen
        if self not in seen:
            seen.add(self)
            yield prefix, self
            for name, child in self.children():
                yield from child._modules(f"{prefix}{name}.", seen)

    def parameters(self) -> list[Variable]:
        """All variables, each once."""
        return [variable for _, variable in self.named_parameters()]

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for variable in self.parameters():
            variable.zero_grad()

    def train(self, training: bool = True) -> Module:
        """Switch to training (True) or to evaluation (False): layers such as Dropout differ."""
        for _, module in self._modules():
            module.training = training
        return self

    def eval(self) -> Module:
        """Switch to evaluation."""
        return self.train(False)

    def state_dict(self) -> dict[str, np.ndarray]:
        """A copy of all parameters as NumPy arrays, by name."""
        return {name: variable._value.copy() for name, variable in self.named_parameters()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Copy arrays into the parameters of the same names, all of them or none.

        state: NumPy arrays by name, such as `{k: v.numpy() for k, v in torch_module.state_dict().items()}`.
        Raises KeyError for missing or unknown names, and ValueError for other shapes.
        """
        own = dict(self.named_parameters())
        missing, unknown = sorted(own.keys() - state.keys()), sorted(state.keys() - own.keys())
        if missing or unknown:
            raise KeyError(f"load_state_dict: missing {missing}, unknown {unknown}; this module has {sorted(own)}")
        arrays = {name: _array(name, unmasked(state[name])) for name in own}
        for name, array in arrays.items():
            if array.shape != own[name].shape:
                raise ValueError(f"load_state_dict: {name} has shape {own[name].shape}, got {array.shape}")
            if array.dtype.kind not in "fiu":
                raise ValueError(f"load_state_dict: {name} holds numbers, got {array.dtype}")
            with np.errstate(over="ignore"):
                lost = np.isfinite(array) & ~np.isfinite(array.astype(own[name].dtype))
            if lost.any():
                raise ValueError(
                    f"load_state_dict: {name} is {own[name].dtype} here, and {array[lost][0]} is too large for it"
                )
        for name, array in arrays.items():
            np.copyto(own[name]._value, array, casting="unsafe")
            own[name].changed()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all parameters to a NumPy .npz file: whole or not at all, and without pickle."""
        save_arrays(path, self.state_dict())

    def load(self, path: str | os.PathLike[str]) -> None:
        """Read the parameters that `save` wrote, all or none. Raises ValueError for a file that is not one."""
        try:
            state = load_arrays(path)
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)} does not hold saved parameters, or is damaged: {error}") from None
        try:
            self.load_state_dict(state)
        except (KeyError, ValueError) as error:
            raise type(error)(f"{os.fspath(path)} does not fit this {type(self).__name__}. {error.args[0]}") from None

    def __repr__(self) -> str:
        count = sum(variable.size for variable in self.parameters())
        inside = "".join(f"\n  {name}: {type(child).__name__}" for name, child in self.children())
        return f"{type(self).__name__} with {count:,} parameters{inside}"


def _array(name: str, value: ArrayLike) -> np.ndarray:
    try:
        return np.asarray(value)
    except (TypeError, RuntimeError, ValueError) as error:  # a tensor that NumPy has no dtype for, or that is traced
        raise ValueError(
            f"load_state_dict: {name} is no NumPy array, and does not become one ({error}). Of a tensor of PyTorch, "
            ".detach().float().numpy() is one"
        ) from None


def inside(name: str, value: object) -> Iterator[tuple[str, Any]]:
    """Yield `value` with its name; of a list, a tuple or a dict the entries, with theirs."""
    if isinstance(value, list | tuple | dict):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from inside(f"{name}.{key}", entry)
    else:
        yield name, value


def loss_of(model: Module, loss: Callable[[Any, Any], Array], output: Any, y: ArrayLike) -> Array:
    """Apply a loss to the output of a model. If that is several things and the loss takes one, the error says so."""
    try:
        return loss(output, y)
    except (TypeError, ValueError, AttributeError) as error:
        if not isinstance(output, tuple | list):
            raise
        raise TypeError(
            f"{type(model).__name__} gives {len(output)} things, as an RNN gives (outputs, state), and the loss takes "
            f"one array ({error}). Write a Module whose forward chooses one: outputs, state = layer(x)"
        ) from None
