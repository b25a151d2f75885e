import type { Shape3D } from 'replicad';
import { triangulate } from '../mesh-files.js';
import { FINE, type SamplePart } from './part.js';
import { photoOf } from './photo.js';
import { drawingSheet } from './sheet.js';
import { grid } from './solids.js';
import { assemblyFile } from './step-file.js';

/** A file of the sample library that is made of its parts: a drawing, an assembly, a photo. */
export interface SampleFile {
  readonly path: string;
  /** Its bytes. build: makes the solid of the part at a path. */
  readonly make: (build: (path: string) => Shape3D) => Uint8Array | Promise<Uint8Array>;
}

/** With these every kind of search can be tried: by a drawing, by a photo, inside an assembly. */
export const SAMPLE_FILES: readonly SampleFile[] = [
  {
    path: 'drawings/L-bracket-60x60x40-gusset drawing.svg',
    make: (build) =>
      drawingSheet(build('brackets/L-bracket-60x60x40-gusset.step'), {
        title: 'L bracket with gusset',
        material: 'S235',
      }),
  },
  {
    path: 'drawings/plain-shaft-d12x80 drawing.svg',
    make: (build) =>
      drawingSheet(build('shafts/plain-shaft-d12x80.step'), {
        title: 'Plain shaft',
        material: 'C45',
        fit: ' h6',
        turned: true,
      }),
  },
  {
    path: 'assemblies/plate-60x40x5 with four M5 screws.step',
    make: (build) =>
      assemblyFile('plate with four screws', [
        { name: 'plate 60x40x5', shape: build('plates/plate-60x40x5-4-holes.step') },
        ...grid(2, 2, 44, 24).map(([x, y]) => ({
          name: 'cap screw ISO 4762 M5x20',
          shape: build('fasteners/cap-screws/ISO4762-M5x20.step').translate(x, y, 5),
        })),
      ]),
  },
  {
    path: 'photos/star knob on the bench.png',
    make: (build) => photoOf(triangulate(build('knobs/DIN6336-star-40.obj'), FINE)),
  },
];

/** Finds the solid of a part by its path. */
export function builderOf(parts: readonly SamplePart[]): (path: string) => Shape3D {
  const byPath = new Map(parts.map((part) => [part.path, part]));
  return (path) => {
    const part = byPath.get(path);
    if (part === undefined) throw new Error(`the sample library has no part ${path}`);
    return part.build();
  };
}
