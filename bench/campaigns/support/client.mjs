/** A client that makes calls drawn from a seed on subjects of its own, one after the other. */
import { KINDS, contentOf } from './contents.mjs';
import { inputUid, OWNER } from './calls.mjs';
import { Gone, Refused } from './host-process.mjs';

/** What a client may ask over HTTP. */
const OVER_HTTP = ['put', 'delete', 'attributes'];

export class Client {
  #name;
  #random;
  #made = 0;

  /** @param {string} name begins the names of its files @param {() => number} random @param {boolean} http */
  constructor(name, random, http) {
    this.#name = name;
    this.#random = random;
    this.http = http;
  }

  /** The next call. @param {import('./expected.mjs').Expected} expected */
  next(expected) {
    const files = expected.present(`${this.#name}-`);
    const file = files[Math.floor(files.length * this.#random())];
    const drawn = this.#random();
    if (file === undefined || drawn < 0.45) return this.#put(`${this.#name}-${++this.#made}`);
    const { path } = expected.stateOf(file);
    if (drawn < 0.6) return { ...this.#put(file), path, kind: path.slice(path.lastIndexOf('.') + 1) };
    if (drawn < 0.75) return { name: file, call: 'delete' };
    if (drawn < 0.85 || this.http) return { name: file, call: 'attributes', attributes: this.#attributes() };
    if (drawn < 0.9) {
      const kind = path.slice(path.lastIndexOf('.') + 1);
      return { name: file, call: 'rename', path: `renamed/${file}-${++this.#made}.${kind}` };
    }
    return drawn < 0.95 ? this.#input(expected) : this.#fact(expected);
  }

  #put(name) {
    const kind = this.http ? 'txt' : KINDS[Math.floor(KINDS.length * this.#random() ** 1.5)];
    const attributes = this.#random() < 0.6 ? this.#attributes() : undefined;
    const number = Math.floor(1e6 * this.#random());
    return { name, call: 'put', path: `${name}.${kind}`, kind, number, attributes, wait: this.#random() < 0.15 };
  }

  #attributes() {
    return [`n=${Math.floor(100 * this.#random())}`, `Length(mm)=${(50 * this.#random()).toFixed(2)}`];
  }

  #input(expected) {
    const inputs = expected.present(`input-${this.#name}-`);
    const drawn = this.#random();
    if (inputs.length > 0 && drawn < 0.5)
      return { name: inputs[Math.floor(2 * drawn * inputs.length)], call: 'delete' };
    const kind = drawn < 0.75 ? 'stl' : 'txt';
    const number = Math.floor(1e6 * this.#random());
    return { name: `input-${this.#name}-${++this.#made}`, call: 'input', kind, number, wait: false };
  }

  #fact(expected) {
    const subject = ['category', 'user', 'company', 'search'][Math.floor(4 * this.#random())];
    const owner = `user:${OWNER}`;
    const makesOwner = this.#name === 'a0' && expected.stateOf(owner) === undefined;
    if (makesOwner) return { name: owner, call: 'fact', value: true };
    const known = expected.present(`${subject}:${this.#name}-`);
    if (subject !== 'company' && known.length > 0 && this.#random() < 0.5)
      return { name: known[0], call: 'fact', value: undefined };
    const name = `${subject}:${this.#name}-${++this.#made}`;
    if (subject === 'user') return { name: `${name}@campaign.example`, call: 'fact', value: true };
    if (subject !== 'search') return { name, call: 'fact', value: true };
    // Saved searches need their owner, who may not be there yet.
    if (expected.stateOf(owner) !== true)
      return { name: `category:${this.#name}-${this.#made}`, call: 'fact', value: true };
    return { name, call: 'fact', value: `q=${this.#made}` };
  }
}

/**
 * Makes a call, of the engine by the pipe or over HTTP, and tells `expected` how it ended.
 * @returns {Promise<{ answer?: object, refused?: string, gone?: true }>}
 */
export async function make(call, { host, url, http, expected, uids }) {
  expected.begin(call);
  try {
    const answer =
      http && OVER_HTTP.includes(call.call) ? await overHttp(url, call, uids) : await host.ask('call', { call });
    if (call.call === 'put') uids.set(call.name, answer.uid);
    expected.acknowledge(call.name);
    return { answer };
  } catch (cause) {
    if (cause instanceof Gone) return { gone: true };
    expected.refuse(call.name);
    if (cause instanceof Refused) return { refused: `${cause.code} ${cause.message}` };
    throw cause;
  }
}

async function overHttp(url, { name, call, path, kind, number, attributes }, uids) {
  const fileUID = uids.get(name) ?? inputUid(name);
  if (call === 'delete') return asked(`${url}/File?fileUID=${fileUID}`, { method: 'DELETE' });
  if (call === 'attributes') {
    const headers = { 'Content-Type': 'application/json' };
    return asked(`${url}/FileAttributes?fileUID=${fileUID}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(attributes),
    });
  }
  const given = attributes === undefined ? '' : `&attributes=${encodeURIComponent(attributes.join('&'))}`;
  const query = `file=${encodeURIComponent(path)}&isSearchInput=false${given}`;
  const headers = { 'Content-Type': 'application/octet-stream' };
  const body = contentOf(kind, number);
  return { uid: await asked(`${url}/FileBinary?${query}`, { method: 'PUT', headers, body }) };
}

/** @throws Gone when the connection was cut, Refused when the status is no success. */
async function asked(url, init) {
  let status, text;
  try {
    const response = await fetch(url, init);
    status = response.status;
    text = await response.text();
  } catch (cause) {
    throw new Gone(String(cause));
  }
  if (status >= 300) throw new Refused(`HTTP ${status}`, text);
  return text;
}
