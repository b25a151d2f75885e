/**
 * Requests made from the OpenAPI document, by everybody: does the service fail, or tell one company about another?
 *
 * Two companies hold files, inputs, requests for quotation, saved searches and people, with words and UIDs (canaries)
 * that are in everything of theirs. Senders: nobody, an expired and an image token, somebody who waits to be let in, an
 * app, members and admins of both, a second member, a key for a member's programs, an operator's key. Operation,
 * sender, parameters (also of the other company) and body follow from the seed. Requests go to the handler in this
 * process, some at a time. Some messages to the tools for agents (`/mcp`) change files.
 *
 * Asked: no 5xx but a documented 503, no status or media type that is not documented, no answer with a canary of
 * somebody else that its request did not hold, no token for who waits, nothing unhandled; each operation answers 200 to
 * somebody. A case depends on what those before it left, so `--only N` runs all up to it and prints that one.
 */
import { join } from 'node:path';
import { mulberry32 } from '../parts/reference/kit.mjs';
import { figure } from './frame.mjs';
import { operationsOf, RequestMaker } from './support/requests.mjs';
import { canariesFor, openTenants, restock } from './support/tenants.mjs';

export const DEFAULTS = { seed: 1, count: 50_000 };

/** Their answers tell a person about herself: by the password sent, or as the interface has a sign-up answered. */
const ABOUT_THE_SENDER = new Set(['GET /User', 'PUT /User', 'POST /Token']);
const AT_A_TIME = 8;
const RESTOCK_EVERY = 250;
/** Fewest requests with which each operation should have answered 200 to somebody. */
const ENOUGH = 20_000;

export async function run({ seed, count, only, folder, progress, signal }) {
  const host = await openTenants(join(folder, 'library'));
  const { handler, identities, engine, alpha } = host;
  const unhandled = [];
  const note = (cause) => void unhandled.push(String(cause));
  process.on('unhandledRejection', note);
  const canaries = new Map(identities.map((identity) => [identity, canariesFor(identity, host)]));
  /** By company: what is somebody else's and its people have named in requests. */
  const askedBy = new Map(identities.flatMap(({ tenant }) => (tenant === undefined ? [] : [[tenant, new Set()]])));
  const document = await (await handler(new Request('http://localhost/openapi.json'))).json();
  const operations = operationsOf(document);
  const last = only === undefined ? count : Number(only) + 1;
  const statuses = new Map();
  const reached = new Set();
  const findings = [];
  const found = { failed: 0, undocumented: 0, leaked: 0, letIn: 0 };
  const report = (kind, number, what, details) => {
    found[kind]++;
    findings.push({ what, repeat: `--seed ${seed} --only ${number}`, details });
  };

  const one = async (number) => {
    const random = mulberry32((seed * 1_000_003 + number) >>> 0);
    const operation = operations[Math.floor(random() * operations.length)];
    const identity = identities[Math.floor(random() * identities.length)];
    const { method, url, headers, body, query } = new RequestMaker(random, host).make(operation, identity);
    const client = { address: `192.0.2.${1 + Math.floor(random() * 250)}` };
    const response = await handler(new Request(url, { method, headers, body }), client);
    const bytes = Buffer.from(await response.arrayBuffer());
    const name = `${method} ${operation.path}`;
    const { status } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) reached.add(name);
    const text = bytes.toString('latin1');
    const about = `${identity.name}: ${name} ${status}`;
    const fault = status < 500 ? undefined : host.errors.at(-1)?.error;
    const details = { url, headers, answer: text.slice(0, 500), fault: fault?.stack ?? fault };
    if (String(number) === only) console.error(about, details);
    if (status >= 500 && status !== 503) report('failed', number, `${about}: ${fault?.message ?? fault}`, details);
    const documented = operation.operation.responses[status];
    const type = bytes.length === 0 ? '' : (response.headers.get('content-type')?.split(';')[0] ?? 'none');
    if (documented === undefined || (type !== '' && documented.content?.[type] === undefined))
      report('undocumented', number, `${about} ${type}`, details);
    // What the sender knew already may come back in a message, and admins read what their people asked about.
    const sent = `${decodeURIComponent(url.replaceAll('+', ' '))} ${body === undefined ? '' : Buffer.from(body).toString('latin1')}`;
    const told = `${text} ${JSON.stringify([...response.headers])}`;
    const asked = askedBy.get(identity.tenant);
    for (const canary of canaries.get(identity)) if (sent.includes(canary)) asked?.add(canary);
    const known = name === 'GET /Audit' ? asked : undefined;
    const leak = canaries
      .get(identity)
      .find((canary) => told.includes(canary) && !sent.includes(canary) && known?.has(canary) !== true);
    if (leak !== undefined && !ABOUT_THE_SENDER.has(name)) report('leaked', number, `${about} tells ${leak}`, details);
    if (
      status === 200 &&
      operation.path === '/Token' &&
      sent.includes('waiting@') &&
      query.username?.startsWith('waiting@')
    )
      if (!Buffer.from(body ?? '').includes('username')) report('letIn', number, about, details);
  };

  let next = 0;
  let done = 0;
  try {
    while (next < last && !signal.aborted) {
      await restock(host);
      const image = identities.find(({ imageOf }) => imageOf !== undefined);
      image.imageToken = await engine.accounts.imageToken(alpha.name, image.imageOf);
      const end = Math.min(last, next + RESTOCK_EVERY);
      const turn = async () => {
        while (next < end && !signal.aborted) {
          await one(next++);
          progress(++done, last, `${findings.length} findings`);
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, turn));
    }
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
    await engine.close();
  }

  const names = [...new Set(operations.map(({ method, path }) => `${method} ${path}`))];
  const never = names.filter((name) => !reached.has(name));
  return {
    figures: [
      figure('5xx but a documented 503', found.failed),
      figure('statuses or media types not documented', found.undocumented),
      figure('answers with what is of somebody else', found.leaked),
      figure('tokens for who waits to be let in', found.letIn),
      figure('rejections that nobody handled', unhandled.length),
      ...(done < ENOUGH ? [] : [figure('operations that never answered 200', never.length, { most: 3 })]),
      ...(only === undefined ? [figure('requests', done, { least: count })] : []),
    ],
    rows: [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => ({ what: `status ${status}`, count: times })),
    findings: [...findings, ...unhandled.map((what) => ({ what }))],
    notes: [`${names.length} operations, ${identities.length} senders; never 200: ${never.join(', ') || 'none'}`],
  };
}
