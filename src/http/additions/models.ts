import { z } from '@hono/zod-openapi';
import { clientHas, tagOf } from '../server/cached-answer.js';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { flag, requiredGuid } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

const GLB_TYPE = 'model/gltf-binary';
const fileUID = requiredGuid({ about: 'UID of the file.' });

const Component = z
  .object({
    name: z.string(),
    occurrence: z.string().nullable().openapi({ description: 'What the file calls this placement.' }),
    transform: z
      .array(z.number())
      .nullable()
      .openapi({ description: '16 numbers, column-major, to the frame above, mm; null: none.' }),
    bodies: z.array(z.number()).openapi({ description: 'Numbers of its own bodies; equal numbers are one geometry.' }),
    volumeMm3: z.number(),
    get children() {
      return z.array(Component);
    },
  })
  .openapi('AssemblyComponent');

const Figures = z
  .object({
    maxMm: z.number(),
    meanMm: z.number(),
    rmsMm: z.number(),
    p95Mm: z.number(),
    outsideMm: z.number().nullable().openapi({
      description: 'Largest distance of a point outside the other model; null where that has no closed surface.',
    }),
    insideMm: z.number().nullable().openapi({ description: 'Largest distance of a point inside the other model.' }),
  })
  .openapi('DeviationFigures');
const Deviations = z
  .object({
    alignedBy: z.enum(['given', 'match', 'place', 'fit']).openapi({
      description:
        'match: as the same, mirrored or scaled part; place: as they stand in their files; fit: by principal axes, ' +
        'then fitted.',
    }),
    matchClass: z.enum(['identical', 'mirrored', 'scaled', 'similar']).nullable(),
    transform: z
      .array(z.number())
      .openapi({ description: '16 numbers, column-major, from the frame of fileUID to that of otherUID, mm.' }),
    maxMm: z.number(),
    first: Figures,
    second: Figures,
    glb: z
      .string()
      .optional()
      .openapi({
        format: 'byte',
        description:
          'base64 of a binary glTF, with model=true: both surfaces in the frame of otherUID, the attribute ' +
          '_DEVIATION being mm, below 0 inside of the other.',
      }),
  })
  .openapi('Deviations');

/** 3D models for display, for the page and for other viewers. */
export const MODELS = [
  endpoint('GET /Model', {
    summary: 'A model as binary glTF',
    media: [GLB_TYPE],
    about:
      'Components as nodes with names and placements, each geometry once, colors, and the lines where faces meet. A ' +
      'root node scales millimetres to metres.',
    answer: z.string().openapi({ format: 'binary' }),
    query: z.object({ fileUID }),
    statuses: {
      304: 'The model is the one that If-None-Match names.',
      404: 'Unknown file.',
      422: 'The file is no model, or has too many triangles to be shown.',
    },
    respond: async (call) => {
      const company = await call.company();
      const glb = await company.model(call.query.fileUID);
      const tag = tagOf(glb);
      const caching = { ETag: tag, 'Cache-Control': 'private, max-age=0, must-revalidate', Vary: 'Authorization' };
      return clientHas(call.request, tag)
        ? new Answer(304, undefined, caching)
        : new Answer(200, glb, { 'Content-Type': GLB_TYPE, ...caching });
    },
  }),
  endpoint('GET /Assembly', {
    summary: 'The product structure of a model',
    about: 'The root with parts and sub-assemblies below it; null when the model is a single part.',
    answer: Component.nullable(),
    query: z.object({ fileUID }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => (await (await call.company()).assembly(call.query.fileUID)) ?? null,
  }),
  endpoint('GET /Deviations', {
    summary: 'Distances between the surfaces of two models',
    answer: Deviations,
    query: z.object({
      fileUID,
      otherUID: requiredGuid({ about: 'UID of the file that it is laid on.' }),
      model: flag({ about: 'With both surfaces, each vertex with its distance.', byDefault: false }),
    }),
    statuses: { 404: 'Unknown file.', 422: 'A file is no model, or has too many triangles to be compared.' },
    respond: async (call) => {
      const { fileUID: first, otherUID: second, model: withModel } = call.query;
      const { glb, ...figures } = await (await call.served()).deviations(first, second, {
        withModel,
        signal: call.signal,
      });
      return glb === undefined ? figures : { ...figures, glb: Buffer.from(glb).toString('base64') };
    },
  }),
];
