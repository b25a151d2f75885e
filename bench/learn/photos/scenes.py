"""Pictures of parts like photos, drawn on a GPU, with the pixels of the part: what the networks of this folder see.

A picture: one part in any pose, by ray casting (Moeller and Trumbore 1997), in perspective; two lights and a sky; matt
to shining; on a table with a soft shadow or before a wall; plain, graded, grained, cluttered backgrounds with other
parts; blur, noise, vignette, cast. Some of the pictures are grey.
"""
import numpy as np
import torch
import torch.nn.functional as F

from parts import cast, dev, load_parts

GREY = 0.2

def luma(image):
    """The grey [B, 1, h, w] of colors."""
    return (image * torch.tensor([0.299, 0.587, 0.114], device=dev)[None, :, None, None]).sum(1, keepdim=True)


class Scenes:
    """Draws batches of pictures with the masks of their parts."""

    def __init__(self, path, seed, held_out):
        self.firsts, firsts, self.corners, self.normals, self.families = load_parts(path)
        count = len(firsts) - 1
        self.parts = torch.tensor([i for i in range(count) if (i % 8 == 0) == held_out], device=dev)
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

    def batch(self, B, h, w, finer=2, share=None, shift=0.8):
        """
        Images [B, 3, h, w], 0 to 1, and masks [B, 1, h, w]; then part, rotation (rows right, up, towards) and distance
        of the camera. finer: rays a side of a pixel. share: of the picture's side that the part takes, least and most;
        any without. shift: of the room that is left, how much the part is moved at most.
        """
        H, W = finer * h, finer * w
        rand = self.rand
        chosen = torch.randint(len(self.parts), (B,), device=dev, generator=self.g)
        part = self.parts[chosen]
        starts, ends = self.firsts[part], self.firsts[part + 1]
        R = self.rotation(B)
        field = rand(B, low=0.22, high=0.9)
        focal = H / 2 / torch.tan(field / 2)
        points = torch.einsum("bij,bpj->bpi", R, self.points[part])
        flip = torch.tensor([1.0, -1.0], device=dev)
        # The distance at which the part takes its share of the picture.
        if share is None:
            share = torch.where(rand(B) < 0.2, rand(B, low=0.15, high=0.4), rand(B, low=0.4, high=0.95))
            share = torch.where(rand(B) < 0.08, rand(B, low=0.95, high=1.2), share)
        else:
            share = rand(B, low=share[0], high=share[1])
        distance = 2 * focal / (share * min(H, W)) + 1
        for _ in range(4):
            away = distance[:, None] - points[..., 2]
            xy = focal[:, None, None] * points[..., :2] * flip / away[..., None]
            span = xy.amax(1) - xy.amin(1)
            fits = torch.maximum(span[:, 0] / W, span[:, 1] / H) / share
            distance = (1 + (distance - 1) * fits).clamp_min(1.7)
        away = distance[:, None] - points[..., 2]
        xy = focal[:, None, None] * points[..., :2] * flip / away[..., None]
        low, high = xy.amin(1), xy.amax(1)
        room = (torch.tensor([W, H], device=dev) - (high - low)).clamp_min(0)
        middle = torch.tensor([W / 2, H / 2], device=dev) - (low + high) / 2 + shift * room * (rand(B, 2) - 0.5)
        middle = middle + (rand(B, 1) < 0.1 * shift).float() * 0.3 * (high - low) * (rand(B, 2) - 0.5)
        ys, xs = torch.meshgrid(torch.arange(H, device=dev) + 0.5, torch.arange(W, device=dev) + 0.5, indexing="ij")
        rx = (xs[None] - middle[:, 0, None, None]) / focal[:, None, None]
        ry = (ys[None] - middle[:, 1, None, None]) / focal[:, None, None]
        ray = torch.stack([rx, -ry, -torch.ones_like(rx)], -1).view(B, -1, 3)
        eye = torch.zeros(B, 1, 3, device=dev)
        eye[:, 0, 2] = distance
        o = torch.einsum("bij,bpi->bpj", R, eye.expand(-1, H * W, -1))
        d = torch.einsum("bij,bpi->bpj", R, ray)
        t, index, u, v = cast(o, d, self.corners, starts, ends)
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
        shaded = cast(s_o, s_d, self.corners, starts, ends)[1] >= 0
        sky_to = self.unit(up[:, None] + 0.9 * torch.randn(B, H * W, 3, device=dev, generator=self.g))
        covered = cast(s_o, torch.einsum("bij,bpi->bpj", R, sky_to), self.corners, starts, ends)[1] >= 0

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
        base = self.hue(B, 0.05, 1.0)
        base = torch.where(rand(B, 1) < 0.4, torch.rand(B, 1, device=dev, generator=self.g) * 0.35 + 0.65, base)
        # Some parts have the color of what they lie on.
        color = torch.where(rand(B, 1) < 0.15, base * rand(B, 1, low=0.85, high=1.15), color)
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
        texture = torch.ones(B, H, W, device=dev)
        kind = rand(B, 1, 1)
        wood = self.noise(B, 64, plane * torch.tensor([0.02, 0.4], device=dev) * rand(B, 1, 1, 1, low=0.5, high=2))
        rings = torch.sin((plane[..., 1] * rand(B, 1, 1, low=3, high=25)) + 6 * self.noise(B, 16, plane * 0.12))
        texture = texture + (kind < 0.25) * rand(B, 1, 1, high=0.5) * (0.6 * (wood - 0.5) + 0.4 * rings)
        grain = self.noise(B, 96, plane * rand(B, 1, 1, 1, low=0.1, high=1.5))
        texture = texture + (kind > 0.5) * rand(B, 1, 1, high=0.35) * (grain - 0.5)
        ground = base[:, None, None] * texture[..., None]
        cluttered = (rand(B, 1, 1) < 0.5)
        for _ in range(9):
            far = torch.where(rand(B) < 0.3, rand(B, high=1.0), rand(B, low=1.0, high=4.0))
            a, turn = rand(B, high=6.28), rand(B, high=3.14)
            x = plane[..., 0] - (far * a.cos())[:, None, None]
            y = plane[..., 1] - (far * a.sin())[:, None, None]
            c, s = turn.cos()[:, None, None], turn.sin()[:, None, None]
            p, q = x * c + y * s, y * c - x * s
            disc = rand(B, 1, 1) < 0.3
            length, wide = rand(B, 1, 1, low=0.15, high=2.0), rand(B, 1, 1, low=0.03, high=1.0) ** 1.5
            inside = torch.where(disc, torch.hypot(p, q) < 0.4 * length, (p.abs() < length) & (q.abs() < wide))
            lines = torch.where((rand(B, 1, 1) < 0.3) & (torch.sin(q * rand(B, 1, 1, low=20, high=80)) > 0.8), 0.4, 1.0)
            own = self.hue(B, 0.05, 1.0)[:, None, None] * lines[..., None]
            ground = torch.where((inside & cluttered)[..., None], own, ground)
        angle = rand(B, 1, 1, high=6.28)
        along = 0.5 + 0.5 * ((2 * xs / W - 1) * angle.cos() + (2 * ys / H - 1) * angle.sin())
        ground = ground * (1 - (rand(B, 1, 1) < 0.6) * rand(B, 1, 1, high=0.6) * along)[..., None]
        table_light = 0.25 + key_power * shadow * (up * key).sum(-1, keepdim=True).clamp_min(0) + 1.2 * sky_power * open_
        ground = ground.view(B, -1, 3) * torch.where(on_table, table_light, torch.ones_like(table_light))[..., None]
        back = ground.view(B, H, W, 3).permute(0, 3, 1, 2)
        cover = hit.float().view(B, 1, H, W)
        own = surface.view(B, H, W, 3).permute(0, 3, 1, 2)
        back = self.others(back, own, cover, (low + high) / 2 + middle, (high - low).amax(1))
        # Soft focus behind, then the part over it.
        blurred = back
        for _ in range(2):
            blurred = F.avg_pool2d(blurred, 5, 1, 2, count_include_pad=False)
        back = torch.where(rand(B, 1, 1, 1) < 0.3, blurred, back)
        full = own * cover + back * (1 - cover)
        image, mask = F.avg_pool2d(full, finer), F.avg_pool2d(cover, finer)
        soft = F.avg_pool2d(F.pad(image, (1, 1, 1, 1), mode="replicate"), 3, 1)
        image = torch.lerp(image, soft, rand(B, 1, 1, 1) * (rand(B, 1, 1, 1) < 0.6))
        mean = image.mean((1, 2, 3), keepdim=True)
        image = image * ((rand(B, 1, 1, 1, low=0.35, high=0.7) / mean.clamp_min(0.05)) ** 0.6).clamp(0.5, 2.2)
        image = image * (1 + 0.12 * (rand(B, 3, 1, 1) * 2 - 1))
        image = torch.where(image < 0.8, image, 0.8 + 0.2 * (1 - torch.exp(-(image - 0.8) / 0.2)))
        image = image + rand(B, 1, 1, 1, high=0.02) * torch.randn(image.shape, device=dev, generator=self.g)
        image = torch.where(rand(B, 1, 1, 1) < GREY, luma(image).expand(-1, 3, -1, -1), image)
        return image.clamp(0, 1), (mask >= 0.5).float(), part, R, distance

    def others(self, back, own, cover, centres, sizes):
        """Parts of other pictures of the batch behind the part, smaller and aside, with soft shadows; in some pictures."""
        B, _, H, W = back.shape
        for shift in (1, 2):
            there = (self.rand(B) < 0.22).float()
            angle, far = self.rand(B, high=6.28), self.rand(B, low=0.5, high=1.1)
            scale = self.rand(B, low=0.3, high=0.8) * sizes / sizes.roll(shift).clamp_min(1)
            aim = centres + (far * sizes)[:, None] * torch.stack([angle.cos(), angle.sin()], 1)
            ys, xs = torch.meshgrid(torch.arange(H, device=dev) + 0.5, torch.arange(W, device=dev) + 0.5, indexing="ij")
            place = torch.stack([xs, ys], -1)[None] - aim[:, None, None]
            place = place / scale[:, None, None, None] + centres.roll(shift, 0)[:, None, None]
            grid = place * 2 / torch.tensor([W, H], device=dev) - 1
            other = torch.cat([own, cover], 1).roll(shift, 0)
            other = F.grid_sample(other, grid, mode="nearest", align_corners=False) * there[:, None, None, None]
            shade = F.avg_pool2d(F.avg_pool2d(other[:, 3:], 9, 1, 4), 9, 1, 4).roll((4, 3), (2, 3))
            back = back * (1 - 0.5 * shade) * (1 - other[:, 3:]) + other[:, :3] * other[:, 3:]
        return back
