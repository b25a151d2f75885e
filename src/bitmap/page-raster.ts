/** A picture of a bit a pixel, a byte each. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

export function newBitmap(width: number, height: number): Bitmap {
  return { width, height, bits: new Uint8Array(width * height) };
}

/** Sets the pixels of a straight line between the middles of two pixels; what is off the picture is left out. */
export function drawLine({ width, height, bits }: Bitmap, x0: number, y0: number, x1: number, y1: number): void {
  const steps = Math.min(1 << 16, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
  const stepX = steps === 0 ? 0 : (x1 - x0) / steps,
    stepY = steps === 0 ? 0 : (y1 - y0) / steps;
  for (let i = 0, x = x0, y = y0; i <= steps; i++, x += stepX, y += stepY) {
    const column = Math.floor(x),
      row = Math.floor(y);
    if (column >= 0 && row >= 0 && column < width && row < height) bits[row * width + column] = 1;
  }
}

/** Each set pixel becomes a square of 2 × radius + 1 pixels. */
export function dilate({ width, height, bits }: Bitmap, radius: number): Bitmap {
  const across = new Uint8Array(bits.length);
  for (let y = 0; y < height; y++) {
    const first = y * width;
    // The last column that a pixel met so far reaches.
    let reach = -1;
    for (let x = 0; x < Math.min(radius, width); x++) if (bits[first + x] === 1) reach = x + radius;
    for (let x = 0; x < width; x++) {
      if (x + radius < width && bits[first + x + radius] === 1) reach = x + 2 * radius;
      if (x <= reach) across[first + x] = 1;
    }
  }
  // Row by row, because memory is read fastest in its order.
  const all = new Uint8Array(bits.length);
  const reach = new Int32Array(width).fill(-1);
  for (let y = -radius; y < height; y++) {
    const ahead = (y + radius) * width;
    if (y + radius < height) for (let x = 0; x < width; x++) if (across[ahead + x] === 1) reach[x] = y + 2 * radius;
    if (y >= 0) for (let x = 0, at = y * width; x < width; x++, at++) all[at] = y <= reach[x] ? 1 : 0;
  }
  return { width, height, bits: all };
}

/** Only pixels whose square of 2 × radius + 1 pixels is set all over stay; what is off the picture counts as set. */
export function erode({ width, height, bits }: Bitmap, radius: number): Bitmap {
  const free = bits.map((bit) => 1 - bit);
  const grown = dilate({ width, height, bits: free }, radius).bits;
  for (let i = 0; i < grown.length; i++) grown[i] = 1 - grown[i];
  return { width, height, bits: grown };
}

/** Numbers (from 1) of connected areas of set pixels, corners counted; 0 where none is set. */
export function labelAreas({ width, height, bits }: Bitmap): { readonly labels: Int32Array; readonly count: number } {
  const labels = new Int32Array(bits.length);
  const pending = new Int32Array(bits.length);
  let count = 0;
  for (let start = 0; start < bits.length; start++) {
    if (bits[start] === 0 || labels[start] !== 0) continue;
    count++;
    labels[start] = count;
    pending[0] = start;
    for (let length = 1; length > 0; ) {
      const at = pending[--length];
      const x = at % width,
        y = (at - x) / width;
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const next = row * width + column;
          if (bits[next] === 0 || labels[next] !== 0) continue;
          labels[next] = count;
          pending[length++] = next;
        }
      }
    }
  }
  return { labels, count };
}

/** Sets all pixels that cannot be reached from the picture's border over free ones: what lines enclose, and the lines. */
export function fillInside({ width, height, bits }: Bitmap): Bitmap {
  const all = new Uint8Array(bits.length).fill(1);
  const pending = new Int32Array(bits.length);
  let length = 0;
  const visit = (at: number): void => {
    if (bits[at] === 1 || all[at] === 0) return;
    all[at] = 0;
    pending[length++] = at;
  };
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  while (length > 0) {
    const at = pending[--length];
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < all.length - width) visit(at + width);
  }
  return { width, height, bits: all };
}

/** What is drawn on a sheet, and pixels a unit of it. */
export interface Ink extends Bitmap {
  readonly scale: number;
}
