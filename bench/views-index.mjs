/**
 * The first stage of a search by views: reading every view (`ViewScan`), reading every view as a short vector
 * (`ViewLists` with all views exact), and lists (`ViewLists`), in one run on the same files.
 *
 * Data: views of parts made by code (parts/many-parts.mjs), mixed to as many files as are asked for
 * (support/mixed-views.mjs): descriptors, not solids, are made from then on. Of ten files seven are models with 30
 * views, three are drawings with 4. Queries are drawings of further files, 4 views each, turned by quarters, with
 * noise.
 *
 * Measured: processor time of the first stage and of the fine comparison; recall: the share of the first ten hits by
 * reading every view that are among the files that the other ways hand on to the fine comparison, and that are among
 * their first ten; bytes a view. First hits of 96 files, which are compared finely where every view is read, of 192,
 * which are where lists are asked, and of 384, which says which ten are best: more files bring nearer hits, which push
 * out some of the first ten of 96. There are no other cues here (layouts, numbers).
 * The same for models as queries, which look for drawings; there the share is that of the first ten of the first stage
 * by every view that are among the files that lists hand on.
 *
 * --peers FOLDER: indexes of other packages over the same views propose 4,096 files for the same queries
 * (support/view-peers.mjs, which says what the folder holds), and the distances of these are computed from all their
 * short vectors, as with lists; --peer-nearest: views that each vector of a query asks for. Their time is that of the
 * clock, since LanceDB works in threads of its own; memory is growth of resident memory.
 *
 * npm run bench -- views-index [--files 10000] [--parts 400] [--stock FILE] [--queries 60] [--read 500000]
 * [--peers FOLDER [--peer-nearest 1024]] [--json]
 */
import { loadavg } from 'node:os';
import { Core } from '../dist/core/core.js';
import { ViewLists } from '../dist/core/view-lists.js';
import { ViewScan } from '../dist/core/view-scan.js';
import { VIEW_BYTES } from '../dist/descriptors/views.js';
import { rankViews } from '../dist/search/views/view-rank.js';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { mixedViews } from './support/mixed-views.mjs';
import { VIEW_PEERS, viewPeer } from './support/view-peers.mjs';

/** Files that are compared finely. */
const NEAREST = { 'every view': 96, lists: 192 };
const SHORT = 'short vectors';
const COMPARED = [
  ['every view', 96],
  [SHORT, 96],
  [SHORT, 128],
  [SHORT, 192],
  ['lists', 192],
  ['lists', 256],
  ['lists', 384],
];
/** Files nearest by every view, whose fine comparison says which ten are best. */
const TRUTH = 384;
const SHOWN = 10;
/** Files that peers propose, as lists do. */
const PROPOSED = 4_096;

const args = benchOptions({
  files: { type: 'string', default: '10000' },
  parts: { type: 'string', default: '400' },
  stock: { type: 'string' },
  queries: { type: 'string', default: '60' },
  read: { type: 'string', default: '500000' },
  peers: { type: 'string' },
  'peer-nearest': { type: 'string', default: '1024' },
});
const files = Number(args.files);
const core = await Core.load();
const mixed = await mixedViews(core, { parts: Number(args.parts), stock: args.stock });
const viewsOf = (file) => (file % 10 < 7 ? mixed.models(file) : mixed.drawing(file));

const scan = await ViewScan.open(core, VIEW_BYTES);
const lists = await ViewLists.open(core, VIEW_BYTES, { exactViews: 0, read: Number(args.read) });
const short = await ViewLists.open(core, VIEW_BYTES, { exactViews: Infinity });
let addMs = 0;
for (let file = 1; file <= files; file++) {
  scan.add(file, viewsOf(file));
  const started = cpuMs();
  lists.put(file, scan.vectorsOf(file));
  addMs += cpuMs() - started;
  short.put(file, scan.vectorsOf(file));
}
const queries = Array.from({ length: Number(args.queries) }, (_, i) => mixed.drawing(files + 1 + i));
const ways = { 'every view': scan, [SHORT]: short, lists };
const found = {};
for (const [name, way] of Object.entries(ways)) {
  for (const query of queries.slice(0, 5)) way.nearest(query, NEAREST.lists);
  const ms = [];
  const nearest = queries.map((query) => {
    const started = cpuMs();
    const { fileIds } = way.nearest(query, TRUTH);
    ms.push(cpuMs() - started);
    return [...fileIds];
  });
  found[name] = { ms, nearest, bytesPerView: way.byteLength / way.viewCount };
}
if (args.peers !== undefined) await askPeers();
const exact = found['every view'].nearest;
const report = {
  machine: await machine(),
  load: loadavg()[0],
  files,
  views: scan.viewCount,
  addMicroseconds: (1000 * addMs) / scan.viewCount,
  ways: Object.fromEntries(
    Object.entries(found).map(([name, { ms, bytesPerView, buildMs, diskBytesPerView }]) => [
      name,
      { p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95), bytesPerView, buildMs, diskBytesPerView },
    ]),
  ),
  recall: [...Object.values(NEAREST), TRUTH].flatMap((of) => {
    const wanted = exact.map((fileIds, i) => firstOf(i, fileIds.slice(0, of), candidatesOf(fileIds.slice(0, of))));
    return [...COMPARED, ...peerNames().map((name) => [name, NEAREST.lists])].map(([way, count]) => {
      const compared = found[way].nearest.map((fileIds) => fileIds.slice(0, count));
      const ms = [];
      const shown = compared.map((fileIds, i) => {
        const candidates = candidatesOf(fileIds);
        const started = cpuMs();
        const first = firstOf(i, fileIds, candidates);
        ms.push(cpuMs() - started);
        return first;
      });
      return { way, of, count, ms: quantile(ms, 0.5), compared: share(wanted, compared), shown: share(wanted, shown) };
    });
  }),
};
const drawings = Uint32Array.from({ length: files }, (_, i) => i + 1).filter((file) => file % 10 >= 7);
const models = Array.from({ length: Number(args.queries) }, (_, i) => mixed.models(files + 1 + i));
report.models = Object.fromEntries(
  Object.entries(ways).map(([name, way]) => {
    const ms = [];
    const nearest = models.map((query) => {
      const started = cpuMs();
      const { fileIds } = way.nearest(query, NEAREST.lists, drawings);
      ms.push(cpuMs() - started);
      return [...fileIds];
    });
    return [name, { p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95), nearest }];
  }),
);
const wantedOfModels = report.models['every view'].nearest.map((fileIds) => fileIds.slice(0, SHOWN));
const allOfModels = report.models['every view'].nearest;
report.modelRecall = {
  ten: share(wantedOfModels, report.models.lists.nearest),
  all: share(allOfModels, report.models.lists.nearest),
};
for (const way of Object.values(report.models)) delete way.nearest;
if (args.json) console.log(JSON.stringify(report));
else {
  console.log(`${report.machine}; load ${report.load.toFixed(1)}`);
  console.log(`${files} files, ${report.views} views; into lists ${report.addMicroseconds.toFixed(1)} µs a view`);
  for (const [name, { p50Ms, p95Ms, bytesPerView, buildMs, diskBytesPerView }] of Object.entries(report.ways))
    console.log(
      `${name.padEnd(10)} ${buildMs === undefined ? 'processor' : 'clock'} p50 ${p50Ms.toFixed(1)} p95 ` +
        `${p95Ms.toFixed(1)} ms; ${bytesPerView.toFixed(1)} bytes a view` +
        (diskBytesPerView === undefined ? '' : `, ${diskBytesPerView.toFixed(1)} on disk`) +
        (buildMs === undefined ? '' : `, built in ${(buildMs / 1000).toFixed(1)} s`),
    );
  for (const { way, of, count, ms, compared, shown } of report.recall)
    console.log(
      `${way}, ${count} compared in ${ms.toFixed(1)} ms: of the first ten of ${of} by every view ` +
        `${compared.toFixed(4)} compared, ${shown.toFixed(4)} shown`,
    );
  for (const [name, { p50Ms, p95Ms }] of Object.entries(report.models))
    console.log(
      `a model looks for drawings: ${name.padEnd(10)} processor p50 ${p50Ms.toFixed(1)} p95 ${p95Ms.toFixed(1)} ms`,
    );
  const { ten, all } = report.modelRecall;
  console.log(`lists: of the first ten by every view ${ten.toFixed(4)} handed on, of the first 192 ${all.toFixed(4)}`);
}

/** Asks the indexes of other packages that are installed, one after another. */
async function askPeers() {
  const peers = { folder: args.peers, scan, files, nearest: Number(args['peer-nearest']) };
  for (const name of Object.keys(VIEW_PEERS)) {
    const peer = await viewPeer(peers, name);
    if (peer === undefined) continue;
    for (const query of queries.slice(0, 5)) await peer.propose(query, PROPOSED);
    const ms = [],
      nearest = [];
    for (const query of queries) {
      const started = performance.now();
      const { fileIds } = short.nearest(query, TRUTH, await peer.propose(query, PROPOSED));
      ms.push(performance.now() - started);
      nearest.push([...fileIds]);
    }
    const { buildMs, bytesPerView, diskBytesPerView } = peer;
    found[name] = { ms, nearest, buildMs, bytesPerView, diskBytesPerView };
    peer.close();
  }
}

/** The peers that were asked. */
function peerNames() {
  return Object.keys(VIEW_PEERS).filter((name) => found[name] !== undefined);
}

/** The first hits among files whose views are at hand. */
function firstOf(query, fileIds, candidates) {
  const scores = rankViews(core, { views: queries[query] }, candidates);
  return [...fileIds.keys()]
    .sort((a, b) => scores[a].score - scores[b].score || fileIds[a] - fileIds[b])
    .slice(0, SHOWN)
    .map((at) => fileIds[at]);
}

/** Their views, which take longer to mix than to compare. */
function candidatesOf(fileIds) {
  return fileIds.map((file) => ({ views: viewsOf(file) }));
}

function share(wanted, of) {
  const hits = wanted.map((list, i) => list.filter((file) => of[i].includes(file)).length);
  return hits.reduce((sum, count) => sum + count, 0) / wanted.reduce((sum, list) => sum + list.length, 0);
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
