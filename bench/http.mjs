/**
 * HTTP: its overhead over the engine, its throughput, and the memory of an upload.
 *
 * Measured: GET /api/Search and GET /api/File on loopback, one request after the other on one kept connection. The time
 * of the engine call inside each request (search, get) is subtracted; the rest is the overhead: client, server,
 * authentication, checks, translation. On a busy machine it also contains waiting, which the processor time does not.
 * Then autocannon with CONNECTIONS connections; the search again with the engine's answer cached, and with other work
 * in place of the engine; then the memory that an upload of UPLOAD_MB megabytes takes in the serving process (its peak
 * above the level before).
 *
 * Data: generated; FILES boxes of different sizes; a search returns LIMIT hits. Client and server share the machine.
 *
 * Asked: a median overhead of at most 1 ms; an upload keeps fewer than three copies in memory.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { Engine } from '../dist/index.js';
import { createHandler, toNodeListener } from '../dist/http/index.js';

const FILES = 200;
const LIMIT = 20;
const RUNS = 1_500;
const CONNECTIONS = 8;
const UPLOAD_MB = 200;
const MIB = 1024 ** 2;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

if (process.argv[2] === 'serve') await serve(process.argv[3]);
else {
  console.log(`${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`);
  try {
    await latencies();
    await upload();
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts an engine with a member and an admin's token, served on a free port. */
async function open(library) {
  const engine = await Engine.open(library);
  const { accounts } = engine;
  if (!(await accounts.companyNamed('bench'))) await accounts.addCompany('bench');
  const passwordDigest = createHash('sha1').update('bench').digest();
  await accounts.addUser({
    email: 'bench@bench.example',
    firstName: 'B',
    lastName: 'B',
    passwordDigest,
    company: 'bench',
    role: 'admin',
  });
  const { accessToken } = await accounts.grantPassword({ email: 'bench@bench.example', passwordDigest });
  const server = createServer(toNodeListener(createHandler(engine)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    engine,
    server,
    url: `http://127.0.0.1:${server.address().port}`,
    headers: { Authorization: `Bearer ${accessToken}` },
  };
}

async function latencies() {
  const { engine, server, url, headers } = await open(join(folder, 'latency'));
  const company = await engine.company('bench');
  const records = [];
  for (let i = 0; i < FILES; i++)
    records.push(
      await company.put(`boxes/${i}.stl`, boxStl(10 + (i % 20), 10 + Math.floor(i / 20), 5), {
        attributes: [`Number=${i}`, 'Material=Steel'],
        wait: false,
      }),
    );
  await engine.idle();
  await engine.accounts.setProfile('bench', { maxVisualSearchResults: LIMIT });
  let turn = 0,
    medianSearchMs = 0;
  const next = () => records[(turn = (turn + 7) % FILES)].uid;
  const cases = [
    ['GET /api/Search', 'search', () => `/api/Search?filterStr=fileUID%3D${next()}`],
    ['GET /api/File', 'get', () => `/api/File?fileUID=${next()}`],
  ];
  for (const [name, method, path] of cases) {
    let [inside, insideCpu] = [0, 0];
    // The handler uses the same object of the engine.
    company[method] = async (...given) => {
      const [started, cpu] = [performance.now(), process.cpuUsage()];
      try {
        return await Object.getPrototypeOf(company)[method].apply(company, given);
      } finally {
        inside += performance.now() - started;
        insideCpu += cpuMs(cpu);
      }
    };
    const [engine, whole, overhead, overheadCpu] = [[], [], [], []];
    for (let i = 0; i < RUNS + 200; i++) {
      [inside, insideCpu] = [0, 0];
      const cpu = process.cpuUsage();
      const ms = await timed(() => get(url + path(), headers));
      const used = cpuMs(cpu);
      if (i < 200) continue;
      engine.push(inside);
      whole.push(ms);
      overhead.push(ms - inside);
      overheadCpu.push(used - insideCpu);
    }
    delete company[method];
    if (method === 'search') medianSearchMs = median(engine);
    console.log(
      `${name.padEnd(16)} overhead ${median(overhead).toFixed(2)} ms at the median (p95 ` +
        `${p95(overhead).toFixed(2)}), ${median(overheadCpu).toFixed(2)} ms of it processor time of both ends; ` +
        `whole ${median(whole).toFixed(2)} ms, of it engine ${median(engine).toFixed(2)} ms`,
    );
    const { requests, latency, non2xx, errors } = await autocannon({
      url: url + path(),
      connections: CONNECTIONS,
      duration: 5,
      headers,
    });
    console.log(
      `${' '.repeat(16)} autocannon, ${CONNECTIONS} connections: ${requests.average.toFixed(0)} requests/s, ` +
        `latency mean ${latency.average.toFixed(2)} ms, p97.5 ${latency.p97_5} ms, ${non2xx + errors} failed`,
    );
  }
  // The same without the engine, and so without the effect of its threads and memory on later code.
  const kept = await company.search({ like: { uid: next() }, limit: LIMIT });
  company.search = async () => kept;
  for (let i = 0; i < RUNS; i++) await get(url + cases[0][2](), headers);
  const [times, cpu] = [[], process.cpuUsage()];
  for (let i = 0; i < RUNS; i++) times.push(await timed(() => get(url + cases[0][2](), headers)));
  console.log(
    `GET /api/Search  with the engine's answer kept: ${median(times).toFixed(2)} ms at the median (p95 ` +
      `${p95(times).toFixed(2)}), ${(cpuMs(cpu) / RUNS).toFixed(2)} ms processor time of both ends on average`,
  );
  // With other work of the same length in place of the engine: the difference is caused by the processor's caches,
  // which that work has filled.
  const memory = new Float64Array(4_000_000);
  let spent = 0;
  company.search = async () => {
    const started = performance.now();
    for (let at = 1; performance.now() - started < medianSearchMs; )
      for (let i = 0; i < 10_000; i++) memory[(at = ((at * 16_807) % 2_147_483_647) % memory.length)] += i;
    spent = performance.now() - started;
    return kept;
  };
  const beside = [];
  for (let i = 0; i < RUNS; i++) beside.push((await timed(() => get(url + cases[0][2](), headers))) - spent);
  console.log(
    `GET /api/Search  with the answer kept and ${medianSearchMs.toFixed(1)} ms of walking over 32 MB in place ` +
      `of the engine: overhead ${median(beside).toFixed(2)} ms at the median (p95 ${p95(beside).toFixed(2)})`,
  );
  server.closeAllConnections();
  server.close();
  await engine.close();
}

/** The server runs in a separate process, whose peak memory the system records. */
async function upload() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve', join(folder, 'upload')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { url, headers } = await new Promise((resolve) =>
      child.stdout.once('data', (line) => resolve(JSON.parse(line))),
    );
    const memory = () =>
      Object.fromEntries(
        ['VmRSS', 'VmHWM'].map((name) => [
          name,
          1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]),
        ]),
      );
    // Loads workers and code.
    await put(`${url}/api/FileBinary?file=.stl`, headers, [boxStl(1, 1, 1), Buffer.alloc(2_000)]);
    const before = memory().VmRSS;
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, memory().VmRSS);
    }, 5);
    const started = performance.now();
    const piece = Buffer.alloc(MIB, 'x');
    // Stays queued, so that the memory for reading the file (a worker holds all of it) is not counted as that of the
    // upload.
    const { status, text } = await put(
      `${url}/api/FileBinary?file=.bin&indexAsync=true`,
      headers,
      Array.from({ length: UPLOAD_MB }, () => piece),
    );
    const seconds = (performance.now() - started) / 1000;
    const atAnswer = highest;
    clearInterval(watch);
    console.log(
      `PUT FileBinary   ${UPLOAD_MB} MB in ${seconds.toFixed(1)} s (status ${status}): resident ` +
        `${(before / MIB).toFixed(0)} MiB before, ${(atAnswer / MIB).toFixed(0)} MiB at most until the answer: ` +
        `${((atAnswer - before) / MIB).toFixed(0)} MiB more ` +
        `(${((atAnswer - before) / (UPLOAD_MB * MIB)).toFixed(2)} copies)`,
    );
    for (let state = 204; state === 204; await new Promise((resolve) => setTimeout(resolve, 200)))
      state = await statusOf(`${url}/api/FileStatus?fileUID=${text}`, headers);
    console.log(
      `                 with a worker that then read it whole: peak ${(memory().VmHWM / MIB).toFixed(0)} MiB`,
    );
  } finally {
    child.kill();
  }
}

async function serve(library) {
  const { url, headers } = await open(library);
  process.stdout.write(`${JSON.stringify({ url, headers })}\n`);
}

/** Processor time of this process, with all its threads, since `before`. */
function cpuMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function get(url, headers) {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}

function statusOf(url, headers) {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => response.resume().on('end', () => resolve(response.statusCode)))
      .on('error', reject)
      .end();
  });
}

function put(url, headers, pieces) {
  return new Promise((resolve, reject) => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const sent = request(
      url,
      { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/octet-stream', 'Content-Length': length } },
      (response) => {
        let text = '';
        response
          .on('data', (chunk) => {
            text += chunk;
          })
          .on('end', () => resolve({ status: response.statusCode, text }));
      },
    ).on('error', reject);
    (async () => {
      for (const piece of pieces) if (!sent.write(piece)) await new Promise((next) => sent.once('drain', next));
      sent.end();
    })().catch(reject);
  });
}

/** A box of 12 triangles. */
function boxStl(x, y, z) {
  const corners = [
    [0, 0, 0],
    [x, 0, 0],
    [x, y, 0],
    [0, y, 0],
    [0, 0, z],
    [x, 0, z],
    [x, y, z],
    [0, y, z],
  ];
  const faces = [
    [0, 2, 1],
    [0, 3, 2],
    [4, 5, 6],
    [4, 6, 7],
    [0, 1, 5],
    [0, 5, 4],
    [1, 2, 6],
    [1, 6, 5],
    [2, 3, 7],
    [2, 7, 6],
    [3, 0, 4],
    [3, 4, 7],
  ];
  const bytes = Buffer.alloc(84 + 50 * faces.length);
  bytes.writeUInt32LE(faces.length, 80);
  faces.forEach((face, i) =>
    face.forEach((corner, k) =>
      corners[corner].forEach((value, axis) => bytes.writeFloatLE(value, 84 + 50 * i + 12 + 12 * k + 4 * axis)),
    ),
  );
  return bytes;
}
