"""Positions a second of a PyTorch step on the same network: (768→256)×2→1 SCReLU, batch 16384, Adam.

Reads batches that the bench wrote (32 features a view, u16), prints one number. The bench runs it if the
environment variable ACCRUE_TORCH_PYTHON names a Python that has torch; see docs/speed.md.
"""

import sys
import time

import numpy
import torch

path, threads, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(threads)
torch.manual_seed(1)

BATCH, ACTIVE, WIDTH = 16384, 32, 256
data = numpy.fromfile(path, dtype=numpy.uint16).astype(numpy.int64)
views = torch.from_numpy(data.reshape(-1, 2, ACTIVE))
batches = [batch.contiguous() for batch in views.split(BATCH)]

features = torch.nn.EmbeddingBag(768, WIDTH, mode="sum")
bias = torch.nn.Parameter(torch.zeros(WIDTH))
output = torch.nn.Linear(2 * WIDTH, 1)
optimiser = torch.optim.Adam([*features.parameters(), bias, *output.parameters()], lr=1e-3)


def step(batch):
    sums = [features(batch[:, view]) + bias for view in (0, 1)]
    active = torch.cat(sums, dim=1).clamp(0.0, 1.0).square()
    probability = torch.sigmoid(output(active)).squeeze(1)
    loss = (probability - 0.5).square().mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return loss


for batch in batches[:2]:
    step(batch)
speeds = []
for _ in range(rounds):
    begin = time.perf_counter()
    for batch in batches:
        step(batch)
    speeds.append(len(batches) * BATCH / (time.perf_counter() - begin))
print(sorted(speeds)[len(speeds) // 2])
