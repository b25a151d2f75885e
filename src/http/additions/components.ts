import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';
import { flag, oneOf, requiredGuid } from '../server/parameters.js';
import { SHEET_TYPES, tableAnswer } from '../wire/table-answer.js';

const endpoint = endpointsOf('Additions');

const Component = z
  .looseObject({
    uid: z.string(),
    number: z.int(),
    name: z.string(),
    place: z.array(z.string()),
    occurrences: z.int(),
    isAssembly: z.boolean(),
  })
  .openapi('IndexedComponent', {
    description: 'A distinct part or sub-assembly; its uid serves as an input of searches and pictures.',
  });
const Held = z
  .looseObject({ uid: z.string(), number: z.int(), name: z.string(), occurrences: z.int(), matchClass: z.string() })
  .openapi('HeldComponent');

const BillLine = z
  .object({
    position: z.string().openapi({ example: '2.1' }),
    level: z.int(),
    name: z.string(),
    quantity: z.int().openapi({ description: 'Placements within what is above it.' }),
    total: z.int().openapi({ description: 'Placements in the whole assembly through this line.' }),
    isAssembly: z.boolean(),
    volumeMm3: z.number(),
    path: z.string().openapi({ description: 'Way to its first placement in GET Assembly.' }),
    uid: z.string().nullable().openapi({ description: 'UID of the component, where components are indexed.' }),
  })
  .openapi('BillLine');

const fileUID = requiredGuid({ about: 'UID of the file, or of a component.' });
const statuses = { 404: 'Unknown file.', 409: 'Its components are not indexed.' };

export const COMPONENTS = [
  endpoint('GET /Components', {
    summary: 'The components of an assembly that are indexed by themselves',
    answer: z.array(Component),
    query: z.object({ fileUID, accountName }),
    statuses: { 404: statuses[404] },
    respond: async (call) => (await call.company()).components(call.query.fileUID),
  }),
  endpoint('PUT /Components', {
    summary: 'Indexes the components of an assembly',
    answer: z.array(Component),
    query: z.object({ fileUID, accountName }),
    statuses: { 404: statuses[404] },
    respond: async (call) => {
      const company = await call.company();
      await company.assemblies.indexComponents(call.query.fileUID, { signal: call.signal });
      return company.components(call.query.fileUID);
    },
  }),
  endpoint('GET /BillOfMaterials', {
    summary: 'The bill of materials of an assembly',
    about: 'A line for each distinct part of each distinct sub-assembly. Null for a single part.',
    answer: z.array(BillLine).nullable(),
    query: z.object({ fileUID, accountName }),
    statuses: { 404: statuses[404] },
    respond: async (call) => (await (await call.company()).assemblies.billOfMaterials(call.query.fileUID)) ?? null,
  }),
  endpoint('GET /BillOfMaterialsFile', {
    summary: 'The same bill as a file',
    media: SHEET_TYPES,
    answer: z.string().openapi({ format: 'binary' }),
    query: z.object({
      fileUID,
      format: oneOf(['csv', 'xlsx', 'pdf'], { about: 'xlsx: a workbook; pdf: pages to be printed.' }),
      pictures: flag({ about: 'With pictures of indexed components, in a workbook or on pages.', byDefault: false }),
      accountName,
    }),
    statuses: { 404: statuses[404], 422: 'The file is a single part.' },
    respond: async (call) => {
      const { fileUID: uid, format, pictures } = call.query;
      const { assemblies } = await call.company();
      return tableAnswer(await assemblies.billFile(uid, { format, pictures }), { name: 'bill-of-materials', format });
    },
  }),
  endpoint('GET /AssembliesWith', {
    summary: 'The assemblies that hold a part',
    answer: z.array(z.object({ uid: z.string(), path: z.string(), occurrences: z.int(), components: z.array(Held) })),
    query: z.object({
      fileUID,
      mirrored: flag({ about: 'Mirror images count as well.', byDefault: false }),
      accountName,
    }),
    statuses: { 404: statuses[404], 409: 'The file is not indexed.', 422: 'The file has no shape.' },
    respond: async (call) =>
      (await call.company()).assemblies.holding(call.query.fileUID, {
        mirrored: call.query.mirrored,
        signal: call.signal,
      }),
  }),
  endpoint('GET /SharedParts', {
    summary: 'Which parts an assembly shares with which others',
    answer: z.object({
      components: z.array(Component),
      assemblies: z.array(
        z.object({
          uid: z.string(),
          path: z.string(),
          shared: z.array(
            z.object({
              component: z.int(),
              held: Held,
              occurrences: z.array(z.int()).openapi({ description: 'Here and there.' }),
            }),
          ),
        }),
      ),
    }),
    query: z.object({ fileUID, accountName }),
    statuses,
    respond: async (call) => (await call.company()).assemblies.sharedParts(call.query.fileUID, { signal: call.signal }),
  }),
];
