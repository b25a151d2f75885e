import { z } from '@hono/zod-openapi';
import { accountName } from '../resources/files.js';
import { endpointsOf } from '../server/endpoint.js';
import { requiredGuid } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

const length = z.number().optional();
const Feature = z
  .object({
    kind: z.string().openapi({ example: 'hole' }),
    count: z.int(),
    faces: z.array(z.int()).openapi({ description: 'Numbers in the file, of STEP among its ADVANCED_FACEs.' }),
    diameterMm: length,
    depthMm: length,
    widthMm: length,
    lengthMm: length,
    radiusMm: length,
    moduleMm: length,
    pitchMm: length,
    isInternal: z.boolean().optional(),
    form: z.string().optional().openapi({ example: 'rectangular' }),
    isThrough: z.boolean().optional(),
    sunk: z.string().optional().openapi({ example: 'counterbored' }),
    sunkDiameterMm: length,
    sunkDepthMm: length,
    pattern: z
      .looseObject({ kind: z.string() })
      .optional()
      .openapi({ example: { kind: 'circle', diameterMm: 40 } }),
  })
  .openapi('Feature');
const Features = z
  .object({
    shape: z.string().nullable().openapi({ example: 'turned' }),
    wallMm: z.number().nullable(),
    faces: z.int().openapi({ description: 'Number of faces.' }),
    features: z.array(Feature).nullable().openapi({ description: 'Null of an open surface.' }),
  })
  .openapi('Features');

const vector = z.array(z.number()).openapi({ minItems: 3, maxItems: 3 });
const Face = z
  .object({
    number: z.int().openapi({ description: 'As `contains.faces` of GET /Find takes it; -1: unknown.' }),
    kind: z.string().openapi({ example: 'cylinder' }),
    axis: vector,
    origin: vector,
    radiusMm: z.number(),
    tubeRadiusMm: z.number(),
    halfAngleRad: z.number(),
    isHollow: z.boolean().openapi({ description: 'Whether the material lies outside: the wall of a hole.' }),
    areaMm2: z.number(),
    neighbours: z.array(z.object({ number: z.int(), edge: z.string(), turnRad: z.number() })),
  })
  .openapi('Face');

export const FEATURES = [
  endpoint('GET /Faces', {
    summary: 'The faces of a model with their surfaces and neighbours',
    about: 'Of every body at each of its places, at most 60 000; null for files without a shape.',
    answer: z.array(Face).nullable(),
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file, or of a component.' }), accountName }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => (await (await call.company()).faces(call.query.fileUID)) ?? null,
  }),
  endpoint('GET /Features', {
    summary: 'What a machinist would name of a part: holes, pockets, bends and others',
    about: 'Null for files that are no parts: drawings, documents, assemblies.',
    answer: Features.nullable(),
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file, or of a component.' }), accountName }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => (await (await call.company()).features(call.query.fileUID)) ?? null,
  }),
];
