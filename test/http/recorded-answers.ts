import { createHash } from 'node:crypto';
import { annotated, MM, shown, sized } from '../fixtures/annotated-step.js';
import { boxStl } from '../fixtures/box.mjs';
import { dxfOf, svgOf, threeViews } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { bossedPlate, mirrored, scaled } from '../fixtures/parts.js';
import { lBracket, prism } from '../fixtures/shapes.js';
import { stepFile, type StepFile } from '../fixtures/step-writer.js';
import { base64, NOWHERE, openHost, partStl, requestOf, sha1, type Host, type SendOptions, type Who } from './host.js';

/** One request and what was answered. */
export interface Recorded {
  readonly request: string;
  readonly status: number;
  readonly type: string;
  /** JSON as such, other text as a string; of bytes the media type alone. */
  readonly body: unknown;
  /** SHA-256 of the body with times and random ids replaced, nothing else changed. */
  readonly sha256: string;
}

const DAY = Date.UTC(2024, 4, 17, 9, 30);
const uid = (number: number): string =>
  `0000000${number.toString(16).padStart(1, '0')}`.slice(-8) + '-1111-4222-8333-444444444444';

const BLOCK = { name: 'block', shape: { kind: 'box' as const, x: 10, y: 20, z: 30 } };
const ROD = { name: 'rod', shape: { kind: 'box' as const, x: 2, y: 2, z: 80 } };
const PUMP: StepFile = {
  parts: [BLOCK, ROD],
  assemblies: [
    {
      name: 'pump',
      places: [
        { of: { part: 0 }, at: [0, 0, 0] },
        { of: { part: 0 }, at: [40, 0, 0] },
        { of: { part: 1 }, at: [0, 50, 0] },
      ],
    },
  ],
};
const BRACKET = lBracket(60, 8, 30);
const PLATE = bossedPlate(60, 40, 3);
const STAIRS = prism(
  [
    [0, 0],
    [90, 0],
    [90, 15],
    [60, 15],
    [60, 30],
    [30, 30],
    [30, 45],
    [0, 45],
  ],
  40,
);
const MEASURED = annotated({ kind: 'cylinder', radius: 5, height: 20 }, [
  MM,
  shown(9010, 10),
  ...sized(9100, 'diameter', '@cylinder', '#9010'),
]);
const BOOK = `Order 4711: twenty flanges AB-123/4 of stainless steel.\n${'All the rest is filler. '.repeat(60)}\nSteel again.`;
const PDF_DRAWING = pdf([
  { content: lineWork(60) + textAt('Angle 12.5 +/-0.1', 100, 500) },
  { content: lineWork(30) + textAt('Page two: \xd810 H7', 100, 400) },
]);
const SVG_DRAWING = Buffer.from(svgOf(threeViews(BRACKET), { x: 40, y: 40 }).padEnd(1_100));

/** Path, bytes and further parameters of the files of the database, in their order; their UIDs are counted from 1. */
const FILES: readonly (readonly [path: string, bytes: Uint8Array, more?: SendOptions['query']])[] = [
  ['parts/bracket.stl', writeStlBinary(BRACKET), { attributes: 'Material=steel&Length(mm)=60&Coat=zinc|paint' }],
  [
    'parts/bracket-copy.stl',
    writeStlBinary(BRACKET, { header: 'another header' }),
    { attributes: 'material=STEEL&length(mm)=60&Coat=paint' },
  ],
  ['parts/bracket-large.stl', writeStlBinary(scaled(BRACKET, 1.5)), { attributes: 'Material=aluminium&Length(in)=60' }],
  ['parts/stairs.stl', writeStlBinary(STAIRS), { attributes: 'Material=steel' }],
  ['parts/stairs-mirrored.stl', writeStlBinary(mirrored(STAIRS)), { indexPriority: 4 }],
  ['parts/plate.stl', writeStlBinary(PLATE), {}],
  ['pumps/pump.step', stepFile(PUMP), { indexAssemblyComponents: true, attributes: 'Number=P%26A-1' }],
  ['parts/block.step', stepFile({ parts: [BLOCK] })],
  ['parts/measured.step', MEASURED],
  ['drawings/bracket.dxf', dxfOf(BRACKET)],
  ['drawings/bracket.svg', SVG_DRAWING],
  ['drawings/angle.pdf', PDF_DRAWING],
  ['texts/order.txt', Buffer.from(BOOK)],
];
const uids = Object.fromEntries(FILES.map(([path], i) => [path.replace(/^.*\//, ''), uid(i + 1)]));
const INPUT = uid(0x21);
const ASSEMBLY_INPUT = uid(0x22);
const WAITING_INPUT = uid(0x23);

/** Sends a fixed set of requests, at least one to each endpoint, to a library made of files written here. */
export async function recordedAnswers(): Promise<Recorded[]> {
  const host = await openHost({}, { accounts: { now: () => DAY } as never });
  try {
    const recorder = new Recorder(host);
    await putFiles(recorder);
    await readFiles(recorder);
    await search(recorder);
    await accounts(recorder);
    await additions(recorder);
    await withProfile(recorder);
    await refusals(recorder);
    await deletions(recorder);
    return recorder.answers;
  } finally {
    await host.close();
  }
}

async function putFiles({ host, send }: Recorder): Promise<void> {
  await send('PUT', '/api/CompanyProfile', { as: 'operator', query: { accountName: 'third' } });
  for (const [i, [file, bytes, more]] of FILES.entries()) {
    await send('PUT', i % 2 === 0 ? '/api/FileBinaryDirect' : '/api/FileBinary', {
      as: 'ada',
      bytes,
      query: { file, isSearchInput: false, uid: uid(i + 1), ...more },
    });
  }
  await send('PUT', '/api/File', {
    as: 'ada',
    json: base64(partStl(7, 8, 9)),
    query: { file: 'parts/pair.stl', isSearchInput: false, uid: uid(0x10) },
  });
  // The path is taken: numbered, then replaced.
  await send('PUT', '/api/FileBinaryDirect', {
    as: 'ada',
    bytes: partStl(9, 8, 7),
    query: { file: 'parts/pair.stl', isSearchInput: false, overwriteFile: false, uid: uid(0x11) },
  });
  await send('PUT', '/api/FileBinaryDirect', {
    as: 'ada',
    bytes: partStl(9, 9, 7),
    query: { file: 'parts/pair.stl', isSearchInput: false, overwriteFile: true, includeShapelets: true },
  });
  await send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: writeStlBinary(BRACKET),
    query: { file: '.stl', uid: INPUT },
  });
  await send('PUT', '/api/FileBinaryDirect', {
    as: 'ada',
    bytes: stepFile(PUMP),
    query: { file: 'asked.step', uid: ASSEMBLY_INPUT },
  });
  await send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: Buffer.from('solid nothing '.repeat(100)),
    query: { file: 'broken.stl', isSearchInput: false, uid: uid(0x12) },
  });
  await send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: partStl(5, 5, 5),
    query: { file: '.stl', textOnly: true, uid: uid(0x13) },
  });
  await host.engine.idle();
}

async function readFiles({ send }: Recorder): Promise<void> {
  const as = 'ada';
  for (const fileUID of [...Object.values(uids), INPUT, ASSEMBLY_INPUT]) {
    await send('GET', '/api/File', { as, query: { fileUID } });
    await send('GET', '/api/FileStatus', { as, query: { fileUID } });
    await send('GET', '/api/PMIData', { as, query: { fileUID } });
  }
  await send('GET', '/File', { as, query: { fileName: 'parts/bracket.stl', includeShapelets: true, lgFileNumber: 2 } });
  await send('GET', '/File', { as, query: { fileUID: uids['bracket.dxf'], includeShapelets: true, lgFileNumber: 1 } });
  await send('GET', '/api/FileStatus', { as, query: { fileUID: uid(0x12) } });
  await send('GET', '/api/ValidUploadFileTypes', { as: 'app' });
  for (const type of [0, 1, 2]) {
    await send('GET', '/api/Image', { as, query: { fid: uids['bracket.stl'], token: 'x', type } });
    await send('GET', '/api/Image', {
      as,
      query: { fid: uids['bracket.dxf'], token: 'x', type },
      headers: { Accept: 'image/*' },
    });
  }
  await send('GET', '/api/Image', { as, query: { fid: uids['angle.pdf'], token: 'x', type: 1, lgFileNumber: 2 } });
  await send('GET', '/api/Image', { as, query: { fid: uids['angle.pdf'], token: 'x', type: 1, lgFileNumber: 9 } });
  await send('GET', '/api/Image', { as, query: { fid: uids['order.txt'], token: 'x', type: 2 } });
  const files = [boxStl(1, 2, 3), stepFile({ parts: [BLOCK] })].map(base64);
  for (const conversionExtension of ['stl', 'step'])
    await send('PUT', '/api/ConvertFiles', {
      as,
      json: JSON.stringify(files),
      query: { fileNames: 'a.stl,b.step', conversionExtension },
    });
  await send('GET', '/FileAttributes', { as });
  for (const attribute of ['Material', 'length', 'Length(mm)', 'Coat', 'nothing'])
    await send('GET', '/AttributeValues', { as, query: { attribute } });
  await send('PUT', '/FileAttributes', {
    as,
    json: JSON.stringify(['Weight(kg)=2', 'Material=brass']),
    query: { fileUID: uids['plate.stl'] },
  });
  await send('PUT', '/FileAttributes', {
    as,
    json: ['Weight(kg)=3', 'Note=first'],
    query: { fileName: 'parts/plate.stl', deleteExisting: false },
  });
  await send('GET', '/api/File', { as, query: { fileUID: uids['plate.stl'] } });
  await send('DELETE', '/FileAttributes', { as, query: { fileUID: uids['block.step'] } });
  await send('GET', '/api/ServiceFileCount', { as });
  await send('GET', '/api/MonthlyUsage', { as });
  await send('GET', '/api/MonthlyUsage', { as, query: { year: 2024, month: 5 } });
  await send('GET', '/api/MonthlyUsage', { as, query: { year: 2023, month: 5 } });
}

const SEARCHES: readonly SendOptions['query'][] = [
  { filterStr: `fileUID=${INPUT}` },
  { filterStr: `fileUID=${INPUT}&v=.1&bbv=.1&sa=.1&resultFileType=ThreeD` },
  { filterStr: `fileUID=${INPUT}&v=%2B.2`, includeShapelets: true, limit: 3, offset: 1 },
  { filterStr: `fileUID=${uids['stairs.stl']}&FT=${encodeURIComponent('Material=steel')}` },
  { filterStr: `fileUID=${uids['bracket.dxf']}`, includeShapelets: true },
  { filterStr: `fileUID=${INPUT},${uids['stairs.stl']}` },
  { filterStr: `fileUID=${ASSEMBLY_INPUT}`, searchAssemblyComponents: true },
  { filterStr: `fileUID=${ASSEMBLY_INPUT}`, searchAssemblyComponents: true, limit: 2, offset: 1 },
  { filterStr: `fileUID=${uids['pump.step']}`, searchAssemblyComponents: true },
  { filterStr: `fileUID=${uids['bracket.stl']}`, searchAssemblyComponents: true },
  { filterStr: `fileUID=${uids['pump.step']}` },
  { filterStr: `fileUID=${uids['block.step']}`, includeComponents: true },
  { filterStr: `fileUID=${uids['order.txt']}` },
  { filterStr: 'FT=steel' },
  { filterStr: 'FT=flanges&FT=stainless' },
  { filterStr: `FT=${encodeURIComponent('Material=[steel]')}&resultFileType=ThreeD` },
  { filterStr: `FT=${encodeURIComponent('Length>50mm')}` },
  { filterStr: 'FT=nothingLikeThis' },
  { filterStr: 'resultFileType=TwoD' },
  { filterStr: `fileUID=${uid(0x12)}` },
  { filterStr: `fileUID=${uid(0x12)}`, searchAssemblyComponents: true },
];

async function search({ host, send }: Recorder): Promise<void> {
  const as = 'ada';
  for (const query of SEARCHES) await send('GET', '/api/Search', { as, query });
  const files = [writeStlBinary(BRACKET), writeStlBinary(STAIRS)].map(base64);
  await send('PUT', '/api/Search', { as, json: JSON.stringify(files.slice(0, 1)), query: { fileExtension: '.stl' } });
  await send('PUT', '/api/Search', {
    as,
    json: JSON.stringify(files),
    query: { fileExtension: '.stl', targetFids: [uids['stairs.stl'], uids['bracket.stl']].join(',') },
  });
  await send('PUT', '/api/Search', {
    as,
    json: JSON.stringify([base64(SVG_DRAWING)]),
    query: { fileExtension: '.svg', cropX: 0, cropY: 0, cropW: 500, cropH: 400 },
  });
  await send('PUT', '/api/Search', { as, query: { filterStr: 'resultFileType=Text' } });
  await send('PUT', '/api/Search', {
    as,
    json: JSON.stringify([base64(Buffer.from('no model'))]),
    query: { fileExtension: '.stl' },
  });
  // While it waits: nothing is read in a library whose worker is busy with the first.
  const waiting = host.send('PUT', '/api/FileBinary', {
    as,
    bytes: stepFile(PUMP),
    query: { file: '.step', indexAsync: true, uid: WAITING_INPUT },
  });
  await waiting;
  await host.engine.idle();
  const results = `${uids['bracket.stl']}_0.01,${uids['stairs.stl']}_0.5`;
  const feedbackId = uid(0x31);
  await send('PUT', '/SearchFeedback', {
    as,
    json: results,
    query: {
      found: true,
      rank: 1,
      expectation: 'a bracket',
      helpfulness: 5,
      user: 'ada',
      inputFileUID: INPUT,
      feedbackId,
    },
  });
  await send('PUT', '/ExtractedAttributeFeedback', {
    as,
    json: 'Material=steel,Finish=blue, red',
    query: { fileUID: uids['bracket.stl'], feedback: 'wrong', feedbackId },
  });
  await send('PUT', '/SavedSearches', { as, query: { name: 'steel', queryStr: 'FT=steel' } });
  await send('PUT', '/SavedSearches', { as, query: { name: 'brackets', queryStr: 'FT=bracket' } });
  const saved = await send('GET', '/SavedSearches', { as });
  await send('DELETE', '/SavedSearches', { as, query: { id: saved[0].ID } });
  await send('DELETE', '/SavedSearches', { as, query: { id: saved[0].ID } });
}

async function accounts({ host, send }: Recorder): Promise<void> {
  const as = 'ada';
  await send('PUT', '/RFQ', {
    as,
    json: base64(boxStl(3, 4, 5)),
    query: { fileName: 'rfq.stl', rfqId: 'quote-1', customQuoteId: 'Q1' },
  });
  for (const chunkNum of [2, 1])
    await send('PUT', '/RFQ', {
      as,
      json: base64(partStl(3, 4, 6).subarray(chunkNum === 1 ? 0 : 600, chunkNum === 1 ? 600 : undefined)),
      query: { fileName: 'chunked.stl', rfqId: 'quote-2', chunkNum, totalChunks: 2 },
    });
  await host.engine.idle();
  for (const rfqId of ['quote-1', 'quote-2', 'none']) await send('GET', '/RFQ', { as, query: { rfqId } });
  await send('DELETE', '/RFQ', { as, query: { rfqId: 'quote-1' } });
  await send('GET', '/CompanyProfile', { as, query: { companyID: 'acme' } });
  await send('GET', '/CompanyProfile', { as, query: { companyID: host.companies.acme.toUpperCase() } });
  await send('GET', '/CompanyProfile', { as, query: { companyID: host.companies.other } });
  await send('GET', '/CompanyProfile', { as: 'operator', query: { companyID: host.companies.other } });
  await send('GET', '/CompanyProfile', { as: 'operator', query: { companyID: 'other' } });
  await send('GET', '/IsEmployee', { as, query: { companyID: 'acme' } });
  await send('GET', '/IsEmployee', { as, query: { companyID: host.companies.other } });
  const logo = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await send('PUT', '/CompanyLogo', { as, json: base64(logo) });
  await send('PUT', '/CompanyLogo', { as, json: base64(Buffer.from('no picture')) });
  await send('DELETE', '/CompanyLogo', { as });
  await send('DELETE', '/CompanyLogo', { as });
  await send('GET', '/CustomProductCategory', { as, query: { name: 'Brackets' } });
  await send('GET', '/CustomProductCategory', { as, query: { name: 'Brackets' } });
  const password = sha1('secret').toString('base64');
  const person = {
    firstName: 'Ann',
    lastName: 'Other',
    password: sha1('correct horse battery').toString('base64'),
  };
  await send('GET', '/User', { query: { emailID: 'ada@acme.example', password } });
  await send('GET', '/User', { query: { emailID: 'ada@acme.example', password: sha1('no').toString('base64') } });
  await host.engine.accounts.mapDomain('mapped.example', 'acme');
  await send('PUT', '/User', { query: { emailID: 'six@mapped.example', ...person } });
  await send('PUT', '/User', { query: { emailID: 'seven@mapped.example', ...person, companyId: host.companies.acme } });
  await send('PUT', '/User', { query: { emailID: 'one@elsewhere.example', ...person } });
  await send('PUT', '/User', {
    query: { emailID: 'two@elsewhere.example', ...person, companyId: host.companies.acme },
  });
  await send('PUT', '/User', {
    as: 'admin',
    query: { emailID: 'two@elsewhere.example', ...person, companyId: host.companies.acme },
  });
  await send('PUT', '/User', {
    as,
    query: { emailID: 'three@elsewhere.example', ...person, companyId: host.companies.acme },
  });
  await send('PUT', '/User', {
    as: 'operator',
    query: { emailID: 'four@elsewhere.example', ...person, companyId: host.companies.other },
  });
  await send('PUT', '/User', {
    as: 'admin',
    query: { emailID: 'five@elsewhere.example', ...person, companyId: NOWHERE },
  });
  const grant = { grant_type: 'password', username: 'ada@acme.example', password: sha1('secret').toString('hex') };
  const { refresh_token } = await send('POST', '/api/Token', { form: grant });
  await send('POST', '/api/Token', { form: { grant_type: 'refresh_token', refresh_token } });
  await send('POST', '/api/Token', { form: { grant_type: 'refresh_token', refresh_token } });
  await send('POST', '/api/Token', { form: { ...grant, password: sha1('no').toString('hex') } });
  await send('POST', '/api/Token', { query: { grant_type: 'magic' } });
  await send('POST', '/api/Token', { form: { grant_type: 'client_credentials', client_id: 'nobody', password: 'x' } });
  await send('GET', '/api/Version', {});
  await send('GET', '/api/Version', { headers: { Accept: 'text/plain' } });
  await send('GET', '/health', {});
}

async function additions({ send }: Recorder): Promise<void> {
  const as = 'ada';
  const fileUID = uids['pump.step'];
  const find = (query: object): SendOptions => ({ as, query: { query: JSON.stringify(query) } });
  await send('GET', '/api/Find', find({ like: { uid: INPUT }, facets: true, limit: 5 }));
  await send('GET', '/api/Find', find({ text: 'steel', attributeFacets: true, facets: true }));
  await send('GET', '/api/Find', find({ kinds: ['TwoD'] }));
  await send('GET', '/api/Find', find({ like: { bytes: 'x' } }));
  await send('GET', '/api/Find', find({ nothing: 1 }));
  for (const uidOf of [fileUID, INPUT, uids['angle.pdf'], uid(0x12)])
    await send('GET', '/api/Record', { as, query: { fileUID: uidOf } });
  await send('PUT', '/api/Record', { as, bytes: Buffer.from('a short note'), query: { path: 'texts/note.txt' } });
  await send('PUT', '/api/Input', { as, bytes: boxStl(2, 2, 7), query: { name: 'asked.stl' } });
  await send('GET', '/api/Records', { as, query: { prefix: 'parts/', limit: 3 } });
  await send('GET', '/api/Records', {
    as,
    query: { kind: 'ThreeD', state: 'indexed', order: 'path', direction: 'falling', limit: 2 },
  });
  await send('GET', '/api/Records', { as, query: { kind: 'Nothing' } });
  await send('GET', '/api/Records', { as, query: { category: -1, after: 'parts/o' } });
  await send('GET', '/api/Status', { as });
  await send('POST', '/api/Retry', { as, query: { fileUID } });
  await send('GET', '/api/Text', { as, query: { fileUID: uids['order.txt'], words: 'steel "stainless steel"' } });
  await send('GET', '/api/Text', { as, query: { fileUID: uids['angle.pdf'], words: 'angle', includeRuns: true } });
  await send('GET', '/api/Text', { as, query: { fileUID: uids['angle.pdf'], page: 2 } });
  await send('GET', '/api/PageImage', { as, query: { fileUID: uids['angle.pdf'], page: 2, width: 300 } });
  await send('GET', '/api/Overlay', {
    as,
    query: { queryUID: uids['bracket.dxf'], fileUID: uids['bracket.svg'], size: 64 },
  });
  await send('GET', '/api/Model', { as, query: { fileUID } });
  await send('GET', '/api/Assembly', { as, query: { fileUID } });
  await send('GET', '/api/Assembly', { as, query: { fileUID: uids['plate.stl'] } });
  await send('GET', '/api/Deviations', {
    as,
    query: { fileUID: uids['bracket.stl'], otherUID: uids['bracket-large.stl'] },
  });
  await send('GET', '/api/Download', { as, query: { fileUID: uids['order.txt'] } });
  await send('GET', '/api/Converted', { as, query: { fileUID: uids['bracket.stl'], to: 'stl' } });
  await send('GET', '/api/Categories', { as });
  await send('PUT', '/api/FileCategory', { as, query: { fileUID: uids['bracket.stl'], categoryId: 1 } });
  await send('GET', '/api/Search', { as, query: { filterStr: `fileUID=${INPUT}&resultFileType=ThreeD`, limit: 2 } });
  await send('GET', '/api/Features', { as, query: { fileUID: uids['bracket.stl'] } });
  await send('GET', '/api/Components', { as, query: { fileUID } });
  await send('PUT', '/api/Components', { as, query: { fileUID } });
  await send('GET', '/api/AssembliesWith', { as, query: { fileUID: uids['block.step'], mirrored: true } });
  await send('GET', '/api/SharedParts', { as, query: { fileUID } });
  const groups = await send('GET', '/api/Duplicates', { as, query: { near: '0.05' } });
  await send('GET', '/api/DuplicatesFile', { as, query: { format: 'csv' } });
  await send('PUT', '/api/DuplicateDecisions', { as, query: { kind: 'keep', uids: uids['bracket.stl'] } });
  await send('PUT', '/api/DuplicateDecisions', {
    as,
    query: { kind: 'different', uids: `${uids['stairs.stl']},${uids['plate.stl']}`, from: uids['stairs-mirrored.stl'] },
  });
  await send('GET', '/api/DuplicateDecisions', { as });
  await send('GET', '/api/Duplicates', { as, query: { classes: 'identical,bytes', settled: false } });
  await send('DELETE', '/api/DuplicateDecisions', { as, query: { ids: '1,2' } });
  if (groups.groups.length === 0) throw new Error('the library should hold duplicates');
}

/** The same searches and uploads where the company has set what takes effect in them. */
async function withProfile({ host, send }: Recorder): Promise<void> {
  const as = 'ada';
  const set = (fields: object): Promise<unknown> => host.engine.accounts.setProfile('acme', fields);
  const asked = { filterStr: `fileUID=${uids['bracket.stl']}&resultFileType=ThreeD` };
  await set({
    shapeOnlyDuplicates: true,
    decimalPlaces: 4,
    exactVolumeTolerance: 0.5,
    listedAttributes: 'Material, Length',
    priorityAttributes: 'length',
  });
  await send('GET', '/api/Search', { as, query: asked });
  await set({
    exactVolumeTolerance: 0.001,
    exactBboxVolumeTolerance: 0.001,
    exactScoreTolerance: 0.2,
    attributesOnlyDuplicates: true,
    decimalPlaces: 0,
  });
  await send('GET', '/api/Search', { as, query: asked });
  await send('GET', '/api/Search', {
    as,
    query: { filterStr: `fileUID=${ASSEMBLY_INPUT}`, searchAssemblyComponents: true },
  });
  await set({
    shapeOnlyDuplicates: false,
    attributesOnlyDuplicates: false,
    shapeAndAttributesDuplicates: true,
    exactVolumeTolerance: null,
    exactBboxVolumeTolerance: null,
    exactScoreTolerance: 0,
  });
  await send('GET', '/api/Search', { as, query: asked });
  await set({
    scoreThreshold: 0.3,
    volumeTolerance: '.4',
    bboxVolumeTolerance: '+.9/-.9',
    exactScoreTolerance: null,
    shapeAndAttributesDuplicates: false,
  });
  await send('GET', '/api/Search', { as, query: asked });
  await send('GET', '/api/Search', { as, query: { filterStr: `${asked.filterStr}&v=5` } });
  await set({
    scoreThreshold: null,
    volumeTolerance: null,
    bboxVolumeTolerance: null,
    maxVisualSearchResults: 2,
    showMatchingShapes: false,
    useTextHighlighting: false,
    usesPublicUrl: true,
    publicUrl: 'https://parts.example.com',
    name: 'Acme Limited',
  });
  await send('GET', '/api/Search', { as, query: { ...asked, includeShapelets: true } });
  await send('GET', '/api/Search', { as, query: { filterStr: 'FT=steel' } });
  await send('GET', '/CompanyProfile', { as, query: { companyID: 'acme' } });
  await set({ filePriority: 4, textOnly: true, overwriteFiles: true });
  await send('PUT', '/api/FileBinaryDirect', {
    as,
    bytes: partStl(4, 5, 6),
    query: { file: 'parts/pair.stl', isSearchInput: false },
  });
  await send('PUT', '/api/FileBinaryDirect', {
    as,
    bytes: partStl(4, 5, 8),
    query: { file: 'parts/pair.stl', isSearchInput: false, textOnly: false },
  });
  await send('PUT', '/api/FileBinaryDirect', { as, bytes: partStl(4, 5, 7), query: { file: '.stl', uid: uid(0x14) } });
  await send('PUT', '/api/Record', { as, bytes: boxStl(4, 4, 4), query: { path: 'parts/of-profile.stl' } });
  await send('PUT', '/api/Input', { as, bytes: boxStl(4, 4, 4), query: { name: 'of-profile.stl' } });
  await set({ hasFileCategories: true });
  await send('PUT', '/api/FileBinary', { as, bytes: partStl(4, 5, 6), query: { file: 'a.stl', isSearchInput: false } });
  await send('PUT', '/api/FileBinaryDirect', {
    as,
    bytes: partStl(4, 5, 6),
    query: { file: 'a.stl', isSearchInput: false, categoryId: 1 },
  });
  await send('PUT', '/api/FileBinary', {
    as,
    bytes: partStl(4, 5, 6),
    query: { file: 'b.stl', isSearchInput: false, categoryId: 99 },
  });
  await host.engine.idle();
  await send('GET', '/api/File', { query: { fileUID: uids['bracket.stl'], accountName: 'acme' } });
  await set({ publiclyAccessible: true });
  await send('GET', '/api/File', { query: { fileUID: uids['bracket.stl'], accountName: 'acme' } });
  await send('GET', '/api/File', { query: { fileUID: uids['bracket.stl'], accountName: 'a/b\n' } });
  await host.engine.accounts.setPlan('acme', { fileLimit: 100, tokenLimit: 30 });
  await send('GET', '/api/MonthlyUsage', { as });
}

async function refusals({ send }: Recorder): Promise<void> {
  const as = 'ada';
  const small = Buffer.alloc(100);
  for (const query of [
    { file: 'x.stl', isSearchInput: false, indexPriority: 5 },
    { file: '.zip', indexAsync: true },
    { file: '.stl', uid: 'no-guid' },
    { file: 'x.stl' },
    { file: 'noextension' },
    { file: 'x.stl', isSearchInput: false, categoryId: 1, attributes: 'pair' },
    { file: '', isSearchInput: 'maybe' },
  ])
    await send('PUT', '/api/FileBinary', { as, bytes: partStl(1, 2, 3), query });
  await send('PUT', '/api/FileBinary', { as, bytes: small, query: { file: '.stl' } });
  await send('PUT', '/api/File', { as, json: base64(small), query: { file: '.stl' } });
  await send('PUT', '/api/FileBinary', { as, bytes: partStl(1, 2, 3), query: { file: '.nothing' } });
  await send('PUT', '/api/FileBinary', { as: 'bob', bytes: partStl(1, 2, 3), query: { file: '.stl', uid: INPUT } });
  for (const filterStr of [
    '',
    'v=.1',
    'FT=',
    'x=1',
    'fileUID=1',
    'resultFileType=Nothing',
    `fileUID=${NOWHERE}`,
    'FT=%2522open',
    'v=%2B',
  ])
    await send('GET', '/api/Search', { as, query: { filterStr } });
  await send('GET', '/api/Search', {
    as,
    query: { filterStr: `fileUID=${ASSEMBLY_INPUT}`, searchAssemblyComponents: true, limit: 10_000, offset: 1 },
  });
  await send('PUT', '/api/Search', { as, query: { filterStr: 'FT=x', targetFids: 'none' } });
  await send('PUT', '/api/Search', { as, json: JSON.stringify([base64(small)]), query: {} });
  await send('PUT', '/api/ConvertFiles', {
    as,
    json: JSON.stringify([]),
    query: { fileNames: 'a.stl', conversionExtension: 'stl' },
  });
  await send('PUT', '/api/ConvertFiles', {
    as,
    json: JSON.stringify([]),
    query: { fileNames: 'a.stl', conversionExtension: 'obj' },
  });
  await send('PUT', '/SearchFeedback', { as, json: 'nothing', query: {} });
  await send('PUT', '/RFQ', { as, json: '', query: { fileName: 'x.stl' } });
  await send('PUT', '/RFQ', { as, json: 'QQ==', query: { fileName: 'x.stl', chunkNum: 1 } });
  await send('GET', '/api/File', { as, query: {} });
  await send('GET', '/api/File', { as: 'stranger', query: { fileUID: INPUT } });
  await send('GET', '/api/File', { as: 'app', query: { fileUID: INPUT } });
  await send('GET', '/api/File', { as: 'spent', query: { fileUID: INPUT } });
  await send('GET', '/api/File', { as: 'operator', query: { fileUID: INPUT, accountName: 'other' } });
  await send('GET', '/api/File', { as: 'operator', query: { fileUID: INPUT, accountName: 'nobody' } });
  await send('PUT', '/CompanyProfile', { as: 'admin', query: { accountName: 'x' } });
  await send('PUT', '/CompanyProfile', { as: 'operator', query: { accountName: 'acme' } });
  await send('POST', '/api/File', { as });
  await send('GET', '/api/Nothing', { as });
}

async function deletions({ send }: Recorder): Promise<void> {
  const of = (fileUID: string, as?: Who): SendOptions => ({ as, query: { fileUID } });
  await send('DELETE', '/api/File', of(uids['plate.stl'], 'ada'));
  await send('DELETE', '/api/File', of(INPUT, 'bob'));
  await send('DELETE', '/api/File', of(NOWHERE, 'bob'));
  await send('DELETE', '/api/File', of(INPUT, 'ada'));
  await send('DELETE', '/api/File', of(INPUT, 'ada'));
  await send('DELETE', '/api/File', of(ASSEMBLY_INPUT, 'admin'));
  await send('DELETE', '/api/File', of(uids['plate.stl'], 'admin'));
  await send('DELETE', '/api/File', of(uids['stairs.stl']));
  await send('GET', '/api/FileStatus', of(INPUT, 'ada'));
}

/** Members whose values are sentences: other words say the same. */
const SENTENCES: ReadonlySet<string> = new Set(['detail', 'message', 'Message', 'error_description']);
/** Members whose values are times of the clock or of the machine. */
const TIMINGS: ReadonlySet<string> = new Set(['elapsedMs']);
const GUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Items of a list that are written whole; of others a digest. */
const WHOLE_ITEMS = 2;
const LONGEST_TEXT = 300;
/** Digits of a number that every machine agrees about. */
const DIGITS = 9;

class Recorder {
  readonly host: Host;
  readonly answers: Recorded[] = [];
  readonly #known = new Map<string, string>();

  constructor(host: Host) {
    this.host = host;
  }

  /** Sends a request, writes down what is answered, and returns that as JSON. */
  readonly send = async (method: string, path: string, options: SendOptions): Promise<any> => {
    const { handler, tokens } = this.host;
    const request = requestOf(
      method,
      path,
      { ...options, headers: { 'X-Request-Id': 'recorded-request', ...options.headers } },
      tokens,
    );
    const response = await handler(request, options.client);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    const isText = type === '' || /json|text/.test(type);
    const text = isText ? this.#replaced(Buffer.from(bytes).toString('utf8')) : undefined;
    const search = new URL(request.url).search;
    this.answers.push({
      request: this.#replaced(
        `${method} ${path}${decodeURIComponent(search)}${options.as === undefined ? '' : ` (${options.as})`}`,
      ),
      status: response.status,
      type,
      body: text === undefined ? `${type} of bytes` : shortened(text),
      sha256: createHash('sha256')
        .update(text ?? bytes)
        .digest('hex'),
    });
    return jsonOf(Buffer.from(bytes).toString('utf8'));
  };

  /** Ids that are made at random are counted; times and tokens are left out. */
  #replaced(text: string): string {
    return text
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replace(/\b\d\d:\d\d:\d\d\.\d{7}\b/g, '<duration>')
      .replace(/"elapsedMs":[\d.e+-]+/g, '"elapsedMs":0')
      .replace(/token=(?!x\b)[^"&\s]+/g, 'token=<token>')
      .replace(/"(access|refresh)_token":"[^"]*"/g, '"$1_token":"<token>"')
      .replace(/refresh_token=[^"&\s)]+/g, 'refresh_token=<token>')
      .replace(GUID, (found) => {
        const id = found.toLowerCase();
        if (id.endsWith('-1111-4222-8333-444444444444')) return found;
        let name = this.#known.get(id);
        if (name === undefined) this.#known.set(id, (name = `<id ${this.#known.size + 1}>`));
        return name;
      });
  }
}

function jsonOf(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Plain text.
  }
}

/**
 * A body as it is compared on every machine: sentences, long texts (pictures among them) and the last digits of numbers
 * left out.
 */
function shortened(text: string): unknown {
  const value = jsonOf(text);
  return value === undefined ? brief(text) : shown(value);

  function shown(value: unknown, name = ''): unknown {
    if (Array.isArray(value))
      return value.map((item, i) => (i < WHOLE_ITEMS ? shown(item, name) : digest(shown(item, name))));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          key === 'errors' && typeof inner === 'object' && inner !== null ? Object.keys(inner) : shown(inner, key),
        ]),
      );
    if (TIMINGS.has(name)) return 0;
    if (typeof value === 'number') return Number(value.toPrecision(DIGITS));
    if (typeof value !== 'string') return value;
    if (SENTENCES.has(name)) return '<sentence>';
    return name === 'PMI' && value !== '' ? shown(jsonOf(value)) : brief(value);
  }
}

/** Of a plain value itself; of an object the name that it bears and a hash. */
function digest(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { FileName: name = '' } = value as { FileName?: string };
  return `${name}#${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)}`;
}

function brief(text: string): string {
  return text.length <= LONGEST_TEXT ? text : '<long text>';
}
