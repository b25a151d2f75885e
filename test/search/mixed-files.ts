import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen } from '../fixtures/parts.js';
import { seeded } from '../fixtures/random.js';
import { box, lBracket } from '../fixtures/shapes.js';

const random = seeded(11);
const size = (): number => Math.round(10 + 90 * random()) / 2;

/** 320 files: twelve kinds of part, blocks and brackets of many sizes, ten copies of one of them. */
export const files: (readonly [string, Uint8Array])[] = [
  ...dozen().map((part) => [`kinds/${part.name}.stl`, writeStlBinary(part)] as const),
  ...Array.from({ length: 250 }, (_, i) => [`blocks/${i}.stl`, writeStlBinary(box(size(), size(), size()))] as const),
  ...Array.from(
    { length: 48 },
    (_, i) => [`brackets/${i}.stl`, writeStlBinary(lBracket(20 + size(), 3 + (i % 4), size()))] as const,
  ),
  ...Array.from({ length: 10 }, (_, i) => [`copies/${i}.stl`, writeStlBinary(box(17, 13, 7))] as const),
];
/** Numbers of the first and the last of the equal ones. */
export const COPIES = [310, 319] as const;
