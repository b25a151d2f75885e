"""Learns src/tables/line-reader.bin, the network of src/pmi/pictures/line-net.ts, which reads a whole line of text.

Needs Python 3.12, PyTorch 2.11 and a GPU; learns from what `npm run bench -- learn/line-samples` and `learn/line-crops` write to
one folder. Lines are drawn on the GPU: letters by any pen and slant, lines of dimensions below, above, beside and through them,
borders, rows above and below; the crops have what drawings have about their texts. All are then blurred, broken or bled, lit,
bent, noisy and coded as JPEG, with letters of 5 to 44 pixels. Seed 20261126; a GPU adds in another order each time, so weights
differ in their last digits from run to run.

    python3 bench/learn/line-reader.py SAMPLES OUT.bin --start src/tables/line-reader.bin --seconds 350 [--longer]
"""
import argparse, json, math, struct, time
import torch
import torch.nn as nn
import torch.nn.functional as F

ask = argparse.ArgumentParser()
ask.add_argument("samples")
ask.add_argument("out")
ask.add_argument("--seconds", type=float, default=260)
ask.add_argument("--start", help="a network to go on from")
ask.add_argument("--longer", action="store_true", help="two further layers, which change nothing at first")
ask.add_argument("--best", type=float, default=1e-3, help="largest step")
ask.add_argument("--memory", type=float, default=0.16, help="share of the GPU's memory")
ask.add_argument("--steps", type=int, default=10**9, help="ends after so many steps, to try the program")
ask.add_argument("--pixels", type=float, default=9e6)
ask.add_argument("--tested", type=int, default=6)
args = ask.parse_args()
torch.manual_seed(20261126)
torch.backends.cudnn.benchmark = False
dev = "cuda" if torch.cuda.is_available() else "cpu"
if dev == "cuda":
    torch.cuda.set_per_process_memory_fraction(args.memory)
began = time.time()
about = json.load(open(f"{args.samples}/about.json"))
CHARS = about["characters"]
C = len(CHARS)
CELL, FORMS, LONGEST = about["cell"], about["forms"], about["longest"]
read = lambda name, dtype: torch.frombuffer(bytearray(open(f"{args.samples}/{name}", "rb").read()), dtype=dtype)
cells = read("cells.bin", torch.uint8).to(dev)
table = read("table.bin", torch.int32).view(-1, C, FORMS).to(dev)
advances = read("advances.bin", torch.float32).to(dev)
strokes = read("strokes.bin", torch.uint8).to(dev)
texts = read("texts.bin", torch.uint8).view(-1, LONGEST).to(dev).long()
texts[texts == 255] = -1
PER, CW, CH, LEFT, TOP, FAR = CELL["perCapital"], CELL["width"], CELL["height"], CELL["left"], CELL["top"], CELL["far"]
S = len(about["styles"])
tested = torch.tensor(about["tested"], device=dev)
isFont = torch.arange(S, device=dev) < S - 11
weight = torch.where(isFont, 0.55 / isFont.sum(), 0.45 / (~isFont).sum()).float()
weight[tested] = 0
lengths = (texts >= 0).sum(1)
CROP = json.load(open(f"{args.samples}/crops.json"))
crops = read("crops.bin", torch.uint8).to(dev)
cropWidths = read("crop-widths.bin", torch.int32).to(dev).long()
cropTexts = read("crop-texts.bin", torch.uint8).view(-1, CROP["longest"]).to(dev).long()
cropTexts[cropTexts == 255] = -1
cropPages = read("crop-pages.bin", torch.int32).to(dev)
cropStarts = torch.cumsum(cropWidths, 0) - cropWidths
cropHigh = CROP["above"] + CROP["below"]
HIGH, CAPITAL, BASE = 32, 20.0, 26.0
MOST_WIDE = 640


def rnd(a, b, *shape):
    return a + (b - a) * torch.rand(*shape, device=dev)


def chance(p, *shape):
    return torch.rand(*shape, device=dev) < p


def place(chars, styles, pen):
    """Where each character of lines is: cells, starts and ways in capitals, total length."""
    B, L = chars.shape
    form = torch.randint(0, FORMS, (B, L), device=dev)
    there = chars >= 0
    gid = table[styles[:, None], chars.clamp(min=0), form].long()
    isSpace = (chars == 0) | ~there
    gid = torch.where(isSpace, -1, gid)
    stretch = torch.where(chance(0.6, B), rnd(0.93, 1.07, B), rnd(0.72, 1.25, B))
    extra = torch.where(chance(0.7, B), rnd(-0.02, 0.08, B), rnd(-0.05, 0.3, B))
    space = rnd(0.28, 0.75, B)
    way = torch.where(isSpace, space[:, None], advances[gid.clamp(min=0)] * stretch[:, None] + extra[:, None])
    pitch = torch.where(chance(0.06, B), rnd(0.75, 1.0, B), torch.zeros(B, device=dev))[:, None]
    inset = ((pitch - way) / 2).clamp(min=0) * (pitch > 0)
    way = torch.maximum(way, pitch) * there
    starts = torch.cumsum(way, 1) - way
    return gid, starts, inset, stretch, way.sum(1)


def inked(u, v, line, pen, bold, px):
    """Coverage 0 to 1 of letters at points u, v (capitals); px: pixels per capital."""
    gid, starts, inset, stretch, total = line
    B, N = u.shape
    L = gid.shape[1]
    at = torch.searchsorted(starts.contiguous(), u.contiguous(), right=True) - 1
    best = torch.zeros_like(u)
    for step in (-1, 0, 1):
        k = (at + step).clamp(0, L - 1)
        g = torch.gather(gid, 1, k)
        local = (u - torch.gather(starts + inset, 1, k)) / stretch[:, None]
        x = (local + LEFT) * PER - 0.5
        y = (TOP - v) * PER - 0.5
        ok = (g >= 0) & (x > 0) & (y > 0) & (x < CW - 1.001) & (y < CH - 1.001)
        xi, yi = x.clamp(0, CW - 2).floor(), y.clamp(0, CH - 2).floor()
        fx, fy = x.clamp(0, CW - 1) - xi, y.clamp(0, CH - 1) - yi
        base = g.clamp(min=0) * (CW * CH) + yi.long() * CW + xi.long()
        d = (cells[base].float() * (1 - fx) + cells[base + 1].float() * fx) * (1 - fy) + (
            cells[base + CW].float() * (1 - fx) + cells[base + CW + 1].float() * fx
        ) * fy
        d = (d / 127.5 - 1) * FAR
        stroked = strokes[g.clamp(min=0)] > 0
        radius = torch.where(stroked, pen[:, None] / 2, bold[:, None])
        cover = (0.5 - (d - radius) * px).clamp(0, 1)
        thin = torch.where(stroked, (pen[:, None] * px).clamp(max=1), torch.ones_like(cover))
        best = torch.maximum(best, torch.where(ok, torch.minimum(cover, thin), torch.zeros_like(cover)))
    return best


def clutter(B, left, right, base, cap, wide):
    """Segments [B, 22, 6] in pixels of the target: ends, half widths at both."""
    far = torch.full((B, 22, 6), -1e4, device=dev)
    far[:, :, 4:] = 0.5
    end = torch.full((B,), 3000.0, device=dev)
    pen = cap * rnd(0.03, 0.1, B)
    def put(i, mask, x0, y0, x1, y1, w0=None, w1=None):
        half = (pen / 2).clamp(min=0.3)
        row = torch.stack([x0, y0, x1, y1, half if w0 is None else w0, half if w1 is None else w1], 1)
        far[:, i] = torch.where(mask[:, None], row, far[:, i])
    framed = chance(0.14, B)
    under = chance(0.3, B) | (framed & chance(0.8, B))
    y = base + cap * rnd(0.16, 0.6, B)
    part = chance(0.3, B)
    put(0, under, torch.where(part, left + cap * rnd(-0.6, 0.6, B), -end), y, torch.where(chance(0.3, B), right + cap * rnd(-0.4, 0.6, B), end), y)
    over = chance(0.08, B) | (framed & chance(0.8, B))
    y = base - cap * (1 + rnd(0.16, 0.6, B))
    put(1, over, -end, y, end, y)
    stub = chance(0.2, B)
    y = base - cap * rnd(0.3, 0.7, B)
    put(2, stub & chance(0.9, B), -end, y, left - cap * rnd(0.12, 0.6, B), y)
    put(3, stub & chance(0.9, B), right + cap * rnd(0.12, 0.6, B), y, end, y)
    side = chance(0.08, B)
    lean = cap * rnd(-0.05, 0.05, B)
    x = left - cap * rnd(0.12, 0.55, B)
    put(4, framed | (side & chance(0.6, B)), x - lean, -end, x + lean, end)
    x = right + cap * rnd(0.12, 0.55, B)
    put(5, framed | (side & chance(0.6, B)), x - lean, -end, x + lean, end)
    y = base - cap * rnd(-0.1, 1.1, B)
    y1 = y + cap * rnd(-0.1, 0.1, B)
    part = chance(0.4, B)
    put(6, chance(0.12, B), torch.where(part, rnd(0, 1, B) * wide, -torch.ones(B, device=dev)), y, torch.where(chance(0.5, B), rnd(0, 1, B) * wide, wide + 1), y1)
    x, y = rnd(0, 1, B) * wide, base - cap * rnd(-0.3, 1.3, B)
    angle = rnd(0, 2 * math.pi, B)
    put(7, chance(0.13, B), x, y, x + 2000 * torch.cos(angle), y + 2000 * torch.sin(angle))
    onLeft = chance(0.5, B)
    x = torch.where(onLeft, left - cap * rnd(0.15, 0.8, B), right + cap * rnd(0.15, 0.8, B))
    y = base - cap * rnd(-0.3, 1.2, B)
    angle = torch.where(onLeft, math.pi, 0.0) + torch.where(chance(0.6, B), torch.zeros(B, device=dev), rnd(-1.3, 1.3, B))
    long = cap * rnd(0.5, 1.5, B)
    tip = chance(0.5, B)
    w = long * rnd(0.08, 0.2, B)
    zero = torch.full_like(w, 0.2)
    put(8, chance(0.08, B), x, y, x + long * torch.cos(angle), y + long * torch.sin(angle), torch.where(tip, zero, w), torch.where(tip, w, zero))
    # Extension lines that end beside the text: bars that are longer than a letter, above or below it.
    bars = chance(0.14, B)
    lean = cap * rnd(-0.04, 0.04, B) * 3
    ended, open_ = base - cap * rnd(0.55, 1.8, B), base + cap * rnd(0.3, 3, B)
    flip = chance(0.25, B)
    first = torch.where(flip, base - cap * rnd(1.4, 4, B), ended)
    last = torch.where(flip, base + cap * rnd(-0.1, 0.8, B), open_)
    x = left - cap * rnd(0.1, 0.5, B)
    put(9, bars & chance(0.85, B), x - lean, first, x + lean, last)
    x = right + cap * rnd(0.1, 0.5, B)
    put(10, bars & chance(0.85, B), x - lean, first, x + lean, last)
    # The long stroke of a mark of surface texture.
    onLeft = chance(0.5, B)
    x = torch.where(onLeft, left - cap * rnd(0.3, 0.9, B), right + cap * rnd(0.05, 0.6, B))
    put(11, chance(0.05, B), x, base + cap * rnd(0.2, 3, B), x + cap * rnd(0.5, 1.2, B), base - cap * rnd(0.8, 2, B))
    # A ring around a short text, some with a line through its middle.
    ring = chance(0.35, B) & (right - left < 2.4 * cap)
    mx, my = (left + right) / 2, base - cap / 2
    flat = ring & chance(0.3, B)
    my = torch.where(flat, my + cap * torch.where(chance(0.5, B), 0.9, -0.9), my)
    radius = torch.maximum((right - left) / 2 + cap * rnd(0.2, 0.7, B), cap * rnd(1.1, 1.8, B)) + torch.where(flat, 0.6 * cap, 0 * cap)
    put(12, flat, mx - radius, my, mx + radius, my)
    for i in range(9):
        a0, a1 = 2 * math.pi * i / 9, 2 * math.pi * (i + 1) / 9
        put(13 + i, ring, mx + radius * math.cos(a0), my + radius * math.sin(a0), mx + radius * math.cos(a1), my + radius * math.sin(a1))
    clean = chance(0.22, B)
    far[clean] = torch.tensor([-1e4, -1e4, -1e4, -1e4, 0.5, 0.5], device=dev)
    return far, clean


COS = torch.tensor([[math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(0.125) if u == 0 else 0.5) for x in range(8)] for u in range(8)], device=dev)
QUANT = torch.tensor([16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99], device=dev).float().view(8, 8)


def jpeg(image, quality):
    """image [B, H, W] brightness 0 to 255, quality [B]."""
    B, H, W = image.shape
    oy, ox = int(torch.randint(0, 8, ())), int(torch.randint(0, 8, ()))
    padded = F.pad(image[:, None], (ox, (-(W + ox)) % 8, oy, (-(H + oy)) % 8), mode="replicate")[:, 0]
    h, w = padded.shape[1:]
    blocks = padded.view(B, h // 8, 8, w // 8, 8).permute(0, 1, 3, 2, 4) - 128
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)
    q = ((QUANT[None] * scale[:, None, None] + 50) / 100).floor().clamp(1, 255)[:, None, None]
    freq = torch.round(COS @ blocks @ COS.T / q) * q
    out = (COS.T @ freq @ COS + 128).permute(0, 1, 3, 2, 4).reshape(B, h, w)
    return out[:, oy : oy + H, ox : ox + W].clamp(0, 255)


def cropped(u, v, which, high):
    """Ink of crops at points u, v (capitals), averaged over the pixels of the source; no slant."""
    n = max(1, math.ceil(CROP["capital"] / high / 1.4))
    wide = cropWidths[which][:, None]
    start = (cropStarts[which] * cropHigh)[:, None]
    sum_ = torch.zeros_like(u)
    for j in range(n):
        for i in range(n):
            x = (u + ((i + 0.5) / n - 0.5) / high) * CROP["capital"] + CROP["beside"] - 0.5
            y = CROP["above"] - (v - ((j + 0.5) / n - 0.5) / high) * CROP["capital"] - 0.5
            ok = (x > 0) & (y > 0) & (x < wide - 1.001) & (y < cropHigh - 1.001)
            xi = torch.minimum(x.clamp(min=0).floor(), wide - 2.0)
            yi = y.clamp(0, cropHigh - 2).floor()
            fx, fy = (x - xi).clamp(0, 1), (y - yi).clamp(0, 1)
            at = start + yi.long() * wide + xi.long()
            d = (crops[at].float() * (1 - fx) + crops[at + 1].float() * fx) * (1 - fy) + (
                crops[at + wide].float() * (1 - fx) + crops[at + wide + 1].float() * fx
            ) * fy
            sum_ += torch.where(ok, d, torch.zeros_like(d))
    return sum_ / (15 * n * n)


def torn(image, high):
    """Strokes that are broken or bleed, by a limit between ink and paper that is not the same everywhere. image [B, 1, h, w]."""
    B, _, h, w = image.shape
    has = chance(0.3, B)
    if not bool(has.any()):
        return image
    some = image[has]
    count = some.shape[0]
    soft = torch.tensor([1.0, 2, 1], device=dev) / 4
    if high > 9:
        some = F.conv2d(F.pad(some, (1, 1, 1, 1), mode="replicate"), (soft[:, None] * soft[None])[None, None])
    step = max(2, round(high / 5))
    field = torch.randn(count, 1, h // step + 2, w // step + 2, device=dev)
    field = F.interpolate(field, size=(h, w), mode="bilinear", align_corners=False)
    top = some.amax((2, 3), keepdim=True).clamp(min=0.05)
    limit = torch.where(chance(0.5, count), rnd(0.18, 0.4, count), rnd(0.4, 0.62, count))[:, None, None, None]
    gain = torch.exp(rnd(0.3, 2.3, count))[:, None, None, None]
    uneven = rnd(0, 0.14, count)[:, None, None, None]
    image = image.clone()
    image[has] = (((some / top - limit + uneven * field) * gain + 0.5).clamp(0, 1)) * top * (some > 0.02)
    return image


@torch.no_grad()
def batch(rows, styles, high, which=None):
    """
    Pictures [B, 1, 32, W] of lines of text as the reader gets them; high: pixels of a capital in the source; which: numbers of crops
    of drawings, where the lines are not to be drawn.
    """
    chars = rows
    B = chars.shape[0]
    pen = torch.where(chance(0.7, B), rnd(0.06, 0.14, B), rnd(0.035, 0.22, B))
    bold = rnd(-0.012, 0.02, B)
    line = place(chars, styles, pen) if which is None else None
    total = line[4] if which is None else (cropWidths[which] - 2 * CROP["beside"]) / CROP["capital"]
    size = torch.where(chance(0.85, B), torch.exp(0.07 * torch.randn(B, device=dev)), rnd(0.72, 1.4, B)).clamp(0.6, 1.45)
    small = ((chars < 37) | (chars > 62)).logical_and(chars >= 0).sum(1) == 0
    size = torch.where(small & chance(0.5, B), size * 1.3, size)
    cap = CAPITAL * size
    base = BASE + torch.where(chance(0.9, B), 1.1, 2.2) * torch.randn(B, device=dev) + (size - 1) * 3
    left = cap * rnd(0.18, 0.75, B)
    slant = torch.where(chance(0.7, B), torch.zeros(B, device=dev), rnd(-0.06, 0.36, B))
    right = left + total * cap
    need = right + cap * rnd(0.1, 0.7, B)
    W = min(MOST_WIDE, int(math.ceil(float(need.max()) / 16) * 16))
    fits = right < W - 2
    turn = (torch.randn(B, device=dev) * 0.018).clamp(-0.07, 0.07) * torch.clamp(6 / total.clamp(min=1), max=1)
    r = high / CAPITAL
    hs, ws = int(math.ceil(HIGH * r)) + 2, int(math.ceil(W * r)) + 2
    yy = ((torch.arange(hs, device=dev) + 0.5 - 1) / r)[:, None].expand(hs, ws).reshape(1, -1)
    xx = ((torch.arange(ws, device=dev) + 0.5 - 1) / r)[None].expand(hs, ws).reshape(1, -1)
    cx = ((left + right) / 2)[:, None]
    cy = (base - cap / 2)[:, None]
    cos, sin = torch.cos(turn)[:, None], torch.sin(turn)[:, None]
    dx, dy = xx - cx, yy - cy
    # Paper that is not flat, seen at a slant: letters grow along the line, and the line bends.
    grows = torch.where(chance(0.3, B), 0.06 * torch.randn(B, device=dev), torch.zeros(B, device=dev)).clamp(-0.15, 0.15)[:, None]
    bends = torch.where(chance(0.25, B), 0.8 * torch.randn(B, device=dev), torch.zeros(B, device=dev)).clamp(-2, 2)[:, None]
    along = dx / ((right - left) / 2 + cap)[:, None]
    dy = dy * (1 + grows * along) + bends * along * along
    tx, ty = cos * dx + sin * dy + cx, cos * dy - sin * dx + cy
    v = (base[:, None] - ty) / cap[:, None]
    u = (tx - left[:, None]) / cap[:, None] - slant[:, None] * (v - 0.3)
    px = (cap * r)[:, None]
    if which is None:
        ink = inked(u, v, line, pen, bold, px)
        segments, clean = clutter(B, left, right, base, cap, W)
        beside = chance(0.16, B) & ~clean
        which = beside.nonzero()[:, 0]
        if len(which) > 0:
            other = torch.roll(torch.arange(B, device=dev), 1)[which]
            shift = rnd(1.15, 1.75, len(which)) * torch.where(chance(0.5, len(which)), 1.0, -1.0)
            rate = rnd(0.75, 1.3, len(which))[:, None]
            moved = tuple(part[other] for part in line)
            more = inked((u[which] + rnd(-1, 1.5, len(which))[:, None]) * rate, (v[which] - shift[:, None]) * rate, moved, pen[which], bold[which], px[which])
            ink[which] = torch.maximum(ink[which], more)
        drawn = torch.zeros_like(ink)
        for i in range(segments.shape[1]):
            has = (segments[:, i, 0] > -9999).nonzero()[:, 0]
            if len(has) == 0:
                continue
            x0, y0, x1, y1, w0, w1 = [segments[has, i, j][:, None] for j in range(6)]
            X, Y = tx[has], ty[has]
            ex, ey = x1 - x0, y1 - y0
            t = (((X - x0) * ex + (Y - y0) * ey) / (ex * ex + ey * ey).clamp(min=1e-6)).clamp(0, 1)
            d = torch.hypot(X - x0 - t * ex, Y - y0 - t * ey) - (w0 + (w1 - w0) * t)
            drawn[has] = torch.maximum(drawn[has], (0.5 - d * r).clamp(0, 1))
    else:
        ink = cropped((tx - left[:, None]) / cap[:, None], v, which, high)
        drawn = torch.zeros_like(ink)
    dark = torch.where(chance(0.6, B), rnd(0.75, 1, B), rnd(0.3, 1, B))[:, None]
    tone = torch.where(chance(0.7, B), torch.ones(B, device=dev), rnd(0.6, 1.2, B))[:, None]
    image = torch.maximum(ink * dark, drawn * (dark * tone).clamp(max=1)).view(B, 1, hs, ws)
    image = torn(image, high)
    blur = torch.where(chance(0.35, B), torch.zeros(B, device=dev), torch.where(chance(0.85, B), rnd(0.2, 1.15, B), rnd(0.2, 0.08 * high + 0.3, B))).clamp(max=3)
    taps = torch.arange(-4, 5, device=dev).float()
    kernel = torch.exp(-0.5 * (taps[None] / blur.clamp(min=0.05)[:, None]) ** 2)
    kernel = kernel / kernel.sum(1, keepdim=True)
    flat = image.view(1, B, hs, ws)
    flat = F.conv2d(F.pad(flat, (4, 4, 0, 0)), kernel.view(B, 1, 1, 9), groups=B)
    flat = F.conv2d(F.pad(flat, (0, 0, 4, 4)), kernel.view(B, 1, 9, 1), groups=B)
    image = flat.view(B, hs, ws)
    noise = torch.where(chance(0.5, B), torch.zeros(B, device=dev), rnd(0.004, 0.06, B))
    bright = 255 * (1 - image + noise[:, None, None] * torch.randn_like(image)).clamp(0, 1)
    coded = chance(0.6, B)
    if bool(coded.any()):
        bright[coded] = jpeg(bright[coded], rnd(35, 92, int(coded.sum())))
    image = (1 - torch.round(bright) / 255)[:, None]
    # Uneven light, and paper that is not quite told from ink.
    lit = torch.where(chance(0.25, B), rnd(0, 0.45, B), torch.zeros(B, device=dev))[:, None, None, None]
    ramp = torch.linspace(0, 1, ws, device=dev)[None, None, None]
    ramp = torch.where(chance(0.5, B)[:, None, None, None], ramp, 1 - ramp)
    image = (image * (1 - lit * ramp) + torch.where(chance(0.1, B), rnd(0, 0.08, B), torch.zeros(B, device=dev))[:, None, None, None]).clamp(0, 1)
    smooth = (noise > 0.014) & chance(0.9, B)
    soft = torch.tensor([1.0, 2, 1], device=dev) / 4
    eased = F.conv2d(F.pad(image, (1, 1, 1, 1), mode="replicate"), (soft[:, None] * soft[None])[None, None])
    image = torch.where(smooth[:, None, None, None], eased, image)
    n = max(1, int(math.ceil(r)))
    gy = ((torch.arange(HIGH * n, device=dev) + 0.5) / n * r + 1) / hs * 2 - 1
    gx = ((torch.arange(W * n, device=dev) + 0.5) / n * r + 1) / ws * 2 - 1
    grid = torch.stack([gx[None].expand(HIGH * n, -1), gy[:, None].expand(-1, W * n)], 2)[None].expand(B, -1, -1, -1)
    image = F.grid_sample(image, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
    if n > 1:
        image = F.avg_pool2d(image, n)
    ends = torch.minimum(need, torch.full_like(need, W))[:, None, None, None]
    image = image * (torch.arange(W, device=dev)[None, None, None] < ends)
    top = image.amax((1, 2, 3), keepdim=True).clamp(min=0.02)
    return (image / top).clamp(0, 1), fits


class Net(nn.Module):
    """Layers as of line-net.ts: [from, to, kernel y, x, stride y, x, dilation x, whether the input is added]."""
    LAYERS = [
        (1, 16, 3, 3, 2, 2, 1, 0), (16, 32, 3, 3, 2, 1, 1, 0), (32, 64, 3, 3, 2, 2, 1, 0), (64, 64, 3, 3, 1, 1, 1, 1), (64, 160, 4, 3, 4, 1, 1, 0),
        (160, 160, 1, 3, 1, 1, 1, 1), (160, 160, 1, 3, 1, 1, 2, 1), (160, 160, 1, 3, 1, 1, 4, 1),
    ]
    if args.longer:
        LAYERS = LAYERS[:4] + [(64, 64, 3, 3, 1, 1, 1, 1)] + LAYERS[4:] + [(160, 160, 1, 3, 1, 1, 8, 1)]
    NEW = {4, 8 + 1} if args.longer else set()

    def __init__(self):
        super().__init__()
        self.convs, self.norms = nn.ModuleList(), nn.ModuleList()
        for a, b, ky, kx, sy, sx, dx, _ in self.LAYERS:
            self.convs.append(nn.Conv2d(a, b, (ky, kx), (sy, sx), (0 if ky in (1, 4) else 1, dx * (kx // 2)), (1, dx), bias=False))
            self.norms.append(nn.BatchNorm2d(b))
        self.head = nn.Conv2d(160, 2 * (C + 1), 1)

    def forward(self, x):
        for conv, norm, layer in zip(self.convs, self.norms, self.LAYERS):
            y = norm(conv(x))
            x = F.relu(x + y if layer[7] else y)
        x = F.dropout(x, 0.05, self.training)
        y = self.head(x)
        B, _, _, T = y.shape
        return y.reshape(B, 2, C + 1, T).permute(0, 3, 1, 2).reshape(B, 2 * T, C + 1)


def decode(scores):
    best = scores.argmax(2).cpu()
    said = []
    for row in best.tolist():
        out, last = [], 0
        for k in row:
            if k != last and k != 0:
                out.append(CHARS[k - 1])
            last = k
        said.append("".join(out).strip())
    return said


order = torch.argsort(lengths, stable=True)
held = torch.zeros(len(texts), dtype=torch.bool, device=dev)
held[torch.randperm(len(texts), device=dev)[: len(texts) // 40]] = True
learned, unseen = order[~held[order]], order[held[order]]
cropLengths = (cropTexts >= 0).sum(1)
cropOrder = torch.argsort(cropLengths, stable=True)
heldPage = cropPages >= cropPages.max() - 14
cropsLearned, cropsUnseen = cropOrder[~heldPage[cropOrder]], cropOrder[heldPage[cropOrder]]
CROPS = 0.35


def drawCrops(pool, high, count=None):
    """Lines of drawings of about the same length."""
    at = int(torch.rand(()) * len(pool))
    long = int(cropLengths[pool[at]])
    near = pool[(cropLengths[pool] - long).abs() <= (0 if long < 6 else 1 + long // 8)]
    count = count or max(16, min(640, int(args.pixels / ((HIGH * high / 20 + 2) * ((long + 2) * 0.9 * high + 40)))))
    which = near[torch.randint(0, len(near), (count,), device=dev)]
    rows = cropTexts[which]
    rows = rows[:, : int((rows >= 0).sum(1).max())]
    picture, fits = batch(rows, None, high, which)
    return picture, rows, fits, torch.zeros(count, dtype=torch.long, device=dev)


def anyHigh():
    """Pixels of a capital: most of the lines that are misread are small."""
    low, top = (5.2, 15) if float(torch.rand(())) < 0.6 else (6, 44)
    return math.exp(math.log(low) + (math.log(top) - math.log(low)) * float(torch.rand(())))


def draw(pool, styleWeight, high=None, count=None):
    """Lines of about the same length."""
    if styleWeight is None:
        return drawCrops(pool, high or anyHigh(), count)
    high = high or anyHigh()
    at = int(torch.rand(()) * len(pool))
    long = int(lengths[pool[at]])
    near = pool[(lengths[pool] - long).abs() <= (0 if long < 6 else 1 + long // 8)]
    count = count or max(16, min(640, int(args.pixels / ((HIGH * high / 20 + 2) * ((long + 2) * 0.8 * high + 40)))))
    rows = texts[near[torch.randint(0, len(near), (count,), device=dev)]]
    rows = rows[:, : int((rows >= 0).sum(1).max())]
    styles = torch.multinomial(styleWeight, count, replacement=True)
    picture, fits = batch(rows, styles, high)
    return picture, rows, fits, styles


def loss_of(net, picture, rows, fits):
    with torch.autocast(dev, dtype=torch.bfloat16):
        scores = net(picture.contiguous(memory_format=torch.channels_last))
    logs = F.log_softmax(scores.float(), 2).permute(1, 0, 2)
    size = (rows >= 0).sum(1)
    targets = (rows + 1).clamp(min=0)
    T = logs.shape[0]
    each = F.ctc_loss(logs, targets, torch.full_like(size, T), size, blank=0, reduction="none", zero_infinity=True)
    return (each * fits / size.clamp(min=1).sqrt()).mean() * 0.5


@torch.no_grad()
def measure(net, styleWeight, name, highs=(7, 9, 12, 16, 24, 36)):
    net.eval()
    state = torch.get_rng_state()
    torch.manual_seed(7)
    wrong = []
    for high in highs:
        right = all_ = 0
        for _ in range(args.tested):
            picture, rows, fits, styles = draw(cropsUnseen if styleWeight is None else unseen, styleWeight, high, 200)
            said = decode(net(picture).float())
            for i, text in enumerate(said):
                if not bool(fits[i]):
                    continue
                truth = "".join(CHARS[k] for k in rows[i].tolist() if k >= 0).strip()
                all_ += 1
                if text == truth:
                    right += 1
                else:
                    wrong.append(f"{truth} > {text} ({about['styles'][int(styles[i])]}, {high})")
        print(f"{name}, capitals of {high} pixels: {right / max(1, all_):.4f} of {all_} lines right", flush=True)
    torch.set_rng_state(state)
    net.train()
    return wrong


net = Net().to(dev).to(memory_format=torch.channels_last)


def load(path):
    """Layers of a stored network; new ones add nothing."""
    data = open(path, "rb").read()
    at = 4
    for i, (conv, norm) in enumerate(list(zip(net.convs, net.norms)) + [(net.head, None)]):
        if i in net.NEW:
            nn.init.zeros_(norm.weight)
            nn.init.zeros_(norm.bias)
            continue
        outs, ins, ky, kx = conv.weight.shape
        count = outs * ins * ky * kx
        bias = torch.frombuffer(bytearray(data[at : at + 4 * outs]), dtype=torch.float32)
        scale = torch.frombuffer(bytearray(data[at + 4 * outs : at + 8 * outs]), dtype=torch.float32)
        whole = torch.frombuffer(bytearray(data[at + 8 * outs : at + 8 * outs + count]), dtype=torch.int8)
        at += 8 * outs + count
        used = (whole.float() * scale.repeat_interleave(count // outs)).view(outs, ky, kx, ins).permute(0, 3, 1, 2)
        conv.weight.copy_(used)
        if norm is None:
            conv.bias.copy_(bias)
        else:
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
    assert at == len(data)


def settle():
    """The norms take the means and variances of what they see, and give the same as before."""
    net.eval()
    rounds = 5 if dev == "cuda" else 1
    pictures = [draw(learned, weight)[0] for _ in range(rounds)] + [draw(cropsLearned, None)[0] for _ in range(rounds)]
    for conv, norm in zip(net.convs, net.norms):
        seen = []
        hook = conv.register_forward_hook(lambda _m, _i, y: seen.append((y.float().mean((0, 2, 3)), y.float().pow(2).mean((0, 2, 3)), y.numel())))
        for picture in pictures:
            net(picture.contiguous(memory_format=torch.channels_last))
        hook.remove()
        all_ = sum(n for _, _, n in seen)
        mean = sum(m * n for m, _, n in seen) / all_
        var = (sum(q * n for _, q, n in seen) / all_ - mean**2).clamp(min=1e-6)
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        offset = norm.bias - norm.running_mean * gain
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.copy_(gain * torch.sqrt(var + norm.eps))
        norm.bias.copy_(offset + mean * gain)


if args.start is not None:
    with torch.no_grad():
        load(args.start)
        settle()
    if args.tested > 0:
        print("before:")
        tested_, args.tested = args.tested, 3
        measure(net, None, "crops of drawings", (6, 8, 12, 20))
        measure(net, weight, "styles that were learned", (8, 16))
        args.tested = tested_
net.train()
kept = {k: v.clone().float() for k, v in net.state_dict().items()}
optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2, betas=(0.9, 0.99))
print(sum(p.numel() for p in net.parameters()), "weights", dev, f"{time.time() - began:.0f} s", flush=True)
GROUPS, BEST = 3, args.best


def folded(state):
    """The stored form: norms in the weights, whole numbers of 8 bits with a scale for each output."""
    stored = bytearray(struct.pack("<I", 0x454E494C))
    parts = []
    for i in range(len(net.convs) + 1):
        name = f"convs.{i}" if i < len(net.convs) else "head"
        w = state[f"{name}.weight"].double()
        if i < len(net.convs):
            k = state[f"norms.{i}.weight"].double() / torch.sqrt(state[f"norms.{i}.running_var"].double() + 1e-5)
            w, b = w * k[:, None, None, None], state[f"norms.{i}.bias"].double() - state[f"norms.{i}.running_mean"].double() * k
        else:
            b = state["head.bias"].double()
        scale = (w.abs().amax((1, 2, 3)) / 127).clamp(min=1e-9).float()
        whole = torch.round(w / scale.double()[:, None, None, None]).clamp(-127, 127)
        # Order: output, kernel y, kernel x, input.
        order8 = whole.permute(0, 2, 3, 1).contiguous().to(torch.int8).cpu()
        stored += b.float().cpu().numpy().tobytes() + scale.cpu().numpy().tobytes() + order8.numpy().tobytes()
        stored += bytes((-len(stored)) % 4)
        parts.append((whole.float() * scale[:, None, None, None], b.float()))
    return stored, parts


def save():
    stored, parts = folded(kept)
    open(args.out, "wb").write(stored)
    return stored, parts


start, step, seen, shown = time.time(), 0, 0, 0.0
while True:
    share = (time.time() - start) / args.seconds
    if share >= 1 or step >= args.steps:
        break
    rate = BEST * (min(1, (step + 1) / 120)) * 0.5 * (1 + math.cos(math.pi * share)) + 1e-6
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad(set_to_none=True)
    total = 0.0
    for _ in range(GROUPS):
        picture, rows, fits, _ = draw(cropsLearned, None) if float(torch.rand(())) < CROPS else draw(learned, weight)
        loss = loss_of(net, picture, rows, fits) / GROUPS
        loss.backward()
        total = total + loss.detach()
        seen += len(rows)
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    step += 1
    mix = min(0.998, step / (step + 20))
    with torch.no_grad():
        for k, v in net.state_dict().items():
            kept[k].lerp_(v.float(), 1 - mix)
    if time.time() - shown > 15:
        shown = time.time()
        print(f"{shown - start:.0f} s, step {step}, {seen} lines, loss {float(total):.4f}", flush=True)
        if step > 60:
            save()
net.load_state_dict({k: v.to(net.state_dict()[k].dtype) for k, v in kept.items()})
torch.backends.cudnn.allow_tf32 = False
torch.backends.cuda.matmul.allow_tf32 = False

stored, parts = save()
with torch.no_grad():
    net.eval()
    for (used, b), (conv, norm) in zip(parts, list(zip(net.convs, net.norms)) + [(net.head, None)]):
        conv.weight.copy_(used)
        if norm is None:
            conv.bias.copy_(b)
        else:
            norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
            norm.running_mean.zero_()
            norm.bias.copy_(b)
print(len(stored), "bytes", flush=True)
wrongCrops = measure(net, None, "crops of drawings", (6, 8, 12, 20, 30))
wrong = measure(net, weight, "styles that were learned")
other = torch.zeros(S, device=dev)
other[tested] = 1
wrongFonts = measure(net, other, "fonts that were not learned")
print("\n".join(wrong[:: max(1, len(wrong) // 40)]))
print("--")
print("\n".join(wrongFonts[:: max(1, len(wrongFonts) // 25)]))
print("--")
print("\n".join(wrongCrops[:: max(1, len(wrongCrops) // 40)]))
# A few pictures with what the network says of them, by which its twin is checked.
net.eval()
torch.manual_seed(11)
with torch.no_grad():
    picture, rows, fits, styles = draw(unseen, weight, 14, 8)
    scores = F.log_softmax(net(picture).float(), 2)
    probe = {"width": picture.shape[3], "pictures": [[round(v * 255) for v in p.flatten().tolist()] for p in picture],
             "texts": ["".join(CHARS[k] for k in r.tolist() if k >= 0) for r in rows], "said": decode(scores)}
    again = torch.tensor(probe["pictures"], device=dev).view(8, 1, HIGH, -1) / 255
    scores = F.log_softmax(net(again.float()).float(), 2)
    probe["said"] = decode(scores)
    probe["best"] = [[round(v, 4) for v in row.amax(1).tolist()] for row in scores]
json.dump(probe, open(args.out + ".probe.json", "w"))
