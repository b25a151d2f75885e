import { z } from 'zod';
import { inspectionList, nameOfPmiType, type Pmi } from '../../index.js';
import { ToolFailure } from '../agent.js';
import { paged, pageOf, paging, path, picture, shortened, uid } from '../fields.js';
import { inputFields, namedPart } from '../named-part.js';
import { toolOf } from '../tool.js';

const Item = z.object({
  number: z
    .int()
    .nullable()
    .describe('Its number in the inspection list; null: no characteristic to inspect, such as a datum.'),
  page: z.int(),
  kind: z.string().describe('diameter, length, angle, control frame, surface finish, datum …'),
  reading: z.string().describe('What is written.'),
  count: z.int().describe('For how many features it holds.'),
  nominal: z.number().nullable(),
  unit: z.string().describe('mm, in, °; empty for what is no size.'),
  upper: z.number().nullable().describe('Upper deviation from the nominal size; null where nothing states it.'),
  lower: z.number().nullable(),
  from: z
    .string()
    .describe(
      'Where the deviations are from: written, limits, ISO 286 (a fit), ISO 2768-m (general), basic, reference; empty: nowhere.',
    ),
  why: z
    .string()
    .optional()
    .describe('Why the general tolerance that is stated does not hold for it, where it does not.'),
});

/** `get_pmi`: dimensions and tolerances. */
export const GET_PMI = toolOf({
  name: 'get_pmi',
  title: 'Read dimensions and tolerances',
  description:
    'Dimensions, tolerances, control frames, datums and surface finishes of a drawing (also a scanned one), or of a STEP ' +
    'model that carries them (AP242), with fits (ISO 286) and general tolerances (ISO 2768) resolved to deviations; and ' +
    'what the title block says. Picture: the page with a numbered box about each.',
  input: z.strictObject({
    ...inputFields,
    page: z.int().min(1).max(1_000_000).optional().describe('This page alone.'),
    picture: picture(true),
    ...paging,
  }),
  output: z.object({
    uid,
    path,
    stated: z.array(z.string()).describe('Of the title block and the whole sheet: Material=…, General tolerance=….'),
    items: z.array(Item),
    ...paged,
  }),
  run: async (agent, input, signal) => {
    const { company, served } = agent;
    const { uid, record, component } = await namedPart(agent, input, signal);
    if (component !== undefined)
      throw new ToolFailure(
        'NO_GEOMETRY',
        `${component.name || uid} is a part of ${record.path} and carries no dimensions of its own.`,
        `Call get_pmi with ${record.uid}, or find its drawing: find_by_drawing with this part and kinds ["TwoD", "Image"].`,
      );
    const pmi = await served.pmi(uid);
    if (pmi === undefined && record.kind === 'Text' && /\.pdf$/i.test(record.path))
      throw new ToolFailure(
        'NO_GEOMETRY',
        `${record.path} was taken for a document, by its lines and words, so no dimensions were read of it.`,
        'Tell the user, if it is a drawing: with the option pdfsAreDrawings (shapedex mcp --pdf-drawings, shapedex ' +
          'serve --pdf-drawings) every PDF is read as one, files given with a call at once, those of the library ' +
          'when they are read again (shapedex reindex --all --pdf-drawings); a single file on disk by ' +
          'shapedex pmi FILE --pdf-drawings. Its text is in get_part.',
      );
    if (pmi === undefined)
      throw new ToolFailure(
        'NO_GEOMETRY',
        `${record.path} carries no dimensions: it is no drawing, and no model with annotations as data (AP242).`,
        'Find its drawing: call find_by_drawing with this part and kinds ["TwoD", "Image"], then get_pmi with a result.',
      );
    const wanted = pmi.pages.filter(({ page }) => input.page === undefined || page === input.page);
    const stated = record.extractedAttributes;
    const { rows, facts } = pageOf(itemsOf({ ...pmi, pages: wanted }, stated), input);
    const shown = rows[0]?.page;
    const isDrawn = wanted.some(({ page, widthPx }) => page === shown && widthPx > 0);
    return {
      value: { uid, path: record.path, stated: shortened(stated), items: [...rows], ...facts },
      pictures: input.picture && isDrawn ? [await company.pictures.pmi(uid, { page: shown })] : [],
      files: [record],
    };
  },
});

/** The inspection list, then what is written beside it. */
function itemsOf(pmi: Pmi, attributes: readonly string[]): z.input<typeof Item>[] {
  const pairs = attributes.map((each) => {
    const at = each.indexOf('=');
    return { name: each.slice(0, at), value: each.slice(at + 1) };
  });
  const listed = inspectionList(pmi, pairs).map((row) => ({
    ...row,
    nominal: row.nominal ?? null,
    upper: row.upper ?? null,
    lower: row.lower ?? null,
  }));
  const others = pmi.pages.flatMap(({ page, objects }) =>
    objects
      .filter(({ group, parts }) => (group === 'Datum' || group === 'GeneralTolerance') && parts.length > 0)
      .map(({ typeId, parts }) => ({
        number: null,
        page,
        kind: nameOfPmiType(typeId),
        reading: parts.map(({ text, tolerance = [] }) => [text, ...tolerance].join(' ')).join(' '),
        count: 1,
        nominal: null,
        unit: '',
        upper: null,
        lower: null,
        from: '',
      })),
  );
  return [...listed, ...others].map((item) => ({ ...item, reading: shortened([item.reading])[0] }));
}
