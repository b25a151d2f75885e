import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { cachedPicture, pictureTag } from '../server/cached-answer.js';
import { integer, maybeInteger, numberList, requiredGuid } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

/** Pictures beyond those of GET Image. */
export const PICTURES = [
  endpoint('GET /PageImage', {
    summary: 'A page of a file at a wanted width',
    media: ['image/png'],
    answer: z.string().openapi({ format: 'binary' }),
    about:
      'A PNG. Of a model it is its thumbnail. Most widths are drawn at each request: send If-None-Match to avoid that.',
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      page: maybeInteger({
        about: 'From 1. Absent: the first, of a CAD drawing the fullest.',
        least: 1,
        most: 1_000_000,
      }),
      width: integer({
        about: 'Pixels. Where the height would pass 8 192, the picture becomes narrower.',
        byDefault: 1_024,
        least: 16,
        most: 4_096,
      }),
    }),
    statuses: {
      304: 'The picture is the one that If-None-Match names.',
      404: 'Unknown file, or one without this page.',
      422: 'The file cannot be read.',
    },
    respond: async (call) => {
      const { fileUID, page, width } = call.query;
      const company = await call.company();
      const { sha256 } = await company.get(fileUID);
      return cachedPicture(call, pictureTag(sha256, String(page), String(width)), () =>
        company.pageImage(fileUID, { page, width }),
      );
    },
  }),
  endpoint('GET /FacesImage', {
    summary: 'A model with some of its faces in another color',
    media: ['image/png'],
    answer: z.string().openapi({ format: 'binary' }),
    about:
      'A PNG: these faces orange, all others grey, as in the thumbnail or, where another side shows more than twice ' +
      'as much of them, from there.',
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      faces: numberList({
        about: 'Numbers of faces and ranges of them, as `faces` of a hit of GET /Find: `3,4,7-9`.',
        most: 10_000,
      }),
      size: integer({ about: 'Edge length, pixels.', byDefault: 256, least: 16, most: 1_024 }),
    }),
    statuses: {
      304: 'The picture is the one that If-None-Match names.',
      404: 'Unknown file, or one without faces.',
      422: 'The file cannot be read.',
    },
    respond: async (call) => {
      const { fileUID, size } = call.query;
      const faces = [...new Set(call.query.faces)].sort((a, b) => a - b);
      const company = await call.company();
      const { sha256 } = await company.get(fileUID);
      return cachedPicture(call, pictureTag(sha256, 'faces', faces.join(), String(size)), () =>
        company.pictures.faces(fileUID, faces, { size }),
      );
    },
  }),
  endpoint('GET /Overlay', {
    summary: 'A view of one file laid over one of another',
    media: ['image/png'],
    answer: z.string().openapi({ format: 'binary' }),
    about:
      "A PNG: the view of the query red, that of the file blue. The numbers are those of a found file's shape match.",
    query: z.object({
      queryUID: requiredGuid({ about: 'UID of what was searched for.' }),
      queryShapelet: integer({ about: 'Index of its view.', byDefault: 0, least: 0 }),
      fileUID: requiredGuid({ about: 'UID of what was found.' }),
      shapelet: integer({ about: 'Index of its view.', byDefault: 0, least: 0 }),
      size: integer({ about: 'Edge length, pixels.', byDefault: 512, least: 16, most: 1_024 }),
    }),
    statuses: {
      304: 'The picture is the one that If-None-Match names.',
      404: 'Unknown file, or one without this view.',
      422: 'A file cannot be read.',
    },
    respond: async (call) => {
      const { queryUID, queryShapelet, fileUID, shapelet, size } = call.query;
      const company = await call.company();
      const [query, file] = await Promise.all([company.get(queryUID), company.get(fileUID)]);
      const tag = pictureTag(query.sha256, file.sha256, String(queryShapelet), String(shapelet), String(size));
      return cachedPicture(call, tag, () =>
        company.pictures.overlay(
          queryUID,
          { uid: fileUID, shapeMatch: { input: 0, queryShapelet, shapelet, page: null } },
          { size },
        ),
      );
    },
  }),
];
