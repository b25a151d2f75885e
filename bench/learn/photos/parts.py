"""Parts made by code on a GPU, and the kernels of `parts.cu`: PyTorch holds what they read and write, CuPy starts them."""
import os
import struct

import numpy as np
import torch

dev = "cuda"
THREADS = 128
_kernels = None


def launch(name, grid, *args):
    """Runs a kernel on PyTorch's stream. args: tensors and numbers in the kernel's order."""
    global _kernels
    import cupy
    if _kernels is None:
        source = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "parts.cu")).read()
        _kernels = cupy.RawModule(code=source, options=("--use_fast_math",), backend="nvrtc")
    given = [np.uint64(a.data_ptr()) if torch.is_tensor(a) else a for a in args]
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        _kernels.get_function(name)(grid, (THREADS,), tuple(given))


def load_parts(path):
    """First triangles of the parts, on the device and here; corners f32[triangles][3][3], normals there; families."""
    raw = open(path, "rb").read()
    (count,) = struct.unpack_from("<I", raw)
    firsts = np.frombuffer(raw, "<u4", count + 1, 4).astype(np.int32)
    total = int(firsts[-1])
    families = torch.from_numpy(np.frombuffer(raw, "<u4", count, 8 + 4 * count).astype(np.int64)).to(dev)
    at = 8 + 8 * count
    corners = torch.from_numpy(np.frombuffer(raw, "<f2", 9 * total, at).astype(np.float32)).to(dev).view(-1, 3, 3)
    normals = torch.from_numpy(np.frombuffer(raw, "i1", 9 * total, at + 18 * total).astype(np.float32) / 127)
    return torch.from_numpy(firsts).to(dev), firsts, corners, normals.to(dev).view(-1, 3, 3), families


def cast(origins, directions, corners, starts, ends):
    """Nearest hit of each ray [B, P, 3] with the part of its row: distance, triangle or -1, weights of its corners."""
    B, P, _ = origins.shape
    origins, directions = origins.contiguous(), directions.contiguous()
    t = torch.empty(B, P, device=dev)
    index = torch.empty(B, P, device=dev, dtype=torch.int32)
    u, v = torch.empty_like(t), torch.empty_like(t)
    grid = (B, (P + THREADS - 1) // THREADS)
    launch("cast", grid, origins, directions, corners, starts, ends, t, index, u, v, np.int32(P))
    return t, index, u, v


def search(corners, firsts, parts, photos, knows, given, halves, seed, tries):
    """See `search` in `parts.cu`: poses [N, 10] and costs [N] of N parts, each for one of the photos."""
    poses = torch.empty(len(parts), 10, device=dev)
    costs = torch.empty(len(parts), device=dev)
    launch("search", (len(parts), 1), corners, firsts, parts, photos, knows, given, halves, np.uint32(seed),
           np.int32(tries), poses, costs)
    return poses, costs


def render(corners, firsts, parts, photos, poses, grays):
    """See `render` in `parts.cu`: pictures [N, 6, 64, 64] and costs [N]."""
    out = torch.empty(len(parts), 6, 64, 64, device=dev)
    costs = torch.empty(len(parts), device=dev)
    launch("render", (len(parts), 1), corners, firsts, parts, photos, poses, grays, out, costs)
    return out, costs
