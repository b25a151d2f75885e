import { groupOf, PMI_TYPE, sentenceOf, type PmiObject, type PmiPage } from '../pmi.js';
import { someOf } from './contradictions.js';

/** Sizes of taper threads of pipes (ISO 7-1), `R 1/8`, `4x R1/2`: on a sheet in inches they are radii. */
const PIPE = /^(?:\d{1,3}\s?[x×]\s?)?R\s?(?:1\/16|1\/8|1\/4|3\/8|1\/2|3\/4|1[\s-]1\/[24])(?!\d)/i;

/** Whether a radius of a fraction of an inch is written like a pipe thread. */
export function isPipeSize(text: string): boolean {
  return PIPE.test(text);
}

/** The pages of a sheet that is not in inches, with pipe threads instead of radii, and a sentence about them. */
export function withPipeThreads(pages: readonly PmiPage[]): {
  readonly pages: readonly PmiPage[];
  readonly told: readonly string[];
} {
  const isPipe = ({ typeId, parts }: PmiObject): boolean =>
    typeId === PMI_TYPE.radius && parts.length === 1 && isPipeSize(parts[0].text);
  const found = pages.flatMap(({ objects }) => objects.filter(isPipe).map(sentenceOf));
  if (found.length === 0) return { pages, told: [] };
  const asThread = (object: PmiObject): PmiObject =>
    isPipe(object) ? { ...object, typeId: PMI_TYPE.leader, group: groupOf(PMI_TYPE.leader) } : object;
  return {
    pages: pages.map((page) => ({ ...page, objects: page.objects.map(asThread) })),
    told: [
      `${found.length} sizes were taken for pipe threads (ISO 7-1), and are radii if sizes are in inches: ` +
        someOf(found, '; '),
    ],
  };
}
