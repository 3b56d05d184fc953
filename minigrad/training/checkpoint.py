"""A training on disk: what `fit(..., checkpoint="file")` writes after each epoch, and how it goes on from there.

All that decides the next batch is in the file: parameters, what the optimizer keeps, the state of every random
generator, and the history so far. So a training that was killed and continued ends with the same bits as one that was
not. The file is NumPy's .npz, without pickle, and replaced in one step: it holds the old state or the new one, never
half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.core.node import changed
from minigrad.guards.files import load_arrays, save_arrays
from minigrad.nn.module import Module
from minigrad.training.optim import Optimizer

if TYPE_CHECKING:
    from minigrad.training.train import History


class CheckpointError(ValueError):
    """A file that this training cannot go on from. The message says why, and what to do."""


class Checkpoint:
    """The file `path`, for the training of `model` by `optimizer` with batches in the order of `rng`.

    loss: a function, or a module, which may draw random numbers too. settings: what must be the same when the training
    goes on, by name. Raises OSError where the file could not be written, before any training is done.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        model: Module,
        loss: object,
        optimizer: Optimizer,
        rng: np.random.Generator,
        settings: dict[str, Any],
    ):
        self.path, self.model, self.optimizer, self.settings = Path(path), model, optimizer, settings
        inside = [source for part in (model, loss) if isinstance(part, Module) for source in generators(part)]
        self.generators = [rng, *inside]
        with tempfile.NamedTemporaryFile(dir=self.path.parent, prefix=f".{self.path.name}-"):
            pass  # or say now that there is no such folder, or no right to write

    def _arrays(self) -> dict[str, np.ndarray]:
        """The arrays of model and optimizer, by their names in the file."""
        arrays = {}
        for name, variable in self.model.named_parameters():
            arrays[f"parameter.{name}"] = variable._value
            arrays |= {f"kept.{k}.{name}": array for k, array in enumerate(self.optimizer.kept(variable))}
        return arrays

    def save(self, history: History) -> None:
        """Write the state after an epoch. Where that fails, a warning says so, and the file stays what it was."""
        about = {
            "settings": self.settings,
            "steps": self.optimizer.steps,
            "generators": [generator.bit_generator.state for generator in self.generators],
            "epochs": [vars(epoch) for epoch in history.epochs],
        }
        arrays = {"losses": np.array(history.losses), "accuracies": np.array(history.accuracies, float)}
        arrays |= {"about": np.array(json.dumps(about, default=_plain)), **self._arrays()}
        try:
            save_arrays(self.path, {**arrays, "seal": np.array(_seal(arrays))})
        except OSError as error:
            warnings.warn(
                f"the checkpoint {self.path} was not written after epoch {len(history.epochs)} ({error}). Training "
                "goes on; the file holds the epoch before, if there was one",
                RuntimeWarning,
                stacklevel=3,
            )

    def resume(self, history: History, epoch: type, most: int) -> None:
        """Bring model, optimizer, generators and `history` to the state in the file; nothing, if there is no file.

        epoch: the class of a row of the history. most: how many epochs there may be. Raises CheckpointError for a
        damaged file and for that of another training, before anything is changed.
        """
        try:
            arrays = load_arrays(self.path)
            if str(arrays.pop("seal")) != _seal(arrays):
                raise ValueError("its content is not what was written")
            about = json.loads(str(arrays["about"]), object_hook=_state)
            rows = [epoch(**row) for row in about["epochs"]]
        except FileNotFoundError:
            return
        except OSError:
            raise
        except Exception as error:  # whatever else the content is
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__
            raise CheckpointError(
                f"{self.path} is no checkpoint, or is damaged ({reason}). Delete it to train from the beginning, or "
                "choose another file"
            ) from None
        self._compare(about, arrays, most)
        for name, array in self._arrays().items():
            np.copyto(array, arrays[name])
        changed(self.model.parameters())
        self.optimizer.steps = about["steps"]
        for generator, state in zip(self.generators, about["generators"], strict=True):
            generator.bit_generator.state = state
        history.losses += arrays["losses"].tolist()
        history.accuracies += arrays["accuracies"].tolist()
        history.epochs += rows

    def _compare(self, about: dict[str, Any], arrays: dict[str, np.ndarray], most: int) -> None:
        """Raise CheckpointError if the file is from another training."""
        own, states = self._arrays(), [generator.bit_generator.state for generator in self.generators]
        expected = {**self.settings, "random generators": [state["bit_generator"] for state in states]}
        theirs = {**about["settings"], "random generators": [state["bit_generator"] for state in about["generators"]]}
        differ = _differences({**expected, **_kinds("parameter", own)}, {**theirs, **_kinds("parameter", arrays)})
        differ = differ or _differences(_kinds("kept", own), _kinds("kept", arrays))
        if not differ and len(about["epochs"]) > most:
            differ = [f"it has {len(about['epochs'])} epochs, and {most} are asked for"]
        if differ:
            raise CheckpointError(
                f"{self.path} belongs to another training: {'; '.join(differ)}. Delete it to train from the beginning, "
                "or choose another file"
            )


def _seal(arrays: Mapping[str, np.ndarray]) -> str:
    """A text that differs where names or arrays differ: what is in the file is what `save` wrote."""
    return fingerprint(*(part for name in sorted(arrays) for part in (np.array(name), arrays[name])))


def _kinds(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The shapes of arrays with such names, and their dtypes where they are not the usual float32."""
    return {
        name.replace(".", " ", 1): [*array.shape, *([str(array.dtype)] if array.dtype != np.float32 else [])]
        for name, array in arrays.items()
        if name.startswith(f"{prefix}.")
    }


def _differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    return [
        f"{name} is {ours.get(name, 'not there')!r} here and {theirs.get(name, 'not there')!r} in the file"
        for name in {**ours, **theirs}
        if ours.get(name) != theirs.get(name)
    ]


def generators(module: Module) -> Iterator[np.random.Generator]:
    """The random generators inside a module, such as those of Dropout."""
    for _, part in module._modules():
        for _, value in part._assigned():
            if isinstance(value, np.random.Generator):
                yield value


def fingerprint(*arrays: np.ndarray) -> str:
    """A short text that differs where the arrays differ."""
    digest = hashlib.sha256()
    for array in map(np.atleast_1d, arrays):
        digest.update(f"{array.dtype}{array.shape}".encode())
        rows = max(1, 2**24 // max(1, array[:1].nbytes))  # 16 MiB at a time, where they do not lie in one piece
        for k in range(0, len(array), rows):
            digest.update(np.ascontiguousarray(array[k : k + rows]).data)
    return digest.hexdigest()[:12]


def _plain(x: Any) -> Any:
    """Encode a generator's state for JSON: an array as a dict, a NumPy number as Python's."""
    return {"array": x.tolist(), "dtype": str(x.dtype)} if isinstance(x, np.ndarray) else x.item()


def _state(saved: dict[str, Any]) -> Any:
    """A dict that JSON found, or the array that `_plain` made it of."""
    return np.array(saved["array"], saved["dtype"]) if saved.keys() == {"array", "dtype"} else saved
