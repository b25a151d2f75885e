/** A client of the campaign `soak`: makes one call after the other, and says which of their ends are errors. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { damaged } from './soak-corpus.mjs';

const DAMAGED_SHARE = 0.25;

/** Codes with which a damaged file may fail. */
const OF_DAMAGED = [
  'FILE_MALFORMED',
  'FORMAT_UNSUPPORTED',
  'NO_GEOMETRY',
  'REFERENCE_MISSING',
  'LIMIT_EXCEEDED',
  'TIMEOUT',
  'WORKER_FAILED',
  'HTTP 415',
  'HTTP 422',
];
/** A file may be none that has a shape, or not be indexed yet. */
const OF_FILE = ['FILE_UNKNOWN', 'FILE_NOT_INDEXED', 'NO_GEOMETRY', 'REFERENCE_MISSING'];

export class SoakClient {
  /** Calls made. */
  done = 0;
  #number = 0;
  #setting;

  constructor(setting) {
    this.#setting = setting;
  }

  /** Makes calls until `over()`. */
  async run(over) {
    while (!over()) {
      const { what, work, damagedFile, allowed, files = [] } = this.#next();
      const started = performance.now();
      try {
        const answer = await work();
        if (damagedFile !== undefined && answer?.state === 'failed')
          this.#code(what, answer.code, damagedFile ? OF_DAMAGED : [], answer.message);
      } catch (cause) {
        if (over()) return;
        // A file that was replaced or deleted meanwhile may have ended in any way.
        const steady = files.every((file) => file.sound && this.#setting.shared.files.get(file.path) === file);
        this.#code(what, cause.code ?? String(cause), steady ? allowed : [...allowed, ...OF_DAMAGED], cause.message);
      }
      this.#counted(what, performance.now() - started);
    }
  }

  #next() {
    const { random, shared, http } = this.#setting;
    const drawn = random();
    const file = this.#stored();
    if (file === undefined || drawn < 0.3) return this.#put();
    const own = this.#stored(({ path }) => path.startsWith(`${this.#setting.name}/`));
    if (own !== undefined && (shared.files.size > shared.most || drawn < 0.33)) return this.#remove(own);
    return http ? this.#overHttp(file) : this.#byApi(file);
  }

  /** A file of the library. */
  #stored(wanted = () => true) {
    const { random, shared } = this.#setting;
    const known = [...shared.files.values()].filter(wanted);
    return known[Math.floor(known.length * random())];
  }

  #put() {
    const { name, random, corpus, shared, http, host, folder, url } = this.#setting;
    const { file, extension, model } = corpus[Math.floor(corpus.length * random())];
    const isDamaged = random() < DAMAGED_SHARE;
    const own = (one) => one.extension === extension && one.path.startsWith(`${name}/`);
    const old = random() < 0.2 ? this.#stored(own) : undefined;
    if (old !== undefined) shared.files.delete(old.path);
    const path = old?.path ?? `${name}/${++this.#number}${extension}`;
    let source = file;
    if (isDamaged) {
      source = join(folder, 'damaged', `${name}-${this.#number % 50}${extension}`);
      writeFileSync(source, damaged(file, random));
    }
    const keep = (uid) => shared.files.set(path, { path, uid, extension, model, sound: !isDamaged });
    const work = async () => {
      if (!http) {
        const options = {
          attributes: [`n=${this.#number % 30}`, 'Length(mm)=4'],
          indexAssemblyComponents: random() < 0.3,
        };
        const answer = await host.ask('company', { method: 'put', args: [path, source, options] });
        keep(answer.uid);
        return answer;
      }
      const bytes = readFileSync(source);
      if (bytes.length < 1_024) return undefined;
      const query = `file=${encodeURIComponent(path)}&isSearchInput=false`;
      const { status, text } = await asked(`${url}/FileBinary?${query}`, { method: 'PUT', body: bytes });
      // 415 and 422 say that the file is stored and cannot be read.
      const uid = status < 300 ? text.replaceAll('"', '') : JSON.parse(text).fileUID;
      if (uid === undefined) throw Object.assign(new Error(text), { code: `HTTP ${status}` });
      keep(uid);
      return status < 300 ? {} : { state: 'failed', code: `HTTP ${status}`, message: `${path} ${text}` };
    };
    const way = http ? 'PUT FileBinary' : 'put';
    return { what: `${way}${isDamaged ? ' damaged' : ''}`, work, damagedFile: isDamaged, allowed: ['FILE_UNKNOWN'] };
  }

  #remove(file) {
    const { shared, http, host, url } = this.#setting;
    shared.files.delete(file.path);
    const work = () =>
      http
        ? this.#fetched(`${url}/File?fileUID=${file.uid}`, { method: 'DELETE' })
        : host.ask('company', { method: 'delete', args: [file.uid] });
    return { what: http ? 'DELETE File' : 'delete', work, allowed: ['FILE_UNKNOWN', 'HTTP 404'] };
  }

  #byApi(file) {
    const { random, host } = this.#setting;
    const { uid } = file;
    const model = this.#stored((one) => one.model && one.sound) ?? file;
    const other = this.#stored((one) => one.model && one.sound) ?? file;
    const corpusFile = this.#corpusModel();
    const ask = (method, ...args) => [method, () => host.ask('company', { method, args })];
    const calls = [
      ask('search', { like: { uid }, limit: 20 }),
      ask('search', { like: { bytes: { file: corpusFile }, extension: extensionOf(corpusFile) }, components: true }),
      ask('search', { text: ['do*'], facets: true, limit: 50 }),
      ask('search', { attributes: [{ name: 'n', equals: '7' }] }),
      ask('thumbnail', uid, { size: 200 + Math.floor(3 * random()) * 100 }),
      ask('pageImage', uid, { width: 600 }),
      ask('text', uid),
      ask('pmi', uid),
      ask('list', { limit: 100 }),
      ask('bytes', uid),
      ask('model', model.uid),
      ask('deviations', model.uid, other.uid, { samples: 2_000 }),
      ask('convertFiles', [{ name: basename(corpusFile), bytes: { file: corpusFile } }], { to: 'stl' }),
      ask('convertFiles', [{ name: basename(corpusFile), bytes: { file: corpusFile } }], { to: 'step' }),
      ask('setAttributes', uid, [`n=${Math.floor(30 * random())}`]),
      ask('shapelets', uid),
      ask('assemblies.holding', { uid: model.uid }),
    ];
    const [what, work] = calls[Math.floor(calls.length * random())];
    return { what, work, allowed: OF_FILE, files: [file, model, other] };
  }

  #overHttp(file) {
    const { uid } = file;
    const { random, url } = this.#setting;
    const get = (name, query, headers = {}) => [
      `GET ${name}`,
      () => this.#fetched(`${url}/${name}?${query}`, { headers }),
    ];
    const picture = { Accept: 'image/*' };
    const searchFile = this.#corpusModel();
    const calls = [
      get('Search', `filterStr=fileUID%3D${uid}`),
      get('Search', 'filterStr=FT%3Ddocument'),
      get('File', `fileUID=${uid}`),
      get('FileStatus', `fileUID=${uid}`),
      get('Image', `fid=${uid}&type=1&token=bearer`, picture),
      get('PMIData', `fileUID=${uid}`),
      get('FileAttributes', ''),
      get('FileCount', ''),
      [
        'PUT FileBinary input',
        () =>
          this.#fetched(`${url}/FileBinary?file=.${extensionOf(searchFile)}`, {
            method: 'PUT',
            body: readFileSync(searchFile),
          }),
      ],
    ];
    const [what, work] = calls[Math.floor(calls.length * random())];
    return { what, work, allowed: ['HTTP 404', 'HTTP 409'], files: [file] };
  }

  #corpusModel() {
    const { corpus, random } = this.#setting;
    const models = corpus.filter(({ file, model }) => model && readFileSync(file).length >= 1_024);
    return models[Math.floor(models.length * random())].file;
  }

  async #fetched(url, init) {
    const { status, text } = await asked(url, init);
    if (status >= 300) throw Object.assign(new Error(`${url} ${text}`), { code: `HTTP ${status}` });
    return undefined;
  }

  #code(what, code, allowed, message = '') {
    const { shared } = this.#setting;
    if (allowed.includes(code)) {
      shared.codes.set(code, (shared.codes.get(code) ?? 0) + 1);
    } else shared.found(`${what}: ${code} ${message}`.slice(0, 500));
  }

  #counted(what, ms) {
    this.done++;
    const counted = this.#setting.shared.counts.get(what) ?? { count: 0, ms: 0 };
    this.#setting.shared.counts.set(what, { count: counted.count + 1, ms: counted.ms + ms });
  }
}

function extensionOf(file) {
  return file.slice(file.lastIndexOf('.') + 1);
}

async function asked(url, init) {
  // A connection that the server has just closed for being idle would make an upload fail.
  const headers = { 'Content-Type': 'application/octet-stream', Connection: 'close', ...init.headers };
  const response = await fetch(url, { ...init, headers });
  return { status: response.status, text: await response.text() };
}
