"""Learns `src/tables/photo-objects.bin`: a small network that tells which pixels of a photo are the object.

It needs Python with PyTorch and Triton and one CUDA GPU; 5 minutes on a fast one. Everything that it sees is drawn by
this program, from parts made by code, so it learns without labels set by people and without files of anybody:

    node bench/learn/photos/meshes.mjs --out parts.bin
    python3 bench/learn/photos/objects.py --parts parts.bin --out photo-objects.bin [--seconds 200]

A picture: one part in any pose, by ray casting (Moeller and Trumbore 1997) at twice the size, in perspective; two lights
and a sky; matt to shining; on a table with a soft shadow or before a wall; plain, graded, grained, cluttered
backgrounds; blur, noise, vignette, cast. Half of the pictures are grey, because grey pixels are what is stored.

The file: per layer as `LAYERS` lists them: f32[out] scales, f32[out] biases, i8[in][3][3][out] weights; little-endian.
The last layer has the kernel 1 x 1. Weights are rounded to 8 bits at the end, and the printed figures are of these.
"""
import argparse
import math
import struct
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

WIDTHS = [8, 16, 32, 64, 96]
dev = "cuda"


@triton.jit
def cast_kernel(O, D, TRI, S, E, T, IDX, U, V, P, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    px = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = px < P
    base = (b * P + px) * 3
    ox = tl.load(O + base, mask=m, other=0.0)
    oy = tl.load(O + base + 1, mask=m, other=0.0)
    oz = tl.load(O + base + 2, mask=m, other=0.0)
    dx = tl.load(D + base, mask=m, other=0.0)
    dy = tl.load(D + base + 1, mask=m, other=0.0)
    dz = tl.load(D + base + 2, mask=m, other=1.0)
    best = tl.full([BLOCK], 1e30, tl.float32)
    index = tl.full([BLOCK], -1, tl.int32)
    bu = tl.full([BLOCK], 0.0, tl.float32)
    bv = tl.full([BLOCK], 0.0, tl.float32)
    s = tl.load(S + b)
    e = tl.load(E + b)
    for t in range(s, e):
        p = TRI + t * 9
        ax = tl.load(p); ay = tl.load(p + 1); az = tl.load(p + 2)
        ux = tl.load(p + 3); uy = tl.load(p + 4); uz = tl.load(p + 5)
        vx = tl.load(p + 6); vy = tl.load(p + 7); vz = tl.load(p + 8)
        hx = dy * vz - dz * vy
        hy = dz * vx - dx * vz
        hz = dx * vy - dy * vx
        det = ux * hx + uy * hy + uz * hz
        inv = 1.0 / tl.where(tl.abs(det) < 1e-12, 1e-12, det)
        sx = ox - ax
        sy = oy - ay
        sz = oz - az
        u = (sx * hx + sy * hy + sz * hz) * inv
        qx = sy * uz - sz * uy
        qy = sz * ux - sx * uz
        qz = sx * uy - sy * ux
        v = (dx * qx + dy * qy + dz * qz) * inv
        w = (vx * qx + vy * qy + vz * qz) * inv
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (w > 1e-3) & (w < best)
        best = tl.where(hit, w, best)
        index = tl.where(hit, t, index)
        bu = tl.where(hit, u, bu)
        bv = tl.where(hit, v, bv)
    at = b * P + px
    tl.store(T + at, best, mask=m)
    tl.store(IDX + at, index, mask=m)
    tl.store(U + at, bu, mask=m)
    tl.store(V + at, bv, mask=m)


def cast(origins, directions, edges, starts, ends):
    """Nearest hit of each ray [B, P, 3] with the part of its row: distance, triangle or -1, weights of its corners."""
    B, P, _ = origins.shape
    origins, directions = origins.contiguous(), directions.contiguous()
    t = torch.empty(B, P, device=dev)
    index = torch.empty(B, P, device=dev, dtype=torch.int32)
    u, v = torch.empty_like(t), torch.empty_like(t)
    cast_kernel[(B, triton.cdiv(P, 256))](origins, directions, edges, starts, ends, t, index, u, v, P, BLOCK=256)
    return t, index, u, v


def load_parts(path):
    raw = open(path, "rb").read()
    (count,) = struct.unpack_from("<I", raw)
    firsts = np.frombuffer(raw, "<u4", count + 1, 4).astype(np.int32)
    total = int(firsts[-1])
    at = 4 + 4 * (count + 1)
    corners = torch.from_numpy(np.frombuffer(raw, "<f2", 9 * total, at).astype(np.float32)).to(dev).view(-1, 3, 3)
    normals = torch.from_numpy(np.frombuffer(raw, "i1", 9 * total, at + 18 * total).astype(np.float32) / 127)
    return torch.from_numpy(firsts).to(dev), firsts, corners, normals.to(dev).view(-1, 3, 3)


class Scenes:
    """Draws batches of pictures with the masks of their parts."""

    def __init__(self, path, seed, held_out):
        self.firsts, firsts, self.corners, self.normals = load_parts(path)
        a = self.corners
        self.edges = torch.cat([a[:, 0], a[:, 1] - a[:, 0], a[:, 2] - a[:, 0]], 1).contiguous()
        count = len(firsts) - 1
        self.parts = [i for i in range(count) if (i % 8 == 0) == held_out]
        self.g = torch.Generator(device=dev).manual_seed(seed)
        # Points of each part, of which the lowest stands on the table.
        picks = [np.linspace(firsts[i], firsts[i + 1] - 1, 256).astype(np.int64) for i in range(count)]
        self.points = self.corners[torch.from_numpy(np.stack(picks)).to(dev)].reshape(count, -1, 3)

    def rand(self, *shape, low=0.0, high=1.0):
        return low + (high - low) * torch.rand(*shape, device=dev, generator=self.g)

    def unit(self, v):
        return v / v.norm(dim=-1, keepdim=True).clamp_min(1e-6)

    def rotation(self, B):
        q = self.unit(torch.randn(B, 4, device=dev, generator=self.g))
        w, x, y, z = q.unbind(1)
        return torch.stack(
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w),
             1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w),
             1 - 2 * (x * x + y * y)], 1).view(B, 3, 3)

    def noise(self, B, size, plane):
        """Smooth noise of places [B, h, w, 2] on a plane that repeats."""
        grid = self.rand(B, 1, size, size)
        place = (plane % 2.0) - 1.0
        return F.grid_sample(grid, place, mode="bilinear", padding_mode="reflection", align_corners=False)[:, 0]

    def hue(self, B, low, high):
        hue, value = self.rand(B, 1, high=6.0), self.rand(B, 1, low=low, high=high)
        shift = torch.tensor([[0.0, 2.0, 4.0]], device=dev)
        part = (((hue + shift) % 6 - 3).abs() - 1).clamp(0, 1)
        grey = (self.rand(B, 1) < 0.5).float()
        sat = (1 - grey) * self.rand(B, 1, low=0.1, high=0.9)
        return value * (1 - sat + sat * part)

    def batch(self, B, h, w):
        H, W = 2 * h, 2 * w
        rand = self.rand
        chosen = torch.randint(len(self.parts), (B,), device=dev, generator=self.g)
        part = torch.tensor(self.parts, device=dev)[chosen]
        starts, ends = self.firsts[part], self.firsts[part + 1]
        R = self.rotation(B)
        field = rand(B, low=0.22, high=0.9)
        focal = H / 2 / torch.tan(field / 2)
        points = torch.einsum("bij,bpj->bpi", R, self.points[part])
        # The distance at which the part takes its share of the picture.
        share = torch.where(rand(B) < 0.2, rand(B, low=0.15, high=0.4), rand(B, low=0.4, high=0.95))
        share = torch.where(rand(B) < 0.08, rand(B, low=0.95, high=1.2), share)
        distance = 2 * focal / (share * min(H, W)) + 1
        for _ in range(4):
            away = distance[:, None] - points[..., 2]
            xy = focal[:, None, None] * points[..., :2] / away[..., None]
            span = xy.amax(1) - xy.amin(1)
            fits = torch.maximum(span[:, 0] / W, span[:, 1] / H) / share
            distance = (1 + (distance - 1) * fits).clamp_min(1.7)
        away = distance[:, None] - points[..., 2]
        xy = focal[:, None, None] * points[..., :2] / away[..., None]
        low, high = xy.amin(1), xy.amax(1)
        room = (torch.tensor([W, H], device=dev) - (high - low)).clamp_min(0)
        middle = torch.tensor([W / 2, H / 2], device=dev) - (low + high) / 2 + 0.8 * room * (rand(B, 2) - 0.5)
        middle = middle + (rand(B, 1) < 0.06).float() * 0.3 * (high - low) * (rand(B, 2) - 0.5)
        ys, xs = torch.meshgrid(torch.arange(H, device=dev) + 0.5, torch.arange(W, device=dev) + 0.5, indexing="ij")
        rx = (xs[None] - middle[:, 0, None, None]) / focal[:, None, None]
        ry = (ys[None] - middle[:, 1, None, None]) / focal[:, None, None]
        ray = torch.stack([rx, -ry, -torch.ones_like(rx)], -1).view(B, -1, 3)
        eye = torch.zeros(B, 1, 3, device=dev)
        eye[:, 0, 2] = distance
        o = torch.einsum("bij,bpi->bpj", R, eye.expand(-1, H * W, -1))
        d = torch.einsum("bij,bpi->bpj", R, ray)
        t, index, u, v = cast(o, d, self.edges, starts, ends)
        hit = index >= 0
        n3 = self.normals[index.clamp_min(0).long()]
        n = n3[:, :, 0] * (1 - u - v)[..., None] + n3[:, :, 1] * u[..., None] + n3[:, :, 2] * v[..., None]
        n = self.unit(torch.einsum("bij,bpj->bpi", R, n))
        view = self.unit(-ray)
        n = torch.where((n * view).sum(-1, keepdim=True) < 0, -n, n)
        # The table.
        e, roll = rand(B, low=0.25, high=1.5), (rand(B) - 0.5) * 2 * torch.where(rand(B) < 0.7, 0.25, 3.14)
        up = torch.stack([roll.sin() * e.cos(), roll.cos() * e.cos(), e.sin()], -1)
        level = torch.einsum("bpi,bi->bp", points, up).amin(1) - 0.003
        slope = torch.einsum("bpi,bi->bp", ray, up)
        reach = (level - up[:, 2] * distance)[:, None] / slope
        has_table = (rand(B, 1) < 0.65) & (slope < -1e-3) & (reach < 60)
        away = torch.where(hit, t, torch.where(has_table, reach, torch.full_like(t, 5.0)))
        place = eye + ray * away[..., None]
        key = self.unit(up * rand(B, 1, low=0.6, high=1.6) + (rand(B, 3) * 2 - 1))
        spread = rand(B, 1, 1, low=0.005, high=0.16)
        toward = self.unit(key[:, None] + spread * torch.randn(B, H * W, 3, device=dev, generator=self.g))
        s_o = torch.einsum("bij,bpi->bpj", R, place + 0.012 * n * hit[..., None])
        s_d = torch.einsum("bij,bpi->bpj", R, toward)
        shaded = cast(s_o, s_d, self.edges, starts, ends)[1] >= 0
        sky_to = self.unit(up[:, None] + 0.9 * torch.randn(B, H * W, 3, device=dev, generator=self.g))
        covered = cast(s_o, torch.einsum("bij,bpi->bpj", R, sky_to), self.edges, starts, ends)[1] >= 0

        def soften(light, size):
            img = light.float().view(B, 1, H, W)
            inside = hit.float().view(B, 1, H, W)
            k = size
            both = [F.avg_pool2d(img * m, k, 1, k // 2) / F.avg_pool2d(m, k, 1, k // 2).clamp_min(1e-3)
                    for m in (inside, 1 - inside)]
            return (both[0] * inside + both[1] * (1 - inside)).view(B, -1)

        shadow, open_ = 1 - soften(shaded, 5), 1 - soften(covered, 9)
        # No light comes from a wall's shadow.
        on_table = has_table & ~hit
        wall = ~hit & ~has_table
        shadow = torch.where(wall, torch.ones_like(shadow), shadow)
        open_ = torch.where(wall, torch.ones_like(open_), open_)
        key_power, sky_power = rand(B, 1, low=0.3, high=0.9), rand(B, 1, low=0.15, high=0.5)
        ambient = rand(B, 1, low=0.05, high=0.3)
        fill = self.unit(torch.stack([rand(B) * 2 - 1, rand(B) * 1.5 - 0.5, rand(B, low=0.3, high=1.0)], -1))
        lit = ambient + key_power * (n * key[:, None]).sum(-1).clamp_min(0) * shadow
        lit = lit + sky_power * (0.5 + 0.5 * (n * up[:, None]).sum(-1)) * (0.35 + 0.65 * open_)
        lit = lit + rand(B, 1, high=0.35) * (n * fill[:, None]).sum(-1).clamp_min(0)
        half = self.unit(key[:, None] + view)
        gloss = rand(B, 1, high=0.8) * (rand(B, 1) < 0.7)
        shine = gloss * shadow * (n * half).sum(-1).clamp_min(0) ** (4 * 30 ** rand(B, 1))
        mirror = self.unit(2 * (n * view).sum(-1, keepdim=True) * n - view)
        tilt = self.unit(rand(B, 3) * 2 - 1 + torch.tensor([0.0, 0.5, 0.0], device=dev))
        height = (mirror * tilt[:, None]).sum(-1)
        sky = torch.where(height < -0.1, rand(B, 1, high=0.4),
                          0.45 + 0.45 * torch.sin(rand(B, 1, low=2, high=7) * (height + 0.3 * mirror[..., 0])) ** 3)
        metal = rand(B, 1, high=0.6) * (rand(B, 1) < 0.5)
        color = self.hue(B, 0.06, 0.9)
        surface = color[:, None] * (lit * (1 - 0.6 * metal))[..., None] + \
            ((metal * sky)[..., None] * (0.4 + 0.6 * color[:, None] / 0.6)) + (shine * key_power)[..., None]
        streak = (rand(B, 1) < 0.3).float() * rand(B, 1, high=0.08)
        surface = surface * (1 + streak * torch.randn(B, H * W, device=dev, generator=self.g))[..., None]
        # Backgrounds.
        across = self.unit(torch.cross(up, torch.randn(B, 3, device=dev, generator=self.g), dim=-1))
        ahead = torch.cross(up, across, dim=-1)
        plane = torch.stack([torch.einsum("bpi,bi->bp", place, across), torch.einsum("bpi,bi->bp", place, ahead)], -1)
        flat = torch.stack([(xs / W * 4).expand(B, -1, -1), (ys / W * 4).expand(B, -1, -1)], -1).view(B, -1, 2)
        plane = torch.where(on_table[..., None], plane, flat).view(B, H, W, 2)
        base = self.hue(B, 0.05, 1.0)
        base = torch.where(rand(B, 1) < 0.4, torch.rand(B, 1, device=dev, generator=self.g) * 0.35 + 0.65, base)
        texture = torch.ones(B, H, W, device=dev)
        kind = rand(B, 1, 1)
        wood = self.noise(B, 64, plane * torch.tensor([0.02, 0.4], device=dev) * rand(B, 1, 1, 1, low=0.5, high=2))
        rings = torch.sin((plane[..., 1] * rand(B, 1, 1, low=3, high=25)) + 6 * self.noise(B, 16, plane * 0.12))
        texture = texture + (kind < 0.25) * rand(B, 1, 1, high=0.5) * (0.6 * (wood - 0.5) + 0.4 * rings)
        grain = self.noise(B, 96, plane * rand(B, 1, 1, 1, low=0.1, high=1.5))
        texture = texture + (kind > 0.5) * rand(B, 1, 1, high=0.35) * (grain - 0.5)
        ground = base[:, None, None] * texture[..., None]
        cluttered = (rand(B, 1, 1) < 0.4)
        for _ in range(9):
            far = torch.where(rand(B) < 0.3, rand(B, high=1.0), rand(B, low=1.0, high=4.0))
            a, turn = rand(B, high=6.28), rand(B, high=3.14)
            x = plane[..., 0] - (far * a.cos())[:, None, None]
            y = plane[..., 1] - (far * a.sin())[:, None, None]
            c, s = turn.cos()[:, None, None], turn.sin()[:, None, None]
            p, q = x * c + y * s, y * c - x * s
            disc = rand(B, 1, 1) < 0.3
            length, wide = rand(B, 1, 1, low=0.15, high=1.6), rand(B, 1, 1, low=0.03, high=0.9)
            inside = torch.where(disc, torch.hypot(p, q) < 0.4 * length, (p.abs() < length) & (q.abs() < wide))
            lines = torch.where((rand(B, 1, 1) < 0.3) & (torch.sin(q * rand(B, 1, 1, low=20, high=80)) > 0.8), 0.4, 1.0)
            own = self.hue(B, 0.05, 1.0)[:, None, None] * lines[..., None]
            ground = torch.where((inside & cluttered)[..., None], own, ground)
        angle = rand(B, 1, 1, high=6.28)
        along = 0.5 + 0.5 * ((2 * xs / W - 1) * angle.cos() + (2 * ys / H - 1) * angle.sin())
        ground = ground * (1 - (rand(B, 1, 1) < 0.6) * rand(B, 1, 1, high=0.6) * along)[..., None]
        table_light = 0.25 + key_power * shadow * (up * key).sum(-1, keepdim=True).clamp_min(0) + 1.2 * sky_power * open_
        ground = ground.view(B, -1, 3) * torch.where(on_table, table_light, torch.ones_like(table_light))[..., None]
        # Soft focus behind, then the part over it.
        back = ground.view(B, H, W, 3).permute(0, 3, 1, 2)
        blurred = F.avg_pool2d(F.avg_pool2d(back, 5, 1, 2), 5, 1, 2)
        back = torch.where(rand(B, 1, 1, 1) < 0.4, blurred, back)
        cover = hit.float().view(B, 1, H, W)
        full = surface.view(B, H, W, 3).permute(0, 3, 1, 2) * cover + back * (1 - cover)
        image, mask = F.avg_pool2d(full, 2), F.avg_pool2d(cover, 2)
        soft = F.avg_pool2d(F.pad(image, (1, 1, 1, 1), mode="replicate"), 3, 1)
        image = torch.lerp(image, soft, rand(B, 1, 1, 1) * (rand(B, 1, 1, 1) < 0.6))
        mean = image.mean((1, 2, 3), keepdim=True)
        image = image * ((rand(B, 1, 1, 1, low=0.35, high=0.7) / mean.clamp_min(0.05)) ** 0.6).clamp(0.5, 2.2)
        image = image * (1 + 0.12 * (rand(B, 3, 1, 1) * 2 - 1))
        image = torch.where(image < 0.8, image, 0.8 + 0.2 * (1 - torch.exp(-(image - 0.8) / 0.2)))
        image = image + rand(B, 1, 1, 1, high=0.02) * torch.randn(image.shape, device=dev, generator=self.g)
        luma = (image * torch.tensor([0.3, 0.59, 0.11], device=dev)[None, :, None, None]).sum(1, keepdim=True)
        image = torch.where(rand(B, 1, 1, 1) < GREY, luma.expand(-1, 3, -1, -1), image)
        return image.clamp(0, 1), (mask >= 0.5).float()


GREY = 0.5
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
    parser.add_argument("--seconds", type=float, default=200)
    parser.add_argument("--show", help="a file for u8[64][4][96][128] of drawn pictures and masks")
    args = parser.parse_args()
    torch.manual_seed(1)
    scenes, unseen = Scenes(args.parts, 1, False), Scenes(args.parts, 2, True)
    net = Net().to(dev).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    if args.show:
        image, mask = unseen.batch(64, 96, 128)
        torch.cat([image, mask], 1).mul(255).byte().cpu().numpy().tofile(args.show)
    shapes = [(96, 128), (128, 96), (128, 128), (96, 128)]
    began, step, last = time.time(), 0, 0.0
    while True:
        spent = (time.time() - began) / args.seconds
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * spent)) + 1e-6
        image, mask = scenes.batch(48, *shapes[step % 4])
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
            print(f"{last:.0f} s, step {step}, loss {loss.item():.4f}", flush=True)
    net.eval()

    def figures():
        found = []
        with torch.no_grad():
            for _ in range(20):
                image, mask = unseen.batch(48, 96, 128)
                found.append(shares(net(image), mask))
        found = torch.cat(found)
        return f"unseen parts: IoU mean {found.mean():.4f}, above .9 {(found > 0.9).float().mean():.4f}"

    print("f32", figures())
    data = net.rounded()
    print("i8", figures(), len(data), "bytes")
    open(args.out, "wb").write(data)


main()
