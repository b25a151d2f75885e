import { z } from 'zod';
import { becauseText, type DeviationModel, type SearchQuery, type SearchResult } from '../../index.js';
import type { Agent } from '../agent.js';
import { component, componentOf, exactEnough, exactOrNull, picture, shortened, sizes, sizesOf } from '../fields.js';
import { inputFields, namedInLibrary, namedPart, type NamedPart } from '../named-part.js';
import { toolOf } from '../tool.js';

/** Most distinct parts of an assembly among which one is compared. */
const MOST_COMPONENTS = 10_000;

const Side = z.object({ uid: z.string(), path: z.string(), component, ...sizes });
const Distances = z.object({
  maxMm: z.number(),
  meanMm: z.number(),
  rmsMm: z.number(),
  p95Mm: z.number().describe('95 % of the surface is nearer than this.'),
  outsideMm: z.number().nullable().describe('How far it comes out of the other at most; null where that is open.'),
  insideMm: z.number().nullable().describe('How far it goes into the other at most.'),
});

/** `compare_parts`: how two files differ. */
export const COMPARE_PARTS = toolOf({
  name: 'compare_parts',
  title: 'Compare two parts',
  description:
    'Says how two files differ: how like their shapes are and why, both sizes, attributes that only one of them has, and of ' +
    'two models how far their surfaces lie apart after one is laid on the other, mm. The first is named by part, file or ' +
    'upload, the second is a file of the library or a part of an assembly.',
  input: z.strictObject({
    ...inputFields,
    second: z
      .string()
      .min(1)
      .max(4_096)
      .describe('The other file: its UID, or its path in the library; or the UID of a component.'),
    picture: picture(true),
  }),
  output: z.object({
    first: Side,
    second: Side,
    matchClass: z
      .string()
      .nullable()
      .describe('identical, mirrored, scaled, similar; null where shapes cannot be compared.'),
    similarity: z.number().nullable().describe('0 to 100.'),
    because: z.array(z.string()),
    lines: z
      .enum(['same', 'differ'])
      .nullable()
      .describe('Of two drawings whether their lines are the same; null for other files, and for pictures.'),
    onlyFirst: z.array(z.string()).describe('Attributes that the first alone has.'),
    onlySecond: z.array(z.string()),
    deviations: z
      .object({ alignedBy: z.string(), maxMm: z.number(), first: Distances, second: Distances })
      .nullable()
      .describe('Distances of the surfaces, of the first to the second and back; null unless both are models.'),
  }),
  run: async (agent, input, signal) => {
    const first = await namedPart(agent, input, signal);
    const second = await namedInLibrary(agent, input.second);
    const { company, served } = agent;
    const like = { uid: first.uid };
    const both = [first.record, second.record];
    const haveShapes = both.every(({ kind, textOnly }) => kind !== 'Text' && !textOnly);
    const result = haveShapes ? await compared(agent, first, second, signal) : undefined;
    const hit = result?.hits[0];
    const areModels = both.every(({ kind }) => kind === 'ThreeD');
    const deviations = areModels ? await served.deviations(first.uid, second.uid, { signal }) : undefined;
    const [mine, theirs] = both.map(({ attributes, extractedAttributes }) => [...attributes, ...extractedAttributes]);
    const overlay =
      input.picture && hit?.shapeMatch !== undefined ? await company.pictures.overlay(like, hit) : undefined;
    return {
      value: {
        first: sideOf(first),
        second: sideOf(second),
        matchClass: hit?.matchClass ?? null,
        similarity: hit?.similarity === undefined || hit.similarity === null ? null : Number(hit.similarity.toFixed(1)),
        because: (hit?.because ?? []).map(becauseText),
        lines: both.every(({ kind }) => kind === 'TwoD') ? await company.compareLines(first.uid, second.uid) : null,
        onlyFirst: shortened(mine.filter((one) => !theirs.includes(one))),
        onlySecond: shortened(theirs.filter((one) => !mine.includes(one))),
        deviations:
          deviations === undefined
            ? null
            : {
                alignedBy: deviations.alignedBy,
                maxMm: exactEnough(deviations.maxMm),
                first: distancesOf(deviations.first),
                second: distancesOf(deviations.second),
              },
      },
      pictures: [
        ...(input.picture && result !== undefined ? [await company.pictures.results(like, result)] : []),
        ...(overlay === undefined ? [] : [overlay]),
      ],
      files: both,
    };
  },
});

function distancesOf(one: DeviationModel['first']): z.input<typeof Distances> {
  return {
    maxMm: exactEnough(one.maxMm),
    meanMm: exactEnough(one.meanMm),
    rmsMm: exactEnough(one.rmsMm),
    p95Mm: exactEnough(one.p95Mm),
    outsideMm: exactOrNull(one.outsideMm),
    insideMm: exactOrNull(one.insideMm),
  };
}

/** A search with the first part whose only hit is the second one, or none. */
async function compared(
  { served }: Agent,
  first: NamedPart,
  { uid, record, component }: NamedPart,
  signal: AbortSignal,
): Promise<SearchResult> {
  const query: SearchQuery = { like: { uid: first.uid }, within: [record.uid], signal };
  if (component === undefined) return served.rawSearch({ ...query, limit: 1 });
  // Components are not named by a query: they are looked for among those of their assembly, the nearest first.
  const result = await served.rawSearch({ ...query, components: 'only', limit: MOST_COMPONENTS });
  return { ...result, hits: result.hits.filter((hit) => hit.component?.uid === uid) };
}

function sideOf({ uid, record, component }: NamedPart): z.input<typeof Side> {
  return { uid, path: record.path, component: componentOf(component), ...sizesOf(component ?? record) };
}
