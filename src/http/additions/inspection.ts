import { z } from '@hono/zod-openapi';
import { EngineError, inspectionCsv, inspectionXlsx, pmiComparisonCsv } from '../../index.js';
import { endpointsOf } from '../server/endpoint.js';
import { oneOf, requiredGuid } from '../server/parameters.js';
import { TABLE_TYPES, tableAnswer } from '../wire/table-answer.js';

const endpoint = endpointsOf('Additions');

const fileUID = requiredGuid({ about: 'UID of the file.' });
const otherUID = requiredGuid({ about: 'UID of the second file.' });

const InspectionRow = z
  .object({
    number: z.int().openapi({ description: 'Number of its balloon, from 1.' }),
    page: z.int(),
    id: z.int().openapi({ description: '_id of its annotation on that page, in GET PMIData.' }),
    kind: z.string().openapi({ example: 'diameter' }),
    reading: z.string().openapi({ example: '4x ⌀20 H7' }),
    count: z.int(),
    nominal: z.number().optional(),
    unit: z.string(),
    upper: z.number().optional().openapi({ description: 'Signed deviation from the nominal size.' }),
    lower: z.number().optional(),
    from: z.string().openapi({ example: 'ISO 286', description: 'Where the deviations come from.' }),
    why: z.string().optional().openapi({
      description: 'Why the general tolerance that is stated does not hold for this size, where it does not.',
    }),
    confidence: z.number().optional().openapi({ description: 'How likely it was read right, 0 to 1.' }),
  })
  .openapi('InspectionRow');

const Annotation = z
  .object({
    page: z.int(),
    id: z.int(),
    kind: z.string(),
    reading: z.string(),
    confidence: z.number().optional().openapi({ description: 'How likely it was read right, 0 to 1.' }),
  })
  .openapi('ComparedAnnotation');
const Comparison = z
  .object({
    counts: z.object({ agrees: z.int(), contradicts: z.int(), first: z.int(), second: z.int(), unsure: z.int() }),
    rows: z.array(
      z
        .object({
          status: z.enum(['agrees', 'contradicts', 'first', 'second', 'unsure']).openapi({
            description:
              'first, second: only that file says it. unsure: both say it, alike or not, but it was read with little confidence.',
          }),
          first: Annotation.optional(),
          second: Annotation.optional(),
          differences: z.array(z.object({ what: z.string(), first: z.string(), second: z.string() })),
          oneOf: z.int().optional().openapi({
            description:
              'It may be so many annotations of one file as well: they say the same, and no place tells them apart.',
          }),
        })
        .openapi('ComparedPMI'),
    ),
    lines: z.enum(['same', 'differ']).nullable().openapi({
      description: 'Of two drawings whether their lines are the same: dimensions may all agree while a hole was moved.',
    }),
    note: z.string().openapi({ description: 'What was compared, in words.' }),
  })
  .openapi('PMIComparison');

/** What annotations are used for: an inspector's list, a comparison of two files. */
export const INSPECTION = [
  endpoint('GET /Inspection', {
    summary: "The dimensions and tolerances of a drawing as an inspector's list",
    about:
      'Fits resolved by ISO 286, general tolerances by ISO 2768, ISO 22081 or decimals. ' +
      'Null for files without annotations.',
    answer: z.array(InspectionRow).nullable(),
    query: z.object({ fileUID }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => (await (await call.served()).inspection(call.query.fileUID)) ?? null,
  }),
  endpoint('GET /InspectionFile', {
    summary: 'The same list as a file',
    media: TABLE_TYPES,
    answer: z.string().openapi({ format: 'binary' }),
    query: z.object({ fileUID, format: oneOf(['csv', 'xlsx'], { about: 'xlsx: a workbook.' }) }),
    statuses: { 404: 'Unknown file.', 422: 'The file carries no annotations.' },
    respond: async (call) => {
      const { fileUID: uid, format } = call.query;
      const rows = await (await call.served()).inspection(uid);
      if (rows === undefined) throw new EngineError('NO_GEOMETRY', 'The file carries no dimensions or annotations.');
      const file = format === 'csv' ? new TextEncoder().encode(inspectionCsv(rows)) : inspectionXlsx(rows);
      return tableAnswer(file, { name: 'inspection', format });
    },
  }),
  endpoint('GET /PMIComparison', {
    summary: 'What two files of the same part say about it',
    about:
      'A drawing and the model that carries its own annotations (AP242), two drawings, two revisions: what contradicts, ' +
      'what is in one alone, what agrees.',
    answer: Comparison,
    query: z.object({ fileUID, otherUID }),
    statuses: { 404: 'Unknown file.', 422: 'A file carries no annotations.' },
    respond: async (call) => (await call.served()).comparePmi(call.query.fileUID, call.query.otherUID),
  }),
  endpoint('GET /PMIComparisonFile', {
    summary: 'The same comparison as CSV',
    media: [TABLE_TYPES[0]],
    answer: z.string().openapi({ format: 'binary' }),
    query: z.object({ fileUID, otherUID }),
    statuses: { 404: 'Unknown file.', 422: 'A file carries no annotations.' },
    respond: async (call) => {
      const comparison = await (await call.served()).comparePmi(call.query.fileUID, call.query.otherUID);
      const file = new TextEncoder().encode(pmiComparisonCsv(comparison));
      return tableAnswer(file, { name: 'comparison', format: 'csv' });
    },
  }),
];
