#!/usr/bin/env node
/**
 * Lists every package that users of shapedex get: dependencies, optional ones and peers, with theirs, on every
 * platform, and what is built into the page; with version and licence. Ends with 1 if a licence is unknown or binds the
 * whole program (GPL, AGPL). Libraries under LGPL and MPL may be used, unchanged and replaceable, as npm packages are.
 *
 *   node .ci/licences.mjs [--json] [--lock FILE]
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What may be used, as SPDX names it; a version and `-or-later` or `-only` may follow. */
const ALLOWED =
  /^(MIT|MIT-0|0BSD|ISC|Zlib|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|WTFPL|Python-2\.0|(LGPL|MPL)-\d\.\d(-only|-or-later)?)$/;

/**
 * The packages of a lock file that users get.
 * @param {{ packages: Record<string, { version?: string, license?: string, dev?: boolean, devOptional?: boolean }> }} lock
 * @param {readonly string[]} builtIn names of packages that are built into the page, though they are for development
 */
export function shippedPackages(lock, builtIn = []) {
  const shipped = Object.keys(lock.packages).filter((place) => place !== '' && !lock.packages[place].dev);
  const places = new Set(shipped);
  const add = (name, from) => {
    const place = placeOf(lock, name, from);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    for (const next of Object.keys(lock.packages[place].dependencies ?? {})) add(next, place);
  };
  for (const name of builtIn) add(name, '');
  const packages = [...places].map((place) => {
    const { version = '', license } = lock.packages[place];
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, licence: license ?? licenceIn(place) ?? 'unknown' };
  });
  const distinct = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...distinct.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether a licence, an SPDX expression with AND, OR and brackets, may be used: one side of each OR must be. */
export function mayBeUsed(licence) {
  const tokens = licence.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = () => {
    if (tokens[at] !== '(') return ALLOWED.test(tokens[at++] ?? '');
    at++;
    const inner = either();
    return tokens[at++] === ')' && inner;
  };
  const all = () => {
    let value = one();
    while (tokens[at] === 'AND') {
      at++;
      value = one() && value;
    }
    return value;
  };
  const either = () => {
    let value = all();
    while (tokens[at] === 'OR') {
      at++;
      value = all() || value;
    }
    return value;
  };
  const value = either();
  return value && at === tokens.length;
}

/** Where Node finds `name` from a package: the nearest folder `node_modules` on the way up. */
function placeOf(lock, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in lock.packages) return place;
    if (folder === '') return undefined;
  }
}

/** The licence that an installed package states where the lock file does not. */
function licenceIn(place) {
  const file = join(ROOT, place, 'package.json');
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  const named = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  return typeof named === 'string' && named !== '' ? named : textOfLicence(place);
}

/** MIT, where a package only brings its text. */
function textOfLicence(place) {
  const file = join(ROOT, place, 'LICENSE');
  const text = existsSync(file) ? readFileSync(file, 'utf8').replace(/\s+/g, ' ') : '';
  return /^(The )?MIT License .*Permission is hereby granted, free of charge, to any person/i.test(text)
    ? 'MIT'
    : undefined;
}

/** Packages that the page imports. */
function pagePackages() {
  const folder = join(ROOT, 'src', 'page');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\bfrom '([^'.][^']*)'/g)])
    .map(([, specifier]) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)].filter((name) => !name.startsWith('node:'));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, lock: { type: 'string', default: join(ROOT, 'package-lock.json') } },
  });
  const packages = shippedPackages(JSON.parse(readFileSync(values.lock, 'utf8')), pagePackages());
  const refused = packages.filter(({ licence }) => !mayBeUsed(licence));
  if (values.json) console.log(JSON.stringify(packages, undefined, 2));
  else {
    const width = Math.max(...packages.map(({ name, version }) => name.length + version.length)) + 3;
    for (const { name, version, licence } of packages) console.log(`${`${name} ${version}`.padEnd(width)}${licence}`);
  }
  for (const { name, version, licence } of refused) console.error(`may not be used: ${name} ${version}, ${licence}`);
  process.exitCode = refused.length === 0 ? 0 : 1;
}
