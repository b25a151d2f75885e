import { z } from '@hono/zod-openapi';
import { SEARCH_LIMITS, type Crop, type SearchQuery } from '../../index.js';
import { gunzippedWithin } from '../server/body.js';
import type { Call } from '../server/call.js';
import { endpointsOf } from '../server/endpoint.js';
import { accountName } from './files.js';
import { parseFilter, printFilter, type SearchFilter } from '../wire/filter-text.js';
import { readFiles } from '../wire/json-body.js';
import { badField, given, readable } from '../server/problem.js';
import { flag, guidOf, integer, maybeInteger, requiredText, text } from '../server/parameters.js';
import { SearchResultSummary, summaryOf } from '../wire/search-result.js';

const endpoint = endpointsOf('Search');

const MOST_FILES = SEARCH_LIMITS.inputs;

const crop = (what: string) =>
  integer({
    about:
      `Crop area of the inputs, ${what}: pixels of an image, or of a drawing's page 1024 pixels long; ` +
      'only what lies in it counts. All four, or none.',
    byDefault: -1,
    deprecated: true,
  });

const common = {
  includeShapelets: flag({ about: 'Adds the shapes of the results.', byDefault: false }),
  customAPI: integer({ about: 'Accepted, no effect.', byDefault: -1, deprecated: true }),
  includeComponents: flag({
    about:
      'Not in the original interface: also the components of stored assemblies whose upload had ' +
      'indexAssemblyComponents, each a result of its own, as with searchAssemblyComponents.',
    byDefault: false,
  }),
  accountName,
  offset: integer({ about: 'Results to skip.', byDefault: 0, least: 0 }),
  limit: maybeInteger({
    about: 'Most results. Default: maxVisualSearchResults of the profile.',
    least: 1,
    most: 10_000,
  }),
};

const FILTER_ABOUT =
  'Pairs `key=value` joined by `&`, encoded whole: fileUID, resultFileType (Image, ThreeD, TwoD, Text), FT (encoded ' +
  'twice, may repeat), v, bbv, sa (`.1`, `+.2`, `-.5`, `+0.3/-0.4`).';

export const SEARCH = [
  endpoint('PUT /Search', {
    summary: 'Searches with files, text and attributes',
    body: 'files',
    answer: SearchResultSummary,
    about: 'Files of the body become search inputs: InputFileUID names them for further searches.',
    query: z.object({
      fileExtension: text({ about: 'Extension of all files of the body, such as `.png`.', most: 100 }),
      filterStr: text({ about: FILTER_ABOUT }),
      isGZipCompressed: flag({ about: 'Legacy: the files are gzipped.', byDefault: false, deprecated: true }),
      cropX: crop('left'),
      cropY: crop('top'),
      cropW: crop('width'),
      cropH: crop('height'),
      crawl_parameter: text({ about: 'Accepted, no effect.', deprecated: true }),
      targetFids: text({ about: 'UIDs of the files to search within, separated by commas.' }),
      ...common,
    }),
    statuses: { 404: 'An input is unknown.', 422: 'An input cannot be read.' },
    respond: async (call) => {
      const { filterStr = '', targetFids } = call.query;
      const filter = parseFilter(filterStr);
      const within = targetFids === undefined ? undefined : readTargets(targetFids);
      const uploaded = await putInputs(call);
      const like = [...(filter.like ?? []), ...uploaded.map((uid) => ({ uid }))];
      if (like.length > MOST_FILES)
        throw badField('body', `must hold at most ${MOST_FILES} files, with those of fileUID, received ${like.length}`);
      return find(
        call,
        { ...filter, ...(like.length === 0 ? {} : { like }), within },
        { byComponents: false, crop: cropOf(call.query) },
      );
    },
  }),
  endpoint('GET /Search', {
    summary: 'Searches with known inputs, text and attributes',
    answer: SearchResultSummary,
    query: z.object({
      filterStr: requiredText({ about: FILTER_ABOUT }),
      searchAssemblyComponents: flag({
        about:
          'Results for each component of an assembly input, in one list; ComponentFID and ComponentName name the ' +
          'component of the input. The best result of each component is on the first page, each page is ordered by ' +
          'score. Indexed components of stored assemblies are results as well: MatchedComponent names them.',
        byDefault: false,
      }),
      ...common,
    }),
    statuses: { 404: 'An input is unknown.' },
    respond: async (call) =>
      find(call, parseFilter(call.query.filterStr), { byComponents: call.query.searchAssemblyComponents }),
  }),
];

type SearchCall = Call<{
  readonly includeShapelets: boolean;
  readonly includeComponents: boolean;
  readonly offset: number;
  readonly limit?: number;
}>;

async function find(
  call: SearchCall,
  { within, ...filter }: SearchFilter & Pick<SearchQuery, 'within'>,
  { byComponents, crop }: { readonly byComponents: boolean; readonly crop?: Crop },
): Promise<z.output<typeof SearchResultSummary>> {
  const { limit, offset, includeShapelets: shapelets, includeComponents: components } = call.query;
  if ([filter.like, filter.text, filter.kinds, within].every((one) => one === undefined)) {
    throw badField(
      'filterStr',
      'filterStr must say what to search for: fileUID, FT or resultFileType (or files in the body, with PUT).',
    );
  }
  const like = filter.like?.map((input) => (crop === undefined ? input : { ...input, crop }));
  const query: SearchQuery = { ...filter, like, within, shapelets, components, limit, offset, signal: call.signal };
  const served = await call.served();
  const result = await given(
    (option) => (option === 'offset' ? 'offset' : 'filterStr'),
    served.search(query, { byComponents }),
    ({ option, allowed, ...received }) =>
      option === 'offset' && allowed !== undefined
        ? `offset and limit must be at most ${allowed} together with searchAssemblyComponents, ` +
          `received ${received['offset']} and ${received['limit']}`
        : undefined,
  );
  return summaryOf(call, result, {
    inputUids: filter.like?.map(({ uid }) => uid) ?? [],
    filterText: printFilter(filter) || null,
    hasWords: filter.text !== undefined,
    total: byComponents && result.isWaiting ? -1 : result.total,
  });
}

function cropOf({
  cropX: x,
  cropY: y,
  cropW: width,
  cropH: height,
}: Record<'cropX' | 'cropY' | 'cropW' | 'cropH', number>): Crop | undefined {
  return x >= 0 && y >= 0 && width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

function readTargets(list: string): string[] {
  return list
    .split(',')
    .filter((item) => item.trim() !== '')
    .map((item) => {
      const uid = guidOf(item);
      if (uid === undefined)
        throw badField(
          'targetFids',
          `targetFids must be GUIDs separated by commas, received ${JSON.stringify(item.slice(0, 100))}`,
        );
      return uid;
    });
}

/** Stores the files of the body as search inputs. Returns their UIDs. */
async function putInputs(
  call: Call<{ readonly fileExtension?: string; readonly isGZipCompressed: boolean }>,
): Promise<string[]> {
  const { fileExtension: extension, isGZipCompressed } = call.query;
  const { bodyBytes } = call.options;
  const files = (await readFiles(call.request, call.body, { limit: bodyBytes, most: MOST_FILES })) ?? [];
  if (files.length === 0) return [];
  if (extension === undefined) throw badField('fileExtension', 'fileExtension is required with files in the body.');
  const served = await call.served();
  return Promise.all(
    files.map(async (sent) => {
      const source = isGZipCompressed ? gunzippedWithin(sent, bodyBytes) : sent;
      const record = await given(
        'fileExtension',
        served.putInput(source, { extension, textOnly: false, owner: call.principal?.userUid, signal: call.signal }),
      );
      return readable(record).uid;
    }),
  );
}
