/** Carries out calls of `Expected` on an open library, and says what a library holds in the words of `Expected`. */
import { createHash } from 'node:crypto';
import { contentOf, sha256 } from './contents.mjs';

const SETTINGS = ['useNumericTextSearch', 'usesFileTextForSearch'];

/** The user who owns the saved searches. */
export const OWNER = 'owner@campaign.example';

/** UID of a search input, from its name. */
export function inputUid(name) {
  const hex = createHash('md5').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Carries out a call. `uids` knows the UIDs of the files by name, and learns them from puts.
 * @param {{ engine: import('../../../dist/index.js').Engine, company: import('../../../dist/index.js').Company }} library
 * @param {Parameters<import('./expected.mjs').Expected['begin']>[0] & { wait?: boolean }} call
 * @param {Map<string, string>} uids
 */
export async function carryOut(library, call, uids) {
  const { company } = library;
  const { name, path, kind, number, attributes, wait = true } = call;
  if (call.call === 'put') {
    const record = await company.put(path, contentOf(kind, number), { attributes, wait });
    uids.set(name, record.uid);
    return record;
  }
  if (call.call === 'input')
    return company.putInput(contentOf(kind, number), { extension: kind, uid: inputUid(name), wait });
  if (call.call === 'delete') return company.delete(uids.get(name) ?? inputUid(name));
  if (call.call === 'attributes') return company.setAttributes(uids.get(name), attributes);
  if (call.call === 'rename') return company.rename(uids.get(name), path);
  return setFact(library, name, call.value);
}

async function setFact({ engine, company }, name, value) {
  const [subject, ...rest] = name.split(':');
  const key = rest.join(':');
  const { accounts } = engine;
  if (subject === 'setting') return company.settings.set({ [key]: value === undefined });
  if (subject === 'company') return engine.company(key);
  if (subject === 'user') return value === undefined ? accounts.removeUser(key) : addUser(engine, key, company.name);
  if (subject === 'category') {
    if (value !== undefined) return company.categories.add(key);
    const found = (await company.categories.list()).find((category) => category.name === key);
    return found === undefined ? undefined : company.categories.remove(found.id);
  }
  const { uid } = await accounts.user(OWNER);
  if (value !== undefined) return accounts.saveSearch(uid, { name: key, query: value });
  const found = (await accounts.savedSearches(uid)).find((search) => search.name === key);
  return found === undefined ? undefined : accounts.removeSavedSearch(uid, found.id);
}

function addUser({ accounts }, email, company) {
  return accounts.addUser({
    email,
    firstName: 'A',
    lastName: 'B',
    passwordDigest: createHash('sha1').update(email).digest(),
    company,
    role: 'member',
  });
}

/** Everything that a library holds: files with the hash of their bytes as read, the named search inputs, facts. */
export async function heldBy({ engine, company }, inputNames) {
  const files = [];
  for (const record of await allRecords(company)) {
    const { path, uid, attributes, state, error } = record;
    const found = sha256(await company.bytes(uid));
    files.push({ path, uid, sha256: record.sha256, found, attributes: [...attributes], state, code: error?.code });
  }
  const inputs = {};
  for (const name of inputNames) {
    const record = await company.input(inputUid(name));
    if (record !== undefined) inputs[name] = sha256(await company.bytes(record.uid));
  }
  return { files, inputs, facts: await factsOf({ engine, company }) };
}

async function factsOf({ engine, company }) {
  const { accounts } = engine;
  const settings = await company.settings.get();
  const users = await accounts.users(company.name);
  const owner = users.find(({ email }) => email === OWNER);
  const searches = owner === undefined ? [] : await accounts.savedSearches(owner.uid);
  return Object.fromEntries([
    ...SETTINGS.flatMap((name) => (settings[name] ? [] : [[`setting:${name}`, false]])),
    ...(await company.categories.list()).map(({ name }) => [`category:${name}`, true]),
    ...users.map(({ email }) => [`user:${email}`, true]),
    ...(await engine.companies()).filter((name) => name !== company.name).map((name) => [`company:${name}`, true]),
    ...searches.map(({ name, query }) => [`search:${name}`, query]),
  ]);
}

async function allRecords(company) {
  const records = [];
  for (;;) {
    const page = await company.list({ limit: 1_000, after: records.at(-1)?.path });
    records.push(...page);
    if (page.length < 1_000) return records;
  }
}
