import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_OPTIONS, DEFAULT_LIMITS, FILE_EXTENSIONS } from '../dist/index.js';
import { printedBy } from './cli/printed-by.ts';
import { boxStl } from './fixtures/box.mjs';
import { dxfOf } from './fixtures/drawing-of-body.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { box } from './fixtures/shapes.ts';
import { stepFile } from './fixtures/step-writer.ts';

/**
 * The package as its users get it: packed by npm, unpacked into the `node_modules` of an empty project. Its
 * dependencies are links to those of this repository, because installing them would compile native modules for minutes
 * and need the network; a dependency that package.json does not name is not linked, so a missing one is found. The
 * package itself is a true copy.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const README = readFileSync(join(ROOT, 'README.md'), 'utf8').replaceAll('\r\n', '\n');
const API = readFileSync(join(ROOT, 'src/company/API.md'), 'utf8').replaceAll('\r\n', '\n');
/** The TypeScript blocks of a text, in order. */
const blocksOf = (text: string): string[] => [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
/** Those of the README, of the API reference, and of the core. */
const BLOCKS = [README, API, readFileSync(join(ROOT, 'src/core/README.md'), 'utf8').replaceAll('\r\n', '\n')].flatMap(
  blocksOf,
);

const project = temporaryFolder();
const installed = join(project, 'node_modules', 'shapedex');
let tarball: string;
let manifest: Manifest;

beforeAll(async () => {
  tarball = join(project, await pack(project));
  unpack(readFileSync(tarball), installed);
  manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
  // Types of Node itself are what any TypeScript project on Node has.
  for (const name of [...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }), '@types/node'])
    link(name);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  BLOCKS.forEach((code, i) => {
    for (const ending of ['ts', 'mjs']) writeFileSync(join(project, `readme-${i + 1}.${ending}`), code);
  });
});

describe('the tarball', () => {
  test('is small and holds the built product, READMEs and licence alone', () => {
    // 2.4 MB of it are tables and weights of networks, which hardly get smaller; of these 1.0 MB for photos.
    expect(statSync(tarball).size).toBeLessThan(4.4e6);
    const files = filesOf(installed);
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'package.json',
        'dist/index.js',
        'dist/core/shapedex.wasm',
        'dist/tables/reference.bin',
      ]),
    );
    const expected = [
      /^(LICENSE|README\.md|package\.json)$/,
      /^(src|assembly)\/.*\.md$/,
      /^dist\/.+\.(js|d\.ts|wasm|bin)$/,
      /^dist\/page\/.+\.(html|css|svg|otf)$/,
    ];
    expect(files.filter((file) => !expected.some((form) => form.test(file)))).toEqual([]);
    expect(files.filter((file) => /(^|[/.])(test|spec|fixtures|debug)([/.]|$)/.test(file))).toEqual([]);
  });

  test('names no place of the machine that built it', () => {
    // As bytes, so that the WASM file and the source maps are looked at too.
    const places = [ROOT.replace(/[/\\]$/, ''), project].flatMap((place) => [
      place,
      JSON.stringify(place).slice(1, -1),
      place.replaceAll('\\', '/'),
    ]);
    const naming = filesOf(installed).filter((file) => {
      const bytes = readFileSync(join(installed, file));
      return places.some((place) => bytes.includes(place));
    });
    expect(naming).toEqual([]);
  });

  test('everything that package.json points to is there, with types', () => {
    for (const target of Object.values(manifest.exports)) {
      const paths = typeof target === 'string' ? [target] : [target.types, target.default];
      expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    }
    expect(
      Object.entries(manifest.exports).filter(
        ([name, target]) => typeof target === 'string' && !/\.(json|wasm|bin)$/.test(name),
      ),
    ).toEqual([]);
    for (const script of Object.values(manifest.bin))
      expect(readFileSync(join(installed, script), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('holds no source twice: neither TypeScript nor source maps', () => {
    expect(filesOf(installed).filter((file) => /\.map$|(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
  });
});

describe("the README's code", () => {
  test('is there, and works before line 20', () => {
    expect(BLOCKS.length).toBeGreaterThanOrEqual(3);
    expect(README.split('\n').slice(0, 20)).toContain("import { Engine } from 'shapedex';");
  });

  // Once without skipLibCheck, so that the package's own declarations are checked as strictly as the code, and without
  // the DOM's types.
  test.each([
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'bundler'],
  ])('compiles under strict, module %s, resolution %s', async (module, moduleResolution) => {
    const config = join(project, `tsconfig.${moduleResolution}.json`);
    writeFileSync(
      config,
      JSON.stringify({
        compilerOptions: {
          strict: true,
          module,
          moduleResolution,
          target: 'ES2022',
          lib: ['ES2023', 'ESNext.Disposable', ...(moduleResolution === 'NodeNext' ? [] : ['DOM'])],
          types: ['node'],
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          outDir: join(project, moduleResolution),
          skipLibCheck: moduleResolution !== 'NodeNext',
        },
        files: BLOCKS.map((_, i) => `readme-${i + 1}.ts`),
      }),
    );
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', config]).catch((failure: { stdout: string }) => failure);
    expect(stdout).toBe('');
  });

  test('runs as it is written, as plain JavaScript, from another working directory', async () => {
    const folder = join(project, 'elsewhere');
    mkdirSync(join(folder, 'cad', 'boxes'), { recursive: true });
    writeFileSync(join(folder, 'cad', 'boxes', 'cube.stl'), boxStl(20, 20, 20));
    writeFileSync(join(folder, 'cad', 'boxes', 'bar.stl'), boxStl(20, 20, 80));
    writeFileSync(join(folder, 'cad', 'block.step'), block());
    writeFileSync(join(folder, 'bracket.step'), block());
    writeFileSync(join(folder, 'b-17.dxf'), dxfOf(box(10, 20, 30)));
    writeFileSync(
      join(folder, 'p-100.step'),
      stepFile({
        parts: [
          { name: 'foot', shape: { kind: 'box', x: 20, y: 20, z: 20 } },
          { name: 'base', shape: { kind: 'box', x: 90, y: 60, z: 5 } },
        ],
        assemblies: [
          {
            name: 'pump',
            places: [
              { of: { part: 0 }, at: [0, 0, 0] },
              { of: { part: 0 }, at: [70, 0, 0] },
              { of: { part: 1 }, at: [0, 0, 20] },
            ],
          },
        ],
      }),
    );
    const outputs: string[] = [];
    for (const i of BLOCKS.keys()) {
      const { stdout } = await run(process.execPath, [join(project, `readme-${i + 1}.mjs`)], {
        cwd: folder,
      });
      outputs.push(stdout);
    }
    expect(outputs[0]).toContain('0.000 identical block.step');
    expect(outputs[0]).toContain('similar boxes/bar.stl');
    expect(outputs[1]).toContain('indexed 6000');
    expect(outputs[1]).toContain('FILE_UNKNOWN');
    expect(outputs[2]).toContain('orders/4711.txt Order 4711: twenty flanges AB-123/4');
    expect(outputs[2]).toContain('boxes/lid.stl 0');
    expect(outputs[2]).toMatch(/^drawings\/B-17\.dxf [89]\d(\.\d+)?$/m);
    expect(outputs[2]).toContain('pumps/p-100.step foot 2');
    expect(outputs[2]).toContain('2 distinct parts and sub-assemblies');
    expect(outputs[2]).toMatch(/^bytes .*brackets\/B-17\.step/m);
    expect(outputs[3]).toContain('indexed 6000');
    expect(outputs[4]).toContain('2 foot 8000');
    expect(outputs[4]).toContain('pumps/p-100.step foot 2 identical');
    expect(outputs[5]).toContain('orders/4711.txt Order 4711: twenty flanges AB-123/4');
    expect(outputs[5]).toContain('boxes/lid.stl resultFileType%3DThreeD%26FT%3DMaterial%253Dsteel%26v%3D.1');
  });
});

describe('what the READMEs say', () => {
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8').replaceAll('\r\n', '\n');
  const section = (text: string, title: string): string =>
    text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  const firstCells = (text: string): string[] => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

  test('formats: every extension that a folder is searched for', () => {
    const named = (text: string): string[] => [...new Set(text.match(/(?<=[` ])\.[a-z0-9]+(?=[` ])/g))].sort();
    expect(named(section(README, 'Formats'))).toEqual([...FILE_EXTENSIONS].sort());
    expect(named(read('src/readers/FORMATS.md'))).toEqual(expect.arrayContaining([...FILE_EXTENSIONS]));
  });

  test('limits and options: every one, with its default', () => {
    const limits = section(read('src/readers/README.md'), 'Limits');
    const options = section(API, 'Engine');
    expect(firstCells(options).sort()).toEqual(['workers', ...Object.keys(DEFAULT_ENGINE_OPTIONS)].sort());
    for (const [rows, defaults] of [
      [limits, DEFAULT_LIMITS],
      [options, DEFAULT_ENGINE_OPTIONS],
    ] as const) {
      for (const [name, value] of Object.entries(defaults)) {
        const row = rows.split('\n').find((line) => line.split(' | ')[0].includes(`\`${name}\``));
        expect(row, name).toBeDefined();
        if (typeof value !== 'number') continue;
        const spelled =
          value === 1024 ** 3
            ? '1 GiB'
            : value >= 1_000
              ? value.toLocaleString('en').replaceAll(',', ' ')
              : String(value);
        expect(row?.split(' | ')[1], name).toContain(spelled);
      }
    }
  });

  test('the top README has at most 250 lines, and every link in it leads to a file', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(250);
    const links = [...README.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  const printed = (...lines: readonly (readonly string[])[]): Promise<string[]> =>
    printedBy(join(dirname(join(installed, manifest.bin['shapedex'])), 'program.js'), lines);

  test('commands: every one, with its options', async () => {
    const [help] = await printed(['help']);
    const below = (text: string): string[] =>
      [
        ...text
          .slice(text.indexOf('\nCommands:'))
          .split('\nExample')[0]
          .matchAll(/^ {2}(\w+) /gm),
      ]
        .map(([, name]) => name)
        .filter((name) => name !== 'help');
    const commands: string[] = [];
    const names = below(help);
    for (const [i, stdout] of (await printed(...names.map((name) => ['help', name]))).entries()) {
      const name = names[i];
      const inner = stdout.includes('\nCommands:') ? below(stdout).map((one) => `${name} ${one}`) : [];
      // One with arguments of its own is a command beside those that it holds.
      if (inner.length === 0 || stdout.startsWith(`Usage: shapedex ${name} [options] [command] <`)) commands.push(name);
      commands.push(...inner);
    }
    const text = read('src/cli/README.md');
    const rows = [...text.matchAll(/^\| `([a-z ]+?)(?= [<[]|`)/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(commands.sort());
    const helps = await printed(...commands.map((command) => [...command.split(' '), '--help']));
    for (const [i, command] of commands.entries()) {
      const options = helps[i].match(/--[a-z][a-z-]*/g) ?? [];
      for (const option of options.filter((name) => name !== '--help')) expect(text, command).toContain(`\`${option}`);
    }
  });
});

describe('the package', () => {
  test('finds its WASM file by the name that it exports', async () => {
    const code = `
      import { readFile } from 'node:fs/promises';
      import { fileURLToPath } from 'node:url';
      const { Core, volumeAndArea } = await import('shapedex/core');
      const core = await Core.load(await readFile(fileURLToPath(import.meta.resolve('shapedex/core.wasm'))));
      const mesh = { positions: Float32Array.of(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1), indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3) };
      console.log(volumeAndArea(core, mesh).signedVolumeMm3);`;
    writeFileSync(join(project, 'core.js'), code);
    expect((await run(process.execPath, [join(project, 'core.js')], { cwd: dirname(project) })).stdout.trim()).toBe(
      '1',
    );
  });

  test('has a core that no Node module stands behind', () => {
    // What a bundler for browsers would follow: all that is named where it is imported.
    const pending = ['dist/core-entry.js'];
    const outside = new Set<string>();
    for (const file of pending) {
      const code = readFileSync(join(installed, file), 'utf8');
      for (const [, from, alone] of code.matchAll(
        /(?:^(?:import|export)\b[^;]*?from |\bimport\()['"]([^'"]+)['"][;)]|^import ['"]([^'"]+)['"];/gm,
      )) {
        const specifier = from ?? alone;
        if (!specifier.startsWith('.')) outside.add(specifier);
        else if (!pending.includes(join(dirname(file), specifier).replaceAll('\\', '/')))
          pending.push(join(dirname(file), specifier).replaceAll('\\', '/'));
      }
    }
    expect(pending.length).toBeGreaterThan(8);
    expect([...outside]).toEqual([]);
  });

  test('has a command line that runs', async () => {
    const { stdout } = await run(process.execPath, [join(installed, manifest.bin['shapedex']), '--version'], {
      cwd: dirname(project),
    });
    expect(stdout.trim()).toBe(
      (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
    );
  });
});

/** Packs what is built; scripts would build anew under the other tests' feet. Returns the file's name. */
async function pack(folder: string): Promise<string> {
  // npm is a script for the shell on Windows.
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    shell: process.platform === 'win32',
  });
  return readdirSync(folder).filter((name) => name.endsWith('.tgz'))[0];
}

/**
 * Plain tar (POSIX ustar), as npm writes it: blocks of 512 bytes, names of at most 100 with a prefix of at most 155.
 */
function unpack(packed: Uint8Array, folder: string): void {
  const tar = gunzipSync(packed);
  const text = (at: number, length: number): string => tar.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const prefix = text(at + 345, 155);
    const name = (prefix === '' ? '' : `${prefix}/`) + text(at, 100);
    const length = parseInt(text(at + 124, 12), 8);
    const file = join(folder, name.replace(/^package\//, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, tar.subarray(at + 512, at + 512 + length));
    at += 512 + 512 * Math.ceil(length / 512);
  }
}

/** Makes a dependency of the repository one of the project. A junction on Windows, where links need rights. */
function link(name: string): void {
  const place = join(project, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), place, 'junction');
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

/** A block of 10 × 20 × 30 mm. */
function block(): Uint8Array {
  return stepFile({ parts: [{ name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } }] });
}
