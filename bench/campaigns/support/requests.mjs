/** Requests made from the OpenAPI document: parameters that fit, of another company, of any kind, missing; any body. */
import { createHash } from 'node:crypto';
import { PASSWORD, stlOf } from './tenants.mjs';

const sha1 = createHash('sha1').update(PASSWORD).digest();
const NOWHERE = '00000000-0000-4000-8000-000000000000';
/** The beginning of a PNG, which is enough for a logo. */
const LOGO = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const NASTY = ['', '0', '-1', 'null', 'NaN', 'true', '\u0000', '../..', 'a'.repeat(3_000), "'; DROP TABLE file;--"]
  .concat([
    '<script>',
    '__proto__',
    'constructor',
    '\r\nX: y',
    '9'.repeat(30),
    '1e999',
    '{}',
    '[]',
    '&a=b',
    NOWHERE,
    'fileUID=',
    '*',
  ])
  .concat(['\u{1f600}', '.zip', 'x.step.ifz', '%']);

/** Operations that take many kinds of messages, and how many times as often they are drawn as the others. */
const TIMES = { '/mcp': 12, '/Find': 3, '/FindFile': 3 };

/** Who signs out sends nothing any more; there is no identity provider here. */
const LEFT_OUT = new Set(['/Session', '/OpenId']);

/** All operations of the document but those. */
export function operationsOf({ paths }) {
  return Object.entries(paths)
    .filter(([path]) => !LEFT_OUT.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        Array.from({ length: TIMES[path] ?? 1 }, () => ({ path, method: method.toUpperCase(), operation })),
      ),
    );
}

/** Whether a text is kept and comes back in later answers: then it is no canary. */
function isStored(method, path, name) {
  return (
    ['path', 'name', 'fileName'].includes(name) &&
    (method === 'PUT' || path === '/CustomProductCategory') &&
    path !== '/FileAttributes'
  );
}

/** Draws one request; `random` gives numbers from 0 to 1. */
export class RequestMaker {
  #random;
  #uids;
  #tenants;

  constructor(random, { alpha, beta }) {
    this.#random = random;
    this.#tenants = [alpha, beta];
    this.#uids = this.#tenants.flatMap(({ files, components, people }) => [
      ...files.map(({ uid }) => uid),
      ...components,
      ...Object.values(people).flatMap(({ input, rfqInput }) => [input, rfqInput]),
    ]);
  }

  /** `identity` sends it. */
  make({ path, method, operation }, identity) {
    const query = {};
    for (const { name, schema, required } of operation.parameters ?? []) {
      if (!required && this.#chance(0.5)) continue;
      if (required && this.#chance(0.03)) continue;
      const value = this.#value(name, schema, `${method} ${path}`);
      query[name] = this.#chance(0.06) ? this.#of(NASTY) : isStored(method, path, name) ? this.#ownName() : value;
    }
    if (path === '/Image' && identity.imageOf !== undefined) {
      query.token = identity.imageToken;
      if (this.#chance(0.5)) query.fid = identity.imageOf;
    }
    // A kept input is everybody's, so its owner and admins keep one that is no canary.
    if (path === '/KeptInput' && query.fileUID !== undefined && this.#mayKeep(identity, query.fileUID))
      query.fileUID = (identity.tenant ?? this.#of(this.#tenants)).plain;
    const { body, type } = this.#body(Object.keys(operation.requestBody?.content ?? {})[0], `${method} ${path}`);
    const headers = {};
    if (type !== undefined) headers['Content-Type'] = type;
    if (identity.token !== undefined) headers.Authorization = `Bearer ${identity.token}`;
    if (path === '/mcp') headers.Accept = 'application/json, text/event-stream';
    if (this.#chance(path === '/mcp' ? 0.1 : 0.3))
      headers.Accept = this.#of(['application/json', 'text/plain', 'image/png', '*/*;q=0']);
    const search = new URLSearchParams(query).toString();
    const prefix = this.#chance(0.5) ? '/api' : '';
    return {
      method,
      url: `http://localhost${prefix}${path}${search === '' ? '' : `?${search}`}`,
      headers,
      body,
      query,
    };
  }

  #mayKeep({ tenant, role }, uid) {
    if (role === 'operator' || role === 'admin') return true;
    const person = tenant?.people[role];
    return person !== undefined && [person.input, person.rfqInput].includes(uid);
  }

  #chance(share) {
    return this.#random() < share;
  }

  #of(list) {
    return list[Math.floor(this.#random() * list.length)];
  }

  #value(name, { type, minimum, maximum, enum: words }, operation) {
    if (words !== undefined) return String(this.#of(words));
    const tenant = this.#of(this.#tenants);
    const uid = this.#of(this.#uids);
    const person = this.#of(Object.values(tenant.people));
    switch (name) {
      case 'fileUID':
      case 'otherUID':
      case 'queryUID':
      case 'fid':
      case 'targetFids':
      case 'inputFileUID':
      case 'from':
        return this.#chance(0.1) ? NOWHERE : uid;
      case 'uids':
        return [uid, this.#of(this.#uids)].join();
      case 'uid':
        // Companies have UIDs of their own: one of another company would be a new file here, and no canary any more.
        return NOWHERE;
      case 'query':
        return this.#query();
      case 'filterStr':
        return this.#of([
          `fileUID=${uid}`,
          'FT=steel',
          `FT=${tenant.word}`,
          `fileUID=${uid}&v=.5&resultFileType=ThreeD`,
        ]);
      case 'accountName':
      case 'companyID':
        return this.#of([tenant.name, tenant.uid, 'nobody']);
      case 'companyId':
        return this.#of([tenant.uid, NOWHERE]);
      case 'emailID':
      case 'username':
        if (/UserApproval/.test(operation)) return `new${Math.floor(this.#random() * 20)}@${tenant.name}.example`;
        if (/PUT .*User/.test(operation)) return `new${Math.floor(this.#random() * 20)}@${tenant.name}.example`;
        return this.#of([person.email, tenant.waiting.email, 'nobody@else.example']);
      case 'password':
        return /Token/.test(operation) ? sha1.toString('hex') : sha1.toString('base64');
      case 'grant_type':
        return this.#of(['password', 'password', 'refresh_token', 'client_credentials', 'magic']);
      case 'rfqId':
        return this.#of([person.rfq, 'mine', 'nothing']);
      case 'id':
        return NOWHERE;
      case 'file':
        return this.#of(['.stl', '.txt', '.stl', 'shared/part.stl', 'shared/note.txt', '.zip', '.pdf']);
      case 'path':
      case 'name':
        return this.#of(['shared/part.stl', 'note.txt', 'part.stl', `${tenant.word}/bracket.stl`]);
      case 'fileName':
        return this.#of([`${tenant.word}/bracket.stl`, 'shared/part.stl', 'a.stl']);
      case 'fileNames':
        return this.#of(['a.stl', 'a.stl,b.stl']);
      case 'conversionExtension':
        return this.#of(['stl', 'step']);
      case 'overwriteFile':
        return 'true';
      case 'faces':
        return this.#of(['0', '0-3,5', '9999']);
      case 'withinMs':
        return '50';
      case 'ids':
        return String(Math.floor(this.#random() * 20));
      case 'attribute':
        return 'Material';
      case 'attributes':
        return 'Material=steel';
      case 'queryStr':
      case 'words':
        return 'steel';
      case 'feedbackId':
        return NOWHERE;
    }
    if (type === 'boolean') return this.#of(['true', 'false']);
    if (type === 'integer') {
      const least = minimum ?? 0;
      return String(least + Math.floor(this.#random() * (Math.min(maximum ?? 20, least + 20) - least + 1)));
    }
    return this.#of(['a', 'Material', 'part']);
  }

  /** JSON of a query in the engine's own names. */
  #query() {
    const tenant = this.#of(this.#tenants);
    const uid = this.#of(this.#uids);
    return JSON.stringify(
      this.#of([
        { like: { uid }, limit: 5 },
        { text: this.#of(['steel', tenant.word, 'plate']) },
        { like: { uid }, within: [this.#of(this.#uids)] },
        { like: [{ uid }, { uid: this.#of(this.#uids) }] },
        { contains: { uid } },
        { contains: { uid, faces: [Math.floor(this.#random() * 12)] }, sizes: 'any' },
        { kinds: ['Text'], attributes: [{ name: 'Material', equals: tenant.word }] },
        { like: { path: '/etc/passwd' } },
      ]),
    );
  }

  /** A message to the tools for agents, about files of either company. */
  #message() {
    const uid = this.#of(this.#uids);
    const tenant = this.#of(this.#tenants);
    const [method, params] = this.#of([
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/read', { uri: `shapedex://${this.#of(['file', 'picture', 'text', 'etc'])}/${uid}` }],
      ...Array.from({ length: 4 }, () => ['tools/call', this.#call(uid, tenant)]),
      [this.#of(NASTY), { name: this.#of(NASTY) }],
    ]);
    return { jsonrpc: '2.0', id: 1, method, params };
  }

  /** A call of a tool. */
  #call(uid, tenant) {
    const part = this.#of([uid, uid, `${tenant.word}/bracket.stl`, this.#of(NASTY)]);
    const upload = { name: 'part.stl', base64: Buffer.from(this.#bytes()).toString('base64') };
    const named = this.#chance(0.8) ? { part } : { upload };
    const [name, given] = this.#of([
      ['search_parts', { words: this.#of(['steel', tenant.word, 'plate']) }],
      ['search_parts', { conditions: [`Material=${tenant.word}`] }],
      ['find_similar', { ...named, contains: this.#chance(0.5) }],
      ['find_by_drawing', named],
      ['compare_parts', { ...named, second: this.#of(this.#uids) }],
      ['get_part', { part }],
      ['get_pmi', named],
      ['where_used', named],
      ['shared_parts', { part }],
      ['duplicates_report', this.#chance(0.5) ? { part } : {}],
      ['list_attributes', this.#of([{}, { name: 'Material' }])],
      ['add_file', { path: this.#ownName(), upload }],
      ['set_attributes', { part, attributes: ['Material=steel'] }],
    ]);
    const odd = this.#chance(0.05) ? { [this.#of(NASTY)]: this.#of(NASTY) } : {};
    return { name, arguments: { ...given, ...odd } };
  }

  #ownName() {
    return this.#of(['shared/part.stl', 'note.txt', 'part.stl']);
  }

  #body(kind, name) {
    if (name.startsWith('GET ') || (kind === undefined && !this.#chance(0.02)) || this.#chance(0.05)) return {};
    const bytes = this.#bytes();
    if (this.#chance(0.05)) return { body: bytes, type: this.#of(['text/plain', 'application/json', 'x', undefined]) };
    const base64 = Buffer.from(bytes).toString('base64');
    const json = (value) => ({ body: Buffer.from(JSON.stringify(value)), type: 'application/json' });
    if (name === 'POST /mcp' && this.#chance(0.9)) return json(this.#message());
    if (name === 'POST /FindFile' && this.#chance(0.9)) return json(this.#query());
    switch (kind) {
      case 'application/octet-stream':
        return { body: bytes, type: kind };
      case 'application/x-www-form-urlencoded': {
        // Passwords and sign-ins stay: the senders could send nothing any more.
        if (name === 'PUT /Keys') {
          const key = { current: sha1.toString('hex'), name: this.#of(['robot', '', 'a'.repeat(300)]), days: '7' };
          return { body: Buffer.from(new URLSearchParams(key).toString()), type: kind };
        }
        if (name === 'PUT /SignIns') {
          // The password is right, and the sign-in is nobody's.
          const end = { current: sha1.toString('hex'), id: '999999999999' };
          return { body: Buffer.from(new URLSearchParams(end).toString()), type: kind };
        }
        const person = this.#of(Object.values(this.#of(this.#tenants).people));
        const fields = { grant_type: 'password', username: person.email, password: sha1.toString('hex') };
        return { body: Buffer.from(new URLSearchParams(fields).toString()), type: kind };
      }
      default: {
        const values = [base64, base64, LOGO, JSON.stringify([base64]), ['Material=steel'], 'a=1', {}, null, 7];
        return json(this.#of(values));
      }
    }
  }

  #bytes() {
    const size = [1, 2, 3].map(() => 5 + Math.floor(this.#random() * 4));
    const part = stlOf('part', size);
    if (this.#chance(0.2)) part[Math.floor(this.#random() * part.length)] ^= 255;
    return this.#of([part, part, Buffer.from('steel plate 12 mm. '.repeat(80)), Buffer.alloc(1_500, 'x')]);
  }
}
