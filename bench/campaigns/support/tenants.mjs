/**
 * Two companies with everything that a company can hold, and words and UIDs of each (canaries) that must never appear
 * in an answer to somebody else; and everybody who sends requests to them.
 */
import { createHash } from 'node:crypto';
import { Engine } from '../../../dist/index.js';
import { createHandler } from '../../../dist/http/index.js';
import { threeMf } from '../bombs/packages.mjs';

export const OPERATOR_KEY = 'campaign-operator-key';
export const PASSWORD = 'campaign';
const sha1 = (text) => createHash('sha1').update(text).digest();
const sleepless = { firstName: 'First', lastName: 'Last', passwordDigest: sha1(PASSWORD) };

/** Parts in a binary STL whose header holds a word: a box and a smaller one beside it, of more than 1 024 bytes. */
export function stlOf(word, [x, y, z]) {
  const triangles = [];
  for (const [dx, s] of [
    [0, 1],
    [2 * x, 0.5],
  ]) {
    const corner = (i) => [dx + (i & 1 ? s * x : 0), i & 2 ? s * y : 0, i & 4 ? s * z : 0];
    for (const [a, b, c, d] of [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ])
      triangles.push([a, b, c].map(corner), [a, c, d].map(corner));
  }
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.write(word);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((triangle, t) =>
    triangle.flat().forEach((value, i) => bytes.writeFloatLE(value, 84 + 50 * t + 12 + 4 * i)),
  );
  return new Uint8Array(bytes);
}

const textOf = (word) => new TextEncoder().encode(`steel plate, ${word}, thickness 12 mm. `.repeat(40));
const drawingOf = (word) =>
  new TextEncoder().encode(
    ['0', 'SECTION', '2', 'ENTITIES']
      .concat(['0', 'LINE', '8', '0', '10', '0', '20', '0', '11', '60', '21', '40'])
      .concat(['0', 'LINE', '8', '0', '10', '60', '20', '40', '11', '60', '21', '0'])
      .concat(['0', 'TEXT', '8', '0', '10', '5', '20', '5', '40', '3', '1', word])
      .concat(['0', 'ENDSEC', '0', 'EOF'])
      .join('\n') + '\n'.repeat(1_100),
  );

/** An assembly of two parts, one of them twice, whose names hold a word. */
function assemblyOf(word) {
  const mesh = (x, y, z) => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0]);
    const sides = ['023', '031', '457', '476', '015', '054', '267', '273', '046', '062', '137', '175'];
    return (
      `<mesh><vertices>${corners.map(([a, b, c]) => `<vertex x="${a}" y="${b}" z="${c}"/>`).join('')}</vertices>` +
      `<triangles>${sides.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('')}</triangles></mesh>`
    );
  };
  const object = (id, name, content) => `<object id="${id}" type="model" name="${name}">${content}</object>`;
  const placed = (id, at) => `<component objectid="${id}" transform="1 0 0 0 1 0 0 0 1 ${at} 0 0"/>`;
  const parts = object(1, `${word} block`, mesh(10, 20, 30)) + object(2, `${word} rod`, mesh(2, 2, 80));
  const whole = object(3, `${word} pump`, `<components>${placed(1, 0)}${placed(2, 50)}${placed(2, 90)}</components>`);
  return threeMf(
    '<?xml version="1.0"?><model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">' +
      `<resources>${parts}${whole}</resources><build><item objectid="3"/></build></model>`,
  );
}

const isAssembly = (path) => path.endsWith('.3mf');

/** A company, its files and people; `word` is its canary. */
async function tenant(engine, name, word) {
  const { accounts } = engine;
  const { uid } = await accounts.addCompany(name);
  await accounts.setProfile(name, { name: `The ${word} company` });
  await accounts.mapDomain(`${name}.example`, name);
  const company = await engine.company(name);
  const files = [
    { path: `${word}/bracket.stl`, bytes: stlOf(word, [10, 20, 30]) },
    { path: `${word}/plate.stl`, bytes: stlOf(word, [40, 20, 3]) },
    { path: `${word}/note.txt`, bytes: textOf(word) },
    { path: `${word}/drawing.dxf`, bytes: drawingOf(word) },
    { path: `${word}/pump.3mf`, bytes: assemblyOf(word) },
  ];
  for (const file of files) {
    const options = { attributes: [`Material=${word}`], indexAssemblyComponents: isAssembly(file.path) };
    file.uid = (await company.put(file.path, file.bytes, options)).uid;
  }
  const components = (await company.components(files.at(-1).uid)).map(({ uid: of }) => of);
  if (components.length < 2) throw new Error('the assembly has no components');
  await company.categories.add(`${word} category`);
  const people = {};
  for (const role of ['member', 'other', 'admin']) {
    const email = `${role}@${name}.example`;
    const user = await accounts.addUser({
      ...sleepless,
      email,
      company: name,
      lastName: word,
      role: role === 'admin' ? 'admin' : 'member',
    });
    const { accessToken } = await accounts.grantPassword({ email, passwordDigest: sha1(PASSWORD) });
    const own = `${word}${role}own`;
    const input = await company.putInput(textOf(own), { extension: '', name: `${own}.txt`, owner: user.uid });
    const served = await engine.served(name);
    const rfq = await served.putRfq(
      { id: `rfq-${own}`, fileName: `${own}.stl`, bytes: stlOf(own, [9, 8, 7]) },
      { owner: user.uid },
    );
    await accounts.saveSearch(user.uid, { name: own, query: `FT=${own}` });
    const { key } = await accounts.keys.add({ user: user.uid, name: `${own} robot`, current: sha1(PASSWORD) });
    people[role] = { key, email, user, token: accessToken, own, input: input.uid, rfqInput: rfq.fileUid, rfq: rfq.id };
  }
  const { uid: plain } = await company.putInput(textOf('plain'), { extension: '', name: 'plain.txt' });
  const waiting = { email: `waiting@${name}.example`, token: '' };
  waiting.token = (await accounts.signUp({ ...sleepless, email: waiting.email })).uid;
  return { name, word, uid, company, files, components, people, plain, waiting };
}

/** Opens a library with both companies; `host` answers, `identities` send. */
export async function openTenants(folder) {
  let operator;
  const engine = await Engine.open(folder, { workers: 2, accounts: { scryptCost: 1_024, waitingUsersPerCompany: 30 } });
  const alpha = await tenant(engine, 'alpha', 'alphaquartz');
  const beta = await tenant(engine, 'beta', 'betafeldspar');
  await engine.idle();
  const { accounts } = engine;
  const { uid } = await accounts.addUser({ ...sleepless, email: 'operator@host.example', role: 'operator' });
  operator = { kind: 'user', userUid: uid, companyName: 'alpha', role: 'operator', tokenId: 'key' };
  const client = await accounts.addClient({ company: 'alpha' });
  const app = await accounts.grantClient({ clientId: client.id, clientSecret: client.secret });
  const expired = await accounts.grantPassword({ email: alpha.people.admin.email, passwordDigest: sha1(PASSWORD) });
  await accounts.revoke(expired.accessToken);
  const errors = [];
  const handler = createHandler(engine, {
    mcp: 'write',
    authenticate: async (request) =>
      request.headers.get('authorization') === `Bearer ${OPERATOR_KEY}` ? operator : undefined,
    log: (entry) => {
      if (entry.status >= 500) errors.push(entry);
    },
  });
  const person = (tenant, role) => ({ name: `${tenant.name} ${role}`, tenant, role, token: tenant.people[role].token });
  const identities = [
    { name: 'none' },
    { name: 'expired', token: expired.accessToken },
    { name: 'image token', imageOf: alpha.files[0].uid },
    { name: 'waiting sign-up', token: alpha.waiting.token },
    { name: 'app', tenant: alpha, role: 'app', token: app.accessToken },
    ...[alpha, beta].flatMap((tenant) => [person(tenant, 'member'), person(tenant, 'admin')]),
    person(alpha, 'other'),
    { ...person(alpha, 'member'), name: "a key of alpha's member", token: alpha.people.member.key },
    { name: 'operator key', role: 'operator', token: OPERATOR_KEY },
  ];
  return { engine, handler, errors, alpha, beta, identities };
}

/** What must not appear in an answer to this sender. */
export function canariesFor({ tenant, role }, { alpha, beta }) {
  if (role === 'operator') return [];
  return [alpha, beta].flatMap((one) => {
    const { word, uid, files, components, people, waiting } = one;
    const inputs = Object.values(people).flatMap(({ own, input, rfqInput }) => [own, input, rfqInput]);
    if (one !== tenant) {
      const users = Object.values(people).flatMap(({ email, user }) => [email, user.uid]);
      return [word, uid, ...files.map((file) => file.uid), ...components, ...inputs, ...users, waiting.email];
    }
    if (role === 'admin') return []; // Admins see all inputs and requests of their company.
    return Object.entries(people).flatMap(([of, { own, input, rfqInput }]) =>
      of === role ? [] : [own, input, rfqInput],
    );
  });
}

/** Puts back what requests have deleted. */
export async function restock({ alpha, beta }) {
  for (const { company, files, people } of [alpha, beta]) {
    for (const { uid, path, bytes } of files) {
      const known = await company.get(uid).catch(() => undefined);
      if (known !== undefined) continue;
      await company.put(path, bytes, { uid, overwrite: false, wait: false, indexAssemblyComponents: isAssembly(path) });
    }
    for (const { input, own, user } of Object.values(people)) {
      if ((await company.input(input)) !== undefined) continue;
      const name = `${own}.txt`;
      await company.putInput(textOf(own), { extension: '', name, uid: input, owner: user.uid, wait: false });
    }
  }
}
