"""Learns `src/tables/photo-fits.bin`: a small network that tells whether a rendering shows the part of a photo.

It needs Python with PyTorch and CuPy and one CUDA GPU; 8 minutes on a fast one. Everything that it sees is drawn by
this program, from parts made by code, so it learns without labels set by people and without files of anybody:

    node bench/learn/photos/meshes.mjs --out parts.bin --count 3000 --seed 5
    python3 bench/learn/photos/fits.py --parts parts.bin --out photo-fits.bin [--seconds 400]

The object of a drawn photo is cut out with the errors that finding it makes, and scaled to 60 of 64 pixels. The part
and 23 others, most of its family or alike, are each turned until they explain it best (`parts.cu`), as a search does.
The network sees photo and rendering of the part and of the 15 others that explain it best, and learns which is the part.
The file in `src/tables` comes of 420 s on an H200 beside `objects.py`, 4,600 steps of 64 photos: of 1,280 photos of
unseen parts the part is first among the 16 in 84 % by the cost of `pose-fit.ts`, in 91 % by the network.

The file: per layer as `LAYERS` lists them: f32[out] scales, f32[out] biases, i8[in][3][3][out] weights; then f32 scale,
f32 bias and i8 weights of the sum of means that it tells; little-endian. Weights are rounded to 8 bits at the end.
"""
import argparse
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from parts import dev, render, search
from scenes import Scenes, luma

SIZE, CANVAS = 64, 128
CANDIDATES, KEPT, PHOTOS, TRIES = 24, 16, 64, 64
CHANNELS = 8
# name, in, out, stride
LAYERS = [("a0", CHANNELS, 24, 2), ("a1", 24, 24, 1), ("b0", 24, 40, 2), ("b1", 40, 40, 1), ("c0", 40, 72, 2),
          ("c1", 72, 72, 1), ("d0", 72, 120, 2), ("d1", 120, 120, 1)]
LAST = LAYERS[-1][2]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleDict({name: nn.Conv2d(i, o, 3, s, 1, bias=False) for name, i, o, s in LAYERS})
        self.norms = nn.ModuleDict({name: nn.BatchNorm2d(o) for name, _, o, _ in LAYERS})
        self.last = nn.Linear(LAST, 1)

    def forward(self, x):
        for name, *_ in LAYERS:
            x = F.relu(self.norms[name](self.convs[name](x)))
        return self.last(x.mean((2, 3)).float())[:, 0]

    @torch.no_grad()
    def rounded(self):
        """The bytes of the file; the network itself is left with the rounded weights and without norms."""
        out = b""
        for name, *_ in LAYERS:
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
        scale = self.last.weight.abs().max() / 127
        whole = torch.round(self.last.weight / scale)
        self.last.weight.copy_(whole * scale)
        return out + scale.float().cpu().numpy().tobytes() + self.last.bias.float().cpu().numpy().tobytes() + \
            whole.to(torch.int8).cpu().numpy().tobytes()


class Fits:
    """Draws photos and what explains them: pictures for the network, its answer first of each KEPT."""

    def __init__(self, path, seed, held_out):
        self.scenes = Scenes(path, seed, held_out)
        self.seed = seed << 20
        s = self.scenes
        parts, families = s.parts, s.families[s.parts]
        # Parts of the family, and those of like proportions and distances of points.
        points = s.points[parts]
        extents = (points.amax(1) - points.amin(1)).sort(1)[0].clamp_min(0.02).log()
        apart = (points[:, :200] - points[:, 300:500]).norm(dim=-1).sort(1)[0][:, ::20]
        looks = torch.cat([extents, 2 * apart], 1)
        near = torch.cdist(looks, looks)
        near.fill_diagonal_(1e9)
        self.alike = parts[near.topk(min(24, len(parts) - 1), 1, largest=False)[1]]
        same = (families[:, None] == families[None]).float().fill_diagonal_(0) + 1e-6
        same.fill_diagonal_(0)
        self.siblings = parts[torch.multinomial(same, min(24, len(parts) - 1), generator=s.g)]
        self.row = torch.zeros(len(s.families), dtype=torch.long, device=dev)
        self.row[parts] = torch.arange(len(parts), device=dev)

    def found(self, mask):
        """The masks [B, 1, h, w] as a photo's object is found: wavy, with a piece too much or too little, cut."""
        s, (B, _, h, w) = self.scenes, mask.shape
        rand = s.rand
        ys, xs = torch.meshgrid(torch.arange(h, device=dev) + 0.5, torch.arange(w, device=dev) + 0.5, indexing="ij")
        waves = F.interpolate(rand(B, 1, 20, 20) - 0.5, (h, w), mode="bicubic")
        waves = waves + 1.5 * F.interpolate(rand(B, 1, 7, 7) - 0.5, (h, w), mode="bicubic")
        soft = F.avg_pool2d(F.avg_pool2d(mask, 5, 1, 2), 3, 1, 1)
        rough = rand(B, 1, 1, 1) * (rand(B, 1, 1, 1) < 0.8)
        band = F.max_pool2d(mask, 5, 1, 2) + F.max_pool2d(-mask, 5, 1, 2)
        seen = soft + rough * waves * band > 0.5 + 0.15 * (rand(B, 1, 1, 1) - 0.5)
        seen = torch.where(rand(B, 1, 1, 1) < 0.85, seen, mask > 0.5)
        # A disc or half of the picture about a point of the outline, added within a blob or taken away.
        edge = (F.max_pool2d(mask, 3, 1, 1) - mask).view(B, -1) + 1e-6
        for adds in (True, False):
            at = torch.multinomial(edge, 1, generator=s.g)[:, 0]
            cy, cx = (at // w).float(), (at % w).float()
            size = rand(B, low=2, high=18)
            turn, flat = rand(B, high=3.14), rand(B, low=0.25, high=1.0)
            x, y = xs[None] - cx[:, None, None], ys[None] - cy[:, None, None]
            p = x * turn.cos()[:, None, None] + y * turn.sin()[:, None, None]
            q = (y * turn.cos()[:, None, None] - x * turn.sin()[:, None, None]) / flat[:, None, None]
            blob = (p * p + q * q < (size * size)[:, None, None])[:, None] & (rand(B, 1, 1, 1) < 0.2)
            seen = seen | blob if adds else seen & ~blob
        side = torch.randint(4, (B,), device=dev, generator=s.g)
        axis = torch.where((side % 2 == 0)[:, None, None], xs[None], ys[None])
        axis = torch.where((side < 2)[:, None, None], axis, w - axis)
        cut = axis < (torch.where(rand(B) < 0.1, rand(B, low=0.05, high=0.33), torch.zeros(B, device=dev)) * w)[:, None, None]
        seen = seen & ~cut[:, None]
        few = seen.float().sum((1, 2, 3), keepdim=True) < 0.3 * mask.sum((1, 2, 3), keepdim=True)
        return torch.where(few, mask > 0.5, seen)

    def cut_out(self, image, seen):
        """Brightness [B, 64, 64] in the box of what was found, and of half the size; -1 outside."""
        B, _, h, w = seen.shape
        columns, rows = seen[:, 0].any(1).float(), seen[:, 0].any(2).float()
        x0, x1 = columns.argmax(1).float(), w - columns.flip(1).argmax(1).float()
        y0, y1 = rows.argmax(1).float(), h - rows.flip(1).argmax(1).float()
        half = torch.maximum(x1 - x0, y1 - y0) / 2 * (SIZE / 60)
        at = (torch.arange(2 * SIZE, device=dev) + 0.5) / SIZE - 1
        v, u = torch.meshgrid(at, at, indexing="ij")
        x = ((x0 + x1) / 2)[:, None, None] + half[:, None, None] * u
        y = ((y0 + y1) / 2)[:, None, None] + half[:, None, None] * v
        grid = torch.stack([2 * x / w - 1, 2 * y / h - 1], -1)
        cover = seen.float()
        both = F.grid_sample(torch.cat([luma(image) * cover, cover], 1), grid, mode="bilinear", align_corners=False)
        fine = F.avg_pool2d(both, 2)
        gray = torch.where(fine[:, 1] >= 0.5, (fine[:, 0] / fine[:, 1].clamp_min(1e-3)).clamp(1 / 255, 1), -1.0)
        is_there = (gray >= 0).float()[:, None]
        many = 4 * F.avg_pool2d(is_there, 2)[:, 0]
        sums = 4 * F.avg_pool2d(gray[:, None] * is_there, 2)[:, 0]
        return gray, torch.where(many >= 2, sums / many.clamp_min(1), -1.0)

    @torch.no_grad()
    def batch(self):
        """Pictures [PHOTOS * KEPT, 8, 64, 64] and costs [PHOTOS, KEPT] as the search knows them; first the part."""
        s, B = self.scenes, PHOTOS
        image, mask, part, R, distance = s.batch(B, CANVAS, CANVAS, 1, (0.75, 0.9), 0)
        gray, halves = self.cut_out(image, self.found(mask))
        pose = torch.cat([R.reshape(B, 9), 1 / distance[:, None]], 1).contiguous()
        row = self.row[part]
        pick = torch.randint(self.alike.shape[1], (B, 8), device=dev, generator=s.g)
        other = torch.randint(self.siblings.shape[1], (B, 10), device=dev, generator=s.g)
        any_ = s.parts[torch.randint(len(s.parts), (B, CANDIDATES - 19), device=dev, generator=s.g)]
        asked = torch.cat([part[:, None], self.alike[row].gather(1, pick), self.siblings[row].gather(1, other), any_], 1)
        knows = s.families[asked] == s.families[part][:, None]
        knows[:, 0] = s.rand(B) < 0.9
        photos = torch.arange(B, device=dev, dtype=torch.int32)
        many = photos.repeat_interleave(CANDIDATES)
        self.seed += 1
        poses, costs = search(s.corners, s.firsts, asked.reshape(-1).int(), many, knows.reshape(-1).int(), pose,
                              halves.contiguous(), self.seed, TRIES)
        costs = costs.view(B, CANDIDATES)
        # The part itself may also be among the others.
        costs = torch.where((asked == part[:, None]) & (torch.arange(CANDIDATES, device=dev) > 0), 9.0, costs)
        order = torch.cat([torch.full((B, 1), -1.0, device=dev), costs[:, 1:]], 1).argsort(1)[:, :KEPT]
        chosen = (order + CANDIDATES * torch.arange(B, device=dev)[:, None]).reshape(-1)
        gray = gray.contiguous()
        drawn, fine = render(s.corners, s.firsts, asked.reshape(-1)[chosen].int(), many[chosen].contiguous(),
                             poses[chosen].contiguous(), gray)
        isnt = costs.gather(1, order) > 8
        return pictures(gray, drawn), torch.where(isnt, 9.0, fine.view(B, KEPT)), isnt


def pictures(gray, drawn):
    """What the network sees of photos [B, 64, 64] and renderings [B * n, 6, 64, 64] of them."""
    there = (gray >= 0).float()
    many = there.sum((1, 2)).clamp_min(1)[:, None, None]
    mean = (gray * there).sum((1, 2), keepdim=True) / many
    spread = (((gray - mean) ** 2 * there).sum((1, 2), keepdim=True) / many).sqrt() + 0.05
    n = len(drawn) // len(gray)
    gray, there, mean, spread = [x.repeat_interleave(n, 0) for x in (gray, there, mean, spread)]
    cover = drawn[:, 4]
    planes = [(gray - mean) / spread * there, there, drawn[:, 0], drawn[:, 1], drawn[:, 2], drawn[:, 3], cover,
              (drawn[:, 5] - mean) / spread * cover]
    return torch.stack(planes, 1).clamp(-4, 4)


def shares(net, fits, batches):
    """How often the part is first among what is like it: by cost, by the network, by both."""
    counts = torch.zeros(3, device=dev)
    with torch.no_grad():
        for _ in range(batches):
            seen, costs, isnt = fits.batch()
            told = net(seen).view(PHOTOS, KEPT).masked_fill(isnt, -99)
            for i, score in enumerate((-costs, told, told - 20 * costs)):
                counts[i] += (score.argmax(1) == 0).sum()
    return " / ".join(f"{100 * c / (batches * PHOTOS):.1f}" for c in counts.tolist())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--show", help="a file for f32[4 x 16][8][64][64] of pictures")
    args = parser.parse_args()
    torch.manual_seed(1)
    fits, unseen = Fits(args.parts, 1, False), Fits(args.parts, 2, True)
    net = Net().to(dev).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    if args.show:
        unseen.batch()[0][: 4 * KEPT].cpu().numpy().tofile(args.show)
    began, step, last, mean = time.time(), 0, 0.0, 0.0
    while True:
        spent = (time.time() - began) / args.seconds
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * spent)) + 1e-6
        seen, costs, isnt = fits.batch()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            told = net(seen.contiguous(memory_format=torch.channels_last))
        told = told.float().view(PHOTOS, KEPT).masked_fill(isnt, -99)
        loss = F.cross_entropy(told, torch.zeros(PHOTOS, dtype=torch.long, device=dev))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        if step % 50 == 0:
            mean = loss.item() if step == 50 else 0.8 * mean + 0.2 * loss.item()
            if time.time() - began > last + 15:
                last = time.time() - began
                print(f"fits {last:.0f} s, step {step}, loss {mean:.4f}", flush=True)
    net.eval()
    print("fits f32, unseen parts, first by cost / network / both:", shares(net, unseen, 20))
    data = net.rounded()
    print("fits i8:", shares(net, unseen, 20), len(data), "bytes")
    open(args.out, "wb").write(data)


main()
