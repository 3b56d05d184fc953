"""The same training run in another engine, in a process of its own, to compare results, speed and allocations.

    theirs = peers.train_in_pytorch("rnn", weights, data, epochs=5, batch_size=100, lr=0.015, rng=1, threads=2)
    theirs.history            # as mg.fit gives it: loss and accuracy of every batch, a row for each epoch
    theirs.allocated_bytes    # for each epoch, counted by the method that counts ours

`train_several_in_pytorch` does so from several first weights; `take_turns` is for the clock: both
engines warm, a round of ours, a round of theirs, and again; `turns_table` shows the result.

Same first weights, same data, same batches in the same order: so the losses must agree, digit by digit.

Why another process: NumPy's and PyTorch's threads both wait busily for work. Side by side in one process they take
the cores from each other, and a comparison measured there says nothing about either (one came out eighty times slower).

Reading order: pytorch_networks.py (the networks in PyTorch), pytorch_worker.py (the program of that process),
torch_process.py (the process, kept for the next question), runs.py (what is asked of it), turns.py (rounds by turns).
"""

from minigrad_course.peers.runs import Run, train_in_pytorch, train_several_in_pytorch
from minigrad_course.peers.torch_process import PeerError
from minigrad_course.peers.turns import take_turns, turns_table

__all__ = ["PeerError", "Run", "take_turns", "train_in_pytorch", "train_several_in_pytorch", "turns_table"]
