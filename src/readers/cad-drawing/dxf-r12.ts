import { latin1 } from '../text/text-scanner.js';

/** Above this many bytes a file is left as it is. */
const LONGEST = 128 * 1024 * 1024;
/** New handles begin here; old ones count from 1. */
const FIRST_HANDLE = 0x40000000;

/**
 * Dimensions of large radii, whose line is bent, as dimensions of radii: acad-ts 3.2.0 does not know them, and their text and strokes are in
 * blocks as those of others. Files without them come back as they are.
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
 * An ASCII DXF file of R12 or before with the marks of subclasses that later releases write: acad-ts 3.2.0 needs them to read flags of
 * polylines (closed, mesh), corners of meshes, and most dimensions. Vertices get handles where they have none. Other files, and ones that
 * break the rules, come back as they are.
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
/** What all entities have: handle, line type, text style, layer, thickness, scale of line types, visibility, color, space. */
const COMMON = new Set([5, 6, 8, 48, 60, 62, 67]);
/** What all dimensions have. */
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

function markedDimension(groups: readonly Group[], flags: number): Group[] {
  if (groups.some(([code]) => code === 100)) return [...groups];
  const common = groups.filter(([code]) => COMMON.has(code)),
    general = groups.filter(([code]) => OF_DIMENSIONS.has(code));
  const own = groups.filter(([code]) => !COMMON.has(code) && !OF_DIMENSIONS.has(code) && code !== 50 && code < 1_000),
    rotation = groups.filter(([code]) => code === 50);
  // The turn makes a linear dimension of an aligned one, with what is known by then.
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
