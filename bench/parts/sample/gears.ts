import { draw, drawRectangle, type Drawing, type Shape3D } from 'replicad';
import type { SamplePart } from './part.js';
import { circle, cylinder, prism } from './solids.js';

const PRESSURE_ANGLE = (20 * Math.PI) / 180;

interface Gear {
  /** mm of pitch diameter per tooth (ISO 54). */
  readonly module: number;
  readonly teeth: number;
  readonly width: number;
  readonly bore: number;
  /** Diameter and length of a hub on one side, mm. */
  readonly hub?: readonly [diameter: number, length: number];
}

const GEARS: readonly Gear[] = [
  { module: 1, teeth: 18, width: 10, bore: 6 },
  { module: 1, teeth: 24, width: 10, bore: 8 },
  { module: 1, teeth: 36, width: 10, bore: 8 },
  { module: 1, teeth: 36, width: 10, bore: 8, hub: [20, 8] },
  { module: 2, teeth: 18, width: 20, bore: 12 },
  { module: 2, teeth: 24, width: 20, bore: 12, hub: [30, 12] },
];

/** Involute spur gears, ISO 53 basic rack (20°), with a keyway in the bore. */
export const GEAR_PARTS: readonly SamplePart[] = GEARS.map((gear) => ({
  path: `gears/spur-m${gear.module}-z${gear.teeth}${gear.hub ? '-hub' : ''}.step`,
  build: () => spurGear(gear),
}));

function spurGear({ module, teeth, width, bore, hub }: Gear): Shape3D {
  let solid = prism(gearOutline(module, teeth), width);
  if (hub) solid = solid.fuse(cylinder(hub[0], hub[1], [0, 0, width]));
  const height = width + (hub?.[1] ?? 0);
  const key = bore * 0.3;
  const keyway = drawRectangle(key, bore / 2 + key / 2).translate(0, (bore / 2 + key / 2) / 2);
  return solid.cut(prism(circle(bore), height + 2, -1)).cut(prism(keyway, height + 2, -1));
}

/**
 * Outline of a spur gear: involute flanks from the base circle (or the root, where that is larger) to the tip, radial
 * lines below, arcs at tip and root. Addendum 1 module, dedendum 1.25 modules. Each flank is one cubic with the
 * involute's own end points and tangents; it leaves the true curve by less than 0.001 modules.
 */
export function gearOutline(module: number, teeth: number): Drawing {
  const pitch = (module * teeth) / 2;
  const base = pitch * Math.cos(PRESSURE_ANGLE);
  const tip = pitch + module;
  const root = pitch - 1.25 * module;
  const start = Math.max(base * 1.001, root); // at the base circle itself the curve has no direction
  // Half the tooth's angle at the base circle: a quarter of the pitch plus inv(20°).
  const half = Math.PI / (2 * teeth) + Math.tan(PRESSURE_ANGLE) - PRESSURE_ANGLE;
  const roll = (radius: number) => Math.sqrt((radius / base) ** 2 - 1);
  const [t0, t1] = [roll(start), roll(tip)];

  /** Point and derivative of the involute that starts at angle `from`, side 1 = turning anticlockwise. */
  const involute = (t: number, from: number, side: 1 | -1) => {
    const angle = from + side * t;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return {
      point: [base * (c + side * t * s), base * (s - side * t * c)] as [number, number],
      slope: [base * t * c, base * t * s] as [number, number],
    };
  };
  const at = (radius: number, angle: number): [number, number] => [radius * Math.cos(angle), radius * Math.sin(angle)];
  const step = (t1 - t0) / 3;

  const below = start > root;
  const rootAngle = half - (Math.tan(Math.acos(base / start)) - Math.acos(base / start));
  const pen = draw(at(root, -rootAngle));
  for (let k = 0; k < teeth; k++) {
    const middle = (2 * Math.PI * k) / teeth;
    const up = [involute(t0, middle - half, 1), involute(t1, middle - half, 1)];
    const down = [involute(t1, middle + half, -1), involute(t0, middle + half, -1)];
    if (below) pen.lineTo(up[0].point);
    pen.cubicBezierCurveTo(up[1].point, along(up[0], step), along(up[1], -step));
    pen.threePointsArcTo(down[0].point, at(tip, middle));
    pen.cubicBezierCurveTo(down[1].point, along(down[0], -step), along(down[1], step));
    if (below) pen.lineTo(at(root, middle + rootAngle));
    const next = (2 * Math.PI * (k + 1)) / teeth;
    pen.threePointsArcTo(at(root, next - rootAngle), at(root, (middle + next) / 2));
  }
  return pen.close();
}

function along({ point, slope }: { point: [number, number]; slope: [number, number] }, by: number): [number, number] {
  return [point[0] + slope[0] * by, point[1] + slope[1] * by];
}
