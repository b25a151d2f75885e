"""Learns `src/tables/photo-objects.bin`: a small network that tells which pixels of a photo are the object.

It needs Python with PyTorch and CuPy and one CUDA GPU; 8 minutes on a fast one. Everything that it sees is drawn by
`scenes.py`, from parts made by code, so it learns without labels set by people and without files of anybody:

    node bench/learn/photos/meshes.mjs --out parts.bin --count 3000 --seed 5
    python3 bench/learn/photos/objects.py --parts parts.bin --out photo-objects.bin [--seconds 700]

Every third batch looks at a part closely, as the second look at a photo does. The file in `src/tables` comes of two runs
on an H200: 420 s (5,600 steps of 48 pictures, grey, one channel, `fits.py` beside it), then, with `--start FILE --rate
1e-3`, 262 s on pictures of which a fifth is grey. On unseen parts IoU .853, then .847 on more clutter.

The file: per layer as `LAYERS` lists them: f32[out] scales, f32[out] biases, i8[in][3][3][out] weights; little-endian.
The last layer has the kernel 1 x 1. Weights are rounded to 8 bits at the end, and the printed figures are of these.
"""
import argparse
import math
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from parts import dev
from scenes import Scenes

WIDTHS = [8, 16, 40, 80, 128]
a, b, c, d, e = WIDTHS
# name, in, out, stride; decoders take the layer before, twice as large, beside the encoder's of that size.
LAYERS = [("e0", 3, a, 1), ("e1", a, b, 2), ("f1", b, b, 1), ("e2", b, c, 2), ("f2", c, c, 1), ("e3", c, d, 2),
          ("f3", d, d, 1), ("e4", d, e, 2), ("f4", e, e, 1), ("g4", e, e, 1), ("d3", e + d, d, 1), ("d2", d + c, c, 1),
          ("d1", c + b, b, 1), ("d0", b + a, a, 1)]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleDict({name: nn.Conv2d(i, o, 3, s, 1, bias=False) for name, i, o, s in LAYERS})
        self.norms = nn.ModuleDict({name: nn.BatchNorm2d(o) for name, _, o, _ in LAYERS})
        self.last = nn.Conv2d(a, 1, 1)

    @torch.no_grad()
    def read(self, data):
        """Goes on from a file, of which the first layer may see one channel; norms stay as they are."""
        at = 0

        def take(count, kind):
            nonlocal at
            found = torch.from_numpy(np.frombuffer(data, kind, count, at).astype(np.float32)).to(dev)
            at += found.numel() * np.dtype(kind).itemsize
            return found

        grey = len(data) - sum(8 * o + 9 * i * o for _, i, o, _ in LAYERS) < 8
        for name, i, o, _ in LAYERS:
            scale, bias = take(o, "<f4"), take(o, "<f4")
            seen = 1 if name == "e0" and grey else i
            weight = (take(9 * seen * o, "i1").view(seen, 3, 3, o) * scale).permute(3, 0, 1, 2)
            self.convs[name].weight.copy_(weight if seen == i else weight.expand(-1, i, -1, -1) / i)
            self.norms[name].bias.copy_(bias)
            self.norms[name].eval()
        scale, bias = take(1, "<f4"), take(1, "<f4")
        self.last.weight.copy_((take(a, "i1") * scale).view_as(self.last.weight))
        self.last.bias.copy_(bias)

    def layer(self, name, x):
        return F.relu(self.norms[name](self.convs[name](x)))

    def forward(self, image):
        x0 = self.layer("e0", 2 * image - 1)
        x1 = self.layer("f1", self.layer("e1", x0))
        x2 = self.layer("f2", self.layer("e2", x1))
        x3 = self.layer("f3", self.layer("e3", x2))
        x = self.layer("g4", self.layer("f4", self.layer("e4", x3)))
        for name, skip in (("d3", x3), ("d2", x2), ("d1", x1), ("d0", x0)):
            x = self.layer(name, torch.cat([F.interpolate(x, scale_factor=2, mode="nearest"), skip], 1))
        return self.last(x)

    @torch.no_grad()
    def rounded(self):
        """The bytes of the file; the network itself is left with the rounded weights and without norms."""
        out = b""
        for name, i, o, _ in LAYERS:
            norm, conv = self.norms[name], self.convs[name]
            factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = conv.weight * factor[:, None, None, None]
            bias = norm.bias - norm.running_mean * factor
            scale = weight.abs().amax((1, 2, 3)).clamp_min(1e-8) / 127
            whole = torch.round(weight / scale[:, None, None, None]).clamp(-127, 127)
            out += scale.float().cpu().numpy().tobytes() + bias.float().cpu().numpy().tobytes()
            out += whole.permute(1, 2, 3, 0).contiguous().to(torch.int8).cpu().numpy().tobytes()
            conv.weight.copy_(whole * scale[:, None, None, None])
            norm.weight.fill_(1); norm.bias.copy_(bias); norm.running_mean.zero_(); norm.running_var.fill_(1 - norm.eps)
        weight, bias = self.last.weight.view(-1), self.last.bias
        scale = weight.abs().max() / 127
        whole = torch.round(weight / scale)
        self.last.weight.copy_((whole * scale).view_as(self.last.weight))
        return out + scale.float().cpu().numpy().tobytes() + bias.float().cpu().numpy().tobytes() + \
            whole.to(torch.int8).cpu().numpy().tobytes()


def shares(logits, mask):
    """Intersection over union of each picture."""
    own, true = logits > 0, mask > 0.5
    return (own & true).sum((1, 2, 3)) / (own | true).sum((1, 2, 3)).clamp_min(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--start", help="a file to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--show", help="a file for u8[64][2][96][128] of drawn pictures and masks")
    args = parser.parse_args()
    torch.manual_seed(1)
    scenes, unseen = Scenes(args.parts, 1, False), Scenes(args.parts, 2, True)
    net = Net().to(dev).to(memory_format=torch.channels_last)
    if args.start:
        net.read(open(args.start, "rb").read())
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4)
    if args.show:
        image, mask, *_ = unseen.batch(64, 96, 128)
        torch.cat([image, mask], 1).mul(255).byte().cpu().numpy().tofile(args.show)
    shapes = [(96, 128), (128, 96), (128, 128), (96, 128), (128, 160)]
    began, step, last = time.time(), 0, 0.0
    while True:
        spent = (time.time() - began) / args.seconds
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * spent)) + 1e-6
        h, w = shapes[step % 5]
        look = {} if step % 3 else {"share": (0.5, 0.9), "shift": 0.5}
        image, mask, *_ = scenes.batch(64, h, w, **look)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = net(image.contiguous(memory_format=torch.channels_last)).float()
        chance = torch.sigmoid(logits)
        dice = 1 - (2 * (chance * mask).sum((1, 2, 3)) + 1) / ((chance + mask).sum((1, 2, 3)) + 1)
        loss = F.binary_cross_entropy_with_logits(logits, mask) + dice.mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        if time.time() - began > last + 15:
            last = time.time() - began
            print(f"objects {last:.0f} s, step {step}, loss {loss.item():.4f}", flush=True)
    net.eval()

    def figures():
        found = []
        with torch.no_grad():
            for _ in range(20):
                image, mask, *_ = unseen.batch(48, 96, 128)
                found.append(shares(net(image), mask))
        found = torch.cat(found)
        return f"unseen parts: IoU mean {found.mean():.4f}, above .9 {(found > 0.9).float().mean():.4f}"

    print("objects f32", figures())
    data = net.rounded()
    print("objects i8", figures(), len(data), "bytes")
    open(args.out, "wb").write(data)


main()
