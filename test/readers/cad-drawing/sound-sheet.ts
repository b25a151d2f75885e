import { expect } from 'vitest';
import type { Sheet } from '../../../dist/content/sheet.js';

/** Points of a stroke. */
export function points({ strokes }: Sheet, stroke: number): [number, number][] {
  const found: [number, number][] = [];
  for (let i = strokes.starts[stroke]; i < strokes.starts[stroke + 1]; i++)
    found.push([strokes.points[2 * i], strokes.points[2 * i + 1]]);
  return found;
}

/** Expects that the arrays of a sheet fit each other and that all lies on the page. */
export function expectSound(sheet: Sheet): void {
  const { strokes, styles, arcs, annotations, texts } = sheet;
  expect([strokes.starts.length, strokes.styles.length, strokes.groups.length, strokes.annotations.length]).toEqual([
    strokes.count + 1,
    strokes.count,
    strokes.count,
    strokes.count,
  ]);
  expect(strokes.starts[strokes.count] * 2).toBe(strokes.points.length);
  expect(
    strokes.points.every(
      (value, i) =>
        Number.isFinite(value) &&
        value >= -1e-3 * sheet.width - 1e-3 &&
        value <= (i % 2 === 0 ? sheet.width : sheet.height) * 1.001 + 1e-3,
    ),
  ).toBe(true);
  expect(strokes.styles.every((style) => style < styles.length)).toBe(true);
  expect(strokes.annotations.every((annotation) => annotation >= -1 && annotation < annotations.length)).toBe(true);
  for (let i = 0; i < strokes.count; i++) expect(strokes.starts[i + 1] - strokes.starts[i]).toBeGreaterThan(1);
  for (const arc of arcs) {
    expect(arc.stroke).toBeLessThan(strokes.count);
    for (const [x, y] of points(sheet, arc.stroke))
      expect(Math.abs(Math.hypot(x - arc.x, y - arc.y) - arc.radius)).toBeLessThan(
        1e-3 * arc.radius + 1e-6 * sheet.width,
      );
    const [x, y] = points(sheet, arc.stroke)[0];
    expect(
      Math.hypot(arc.x + arc.radius * Math.cos(arc.startRad) - x, arc.y + arc.radius * Math.sin(arc.startRad) - y),
    ).toBeLessThan(1e-3 * arc.radius + 1e-6 * sheet.width);
  }
  for (const { x, y, height, width, angleRad } of texts)
    expect([x, y, height, width, angleRad].every(Number.isFinite)).toBe(true);
}
