import { latin1 } from '../text/text-scanner.js';

/** Larger files are not rewritten, bytes. */
const LONGEST = 128 * 1024 * 1024;
/** New handles start here; old ones count from 1. */
const FIRST_HANDLE = 0x40000000;

/**
 * Rewrites jogged radius dimensions (LARGE_RADIAL_DIMENSION) as radius dimensions: acad-ts 3.2.0 does not know them,
 * and their text and strokes are in blocks like those of other dimensions. Returns files without them unchanged.
 */
export function withPlainRadii(bytes: Uint8Array): Uint8Array {
  if (
    bytes.length > LONGEST ||
    !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('LARGE_RADIAL_DIMENSION')
  )
    return bytes;
  const text = latin1(bytes, 0, bytes.length);
  return Buffer.from(
    text
      .replace(/(\n *0\r?\n)LARGE_RADIAL_DIMENSION(?=\r?\n)/g, '$1DIMENSION')
      .replaceAll('AcDbRadialDimensionLarge', 'AcDbRadialDimension'),
    'latin1',
  );
}

type Group = readonly [code: number, value: string];

/**
 * Adds the subclass markers of later releases to an ASCII DXF file of R12 or before. acad-ts 3.2.0 needs them to read
 * the flags of polylines (closed, mesh), corners of meshes, and most dimensions. Vertices without handles get one.
 * Returns other files, and malformed ones, unchanged.
 */
export function withSubclasses(bytes: Uint8Array): Uint8Array {
  if (bytes.length > LONGEST) return bytes;
  const lines = latin1(bytes, 0, bytes.length).split(/\r\n|\n|\r/);
  const out: string[] = [];
  let handle = FIRST_HANDLE;
  let isDrawing = false;
  let polyline = 0;
  for (let at = 0; at + 1 < lines.length; ) {
    const code = Number(lines[at]);
    if (!Number.isInteger(code) || lines[at].trim() === '') return bytes;
    const kind = code === 0 ? lines[at + 1].trim() : '';
    if (kind === 'SECTION') isDrawing = /^(BLOCKS|ENTITIES)$/.test(lines[at + 3]?.trim() ?? '');
    if (!isDrawing || !MARKED.has(kind)) {
      out.push(lines[at], lines[at + 1]);
      at += 2;
      continue;
    }
    const groups: Group[] = [];
    for (at += 2; at + 1 < lines.length && Number(lines[at]) !== 0; at += 2)
      groups.push([Number(lines[at]), lines[at + 1]]);
    const flags = flagsOf(groups);
    if (kind === 'POLYLINE') polyline = flags;
    const all =
      kind === 'VERTEX' && !groups.some(([own]) => own === 5)
        ? [[5, (handle++).toString(16).toUpperCase()] as const, ...groups]
        : groups;
    out.push('0', kind);
    for (const [own, value] of kind === 'DIMENSION'
      ? markedDimension(all, flags)
      : marked(all, kind === 'POLYLINE' ? [polylineClass(flags)] : ['AcDbVertex', vertexClass(flags, polyline)])) {
      out.push(String(own), value);
    }
  }
  return Buffer.from(`${out.join('\n')}\n`, 'latin1');
}

const MARKED = new Set(['POLYLINE', 'VERTEX', 'DIMENSION']);
/**
 * Group codes of all entities: handle, line type, text style, layer, thickness, line type scale, visibility, colour,
 * space.
 */
const COMMON = new Set([5, 6, 8, 48, 60, 62, 67]);
/** Group codes of all dimensions. */
const OF_DIMENSIONS = new Set([1, 2, 3, 10, 20, 30, 11, 21, 31, 12, 22, 32, 42, 51, 53, 70, 71, 72]);

function marked(groups: readonly Group[], classes: readonly string[]): Group[] {
  const isMarked = groups.some(([code]) => code === 100);
  return isMarked
    ? [...groups]
    : [
        ...groups.filter(([code]) => COMMON.has(code)),
        ...classes.map((name) => [100, name] as const),
        ...groups.filter(([code]) => !COMMON.has(code)),
      ];
}

function markedDimension(asWritten: readonly Group[], flags: number): Group[] {
  // Without this bit acad-ts makes another object of R12's dimension, which takes no text that follows.
  const flagged: Group = [70, String(flags | OWN_BLOCK)];
  const replaced = asWritten.map((group): Group => (group[0] === 70 ? flagged : group));
  if (replaced.some(([code]) => code === 100)) return replaced;
  const groups = replaced.includes(flagged) ? replaced : [flagged, ...replaced];
  const common = groups.filter(([code]) => COMMON.has(code)),
    general = groups.filter(([code]) => OF_DIMENSIONS.has(code));
  const own = groups.filter(([code]) => !COMMON.has(code) && !OF_DIMENSIONS.has(code) && code !== 50 && code < 1_000),
    rotation = groups.filter(([code]) => code === 50);
  // acad-ts makes an aligned dimension linear when it reads the rotation, copying what was read before, so that comes
  // last.
  return [
    ...common,
    [100, 'AcDbDimension'],
    ...general,
    [100, DIMENSION_CLASSES[flags & 7] ?? 'AcDbAlignedDimension'],
    ...own,
    ...rotation,
    ...groups.filter(([code]) => code >= 1_000),
  ];
}

/** Flag of a dimension whose block is that of no other one. */
const OWN_BLOCK = 32;
const DIMENSION_CLASSES: readonly string[] = [
  'AcDbAlignedDimension',
  'AcDbAlignedDimension',
  'AcDb2LineAngularDimension',
  'AcDbDiametricDimension',
  'AcDbRadialDimension',
  'AcDb3PointAngularDimension',
  'AcDbOrdinateDimension',
];

function polylineClass(flags: number): string {
  if ((flags & 64) !== 0) return 'AcDbPolyFaceMesh';
  if ((flags & 16) !== 0) return 'AcDbPolygonMesh';
  return (flags & 8) !== 0 ? 'AcDb3dPolyline' : 'AcDb2dPolyline';
}

function vertexClass(flags: number, polyline: number): string {
  if ((polyline & 64) !== 0) return (flags & 64) !== 0 ? 'AcDbPolyFaceMeshVertex' : 'AcDbFaceRecord';
  if ((polyline & 16) !== 0) return 'AcDbPolygonMeshVertex';
  return (polyline & 8) !== 0 ? 'AcDb3dPolylineVertex' : 'AcDb2dVertex';
}

function flagsOf(groups: readonly Group[]): number {
  return Number(groups.find(([code]) => code === 70)?.[1] ?? 0) || 0;
}
