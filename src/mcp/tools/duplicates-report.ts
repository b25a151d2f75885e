import { z } from 'zod';
import { DUPLICATE_CLASSES, type DuplicateClass } from '../../index.js';
import { exactEnough, exactOrNull, paged, pageOf, paging, picture } from '../fields.js';
import { findPart, part } from '../named-part.js';
import { MOST_RESULTS, toolOf } from '../tool.js';

/** Time for the comparisons of one call, ms; the next call goes on from there. */
const WITHIN_MS = 30_000;

const Group = z.object({
  id: z.string(),
  matchClass: z.string().describe('How its files are the same.'),
  memberCount: z.int(),
  members: z.array(
    z.object({
      uid: z.string(),
      path: z.string(),
      byteLength: z.int(),
      matchClass: z.string().nullable().describe('Relation to the first file; null for that.'),
      score: z.number(),
      maxDeviationMm: z.number().nullable(),
      scale: z.number(),
      drawn: z.string().nullable().describe('Of the same drawing: how it stands on its paper, if otherwise.'),
    }),
  ),
  keep: z.string().nullable().describe('UID of the file that somebody decided to keep.'),
  spareBytes: z.int(),
});

/** `duplicates_report`: files that are the same. */
export const DUPLICATES_REPORT = toolOf({
  name: 'duplicates_report',
  title: 'Report duplicates',
  description:
    'Groups of files that are the same: byte for byte (bytes), the same part in other exports or places (identical), ' +
    'mirror images (mirrored), other sizes (scaled: 25.4 is an inch read as a millimetre), or nearly the same (near). ' +
    'With part: only the groups that this file is in. Nothing is deleted. On a large library a call may only come part ' +
    'of the way: then complete is false, and the same call goes on from there.',
  input: z.strictObject({
    part: part.optional(),
    classes: z
      .array(z.enum(DUPLICATE_CLASSES as readonly [DuplicateClass, ...DuplicateClass[]]))
      .min(1)
      .max(5)
      .optional()
      .describe('Default: all but near.'),
    near: z.number().min(0).max(1).optional().describe('Parts up to this score are near.'),
    undecided: z.boolean().default(false).describe('Without groups of which somebody decided what to keep.'),
    picture: picture(false),
    ...paging,
  }),
  output: z.object({
    complete: z.boolean(),
    progress: z.object({ done: z.int(), total: z.int() }).nullable().describe('How far it came when not complete.'),
    files: z.int().describe('Files that were looked at.'),
    groups: z.array(Group),
    ...paged,
  }),
  run: async (agent, input, signal) => {
    const { company } = agent;
    const { classes, near, undecided } = input;
    const uid = input.part === undefined ? undefined : (await findPart(agent, input.part)).uid;
    const { groups, files, progress } = await company.duplicates.findWithin(WITHIN_MS, {
      classes,
      near,
      settled: !undecided,
      signal,
    });
    const wanted = uid === undefined ? groups : groups.filter(({ members }) => members.some((one) => one.uid === uid));
    const { rows, facts } = pageOf(wanted, input);
    return {
      value: {
        complete: progress === null,
        progress: progress === null ? null : { done: progress.done, total: progress.total },
        files,
        groups: rows.map(({ id, matchClass, members, keep, spareBytes }) => ({
          id,
          matchClass,
          memberCount: members.length,
          members: members.slice(0, MOST_RESULTS).map((one) => ({
            uid: one.uid,
            path: one.path,
            byteLength: one.byteLength,
            matchClass: one.matchClass,
            score: exactEnough(one.score),
            maxDeviationMm: exactOrNull(one.maxDeviationMm),
            scale: exactEnough(one.scale),
            drawn: one.drawn?.text ?? null,
          })),
          keep,
          spareBytes,
        })),
        ...facts,
      },
      pictures: input.picture && rows.length > 0 ? [await company.duplicates.picture(rows)] : [],
      files: rows.flatMap(({ members }) => members.slice(0, 1)),
    };
  },
});
