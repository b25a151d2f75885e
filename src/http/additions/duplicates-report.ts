import { z } from '@hono/zod-openapi';
import { duplicatesCsv, type DuplicateClass, type DuplicatesOptions } from '../../index.js';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { badField, given } from '../server/problem.js';
import { flag, guidOf, integer, oneOf, requiredText, text } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

const Group = z
  .looseObject({
    id: z.string(),
    matchClass: z.string(),
    members: z.array(
      z.looseObject({ uid: z.string(), path: z.string(), matchClass: z.string().nullable(), score: z.number() }),
    ),
    keep: z.string().nullable(),
    settled: z.boolean(),
    spareBytes: z.int(),
  })
  .openapi('DuplicateGroup', {
    description: "The engine's DuplicateGroup; see its declarations for what else is in it.",
  });

const Found = z
  .object({
    progress: z
      .union([z.object({ phase: z.enum(['compare', 'near']), done: z.int(), total: z.int() }), z.null()])
      .openapi({ description: 'Progress when the time limit was reached; null: the answer is complete.' }),
    groups: z.array(Group),
    files: z.int(),
    parts: z.int(),
  })
  .openapi('Duplicates');

const Decision = z
  .object({
    id: z.int(),
    kind: z.enum(['different', 'keep']),
    uids: z.array(z.string()),
    of: z.string().nullable(),
    decidedAt: z.string().openapi({ format: 'date-time' }),
    lastArrival: z.int(),
  })
  .openapi('DuplicateDecision');

/** Parameters that select groups. */
const wishes = {
  classes: text({
    about:
      'Of bytes, identical, mirrored, scaled, near, separated by commas. Absent: all but near; near, too, with the ' +
      'parameter near.',
    most: 100,
  }),
  near: text({ about: 'Parts up to this score of a search are near; 0 to 1.', most: 20 }),
  settled: flag({ about: 'Also groups of which it is decided which file to keep.', byDefault: true }),
};

/** Time limit of one answer, ms. */
const MOST_MS = 60_000;

export const DUPLICATES = [
  endpoint('GET /Duplicates', {
    summary: 'Groups of files that are the same',
    answer: Found,
    about:
      'Comparisons are stored: when the time limit was reached, the next call goes on from there. Deletes nothing.',
    query: z.object({
      ...wishes,
      withinMs: integer({ about: 'Time limit, ms.', byDefault: 10_000, least: 100, most: MOST_MS }),
    }),
    respond: async (call) => {
      const company = await call.company();
      const { withinMs } = call.query;
      return ofWishes(company.duplicates.findWithin(withinMs, { ...wished(call.query), signal: call.signal }));
    },
  }),

  endpoint('GET /DuplicatesFile', {
    summary: 'The groups as a file',
    media: ['text/csv', 'application/json'],
    answer: z.string(),
    query: z.object({ ...wishes, format: oneOf(['csv', 'json'], { about: 'CSV has a line for each file.' }) }),
    respond: async (call) => {
      const company = await call.company();
      const { groups } = await ofWishes(company.duplicates.find({ ...wished(call.query), signal: call.signal }));
      const { format } = call.query;
      const [body, type] =
        format === 'csv'
          ? [duplicatesCsv(groups), 'text/csv']
          : [JSON.stringify(groups, undefined, 2), 'application/json'];
      return new Answer(200, new TextEncoder().encode(body), {
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="duplicates.${format}"; filename*=UTF-8''duplicates.${format}`,
      });
    },
  }),

  endpoint('GET /DuplicateDecisions', {
    summary: 'The decisions about duplicates',
    answer: z.array(Decision),
    respond: async (call) => (await call.company()).duplicates.decisions(),
  }),

  endpoint('PUT /DuplicateDecisions', {
    summary: 'Decides about files that seem to be the same',
    answer: z.array(Decision),
    about: 'No file is deleted by it.',
    query: z.object({
      kind: oneOf(['different', 'keep'], {
        about: 'different: the files are not shown as the same. keep: of its group this file is the one to keep.',
      }),
      uids: requiredText({
        about:
          'UIDs separated by commas: 2 to 100 that all differ; with `from` the others that it differs from; or the ' +
          'one to keep.',
        most: 4_000,
      }),
      from: text({
        about:
          'With kind different: this file differs from each of the others, and nothing is said of those among ' +
          'themselves.',
        most: 100,
      }),
      of: text({ about: 'With kind keep: the class of the group. Default identical.', most: 20 }),
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const { kind, uids, from, of } = call.query;
      const company = await call.company();
      const named = uids.split(',').map((uid) => uidOf('uids', uid));
      if (kind === 'keep') {
        if (named.length !== 1)
          throw badField('uids', `uids must name one file with kind keep, received ${named.length}`);
        return [await given('of', company.duplicates.keep(named[0], { matchClass: of as DuplicateClass | undefined }))];
      }
      const options = { from: from === undefined ? undefined : uidOf('from', from) };
      return given('uids', company.duplicates.markDifferent(named, options));
    },
  }),

  endpoint('DELETE /DuplicateDecisions', {
    summary: 'Undoes decisions',
    answer: z.int().openapi({ description: 'How many were undone.' }),
    query: z.object({ ids: requiredText({ about: 'Ids of decisions, separated by commas.', most: 4_000 }) }),
    respond: async (call) => {
      const ids = call.query.ids.split(',').map(Number);
      return given('ids', (await call.company()).duplicates.undo(ids));
    },
  }),
];

interface Wishes {
  readonly classes?: string;
  readonly near?: string;
  readonly settled: boolean;
}

/** The engine checks the classes and the score. */
function wished({ classes, near, settled }: Wishes): DuplicatesOptions {
  return {
    classes: classes?.split(',').map((one) => one.trim()) as readonly DuplicateClass[] | undefined,
    near: near === undefined ? undefined : Number(near),
    settled,
  };
}

function ofWishes<T>(found: Promise<T>): Promise<T> {
  return given((option) => (option === 'near' ? 'near' : 'classes'), found);
}

function uidOf(field: string, written: string): string {
  const uid = guidOf(written);
  if (uid === undefined)
    throw badField(field, `must be GUIDs separated by commas, received ${JSON.stringify(written.slice(0, 100))}`);
  return uid;
}
