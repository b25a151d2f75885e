import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';
import { describe, expect, test } from 'vitest';

/**
 * The house rules that a program can check; the README's "Architecture" says them in words. A source file belongs to
 * the room that its path names: the folder under src/, or the file's own name for those directly in src/.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What hosts import: re-exports only. */
const PUBLIC = ['src/index.ts', 'src/accounts/index.ts'];

/** Everybody may import these. */
const COMMON = ['errors', 'options', 'optional-package', 'processor-time', 'signals'];

/** What each room may import of ours, besides itself and {@link COMMON}. A room that is missing here fails the test. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  options: [],
  'optional-package': [],
  'processor-time': [],
  signals: [],
  content: [],
  core: [],
  bitmap: ['content', 'core'],
  readers: ['content'],
  shapelets: ['content', 'core', 'bitmap'],
  descriptors: ['content', 'shapelets', 'core'],
  pmi: ['content', 'core', 'bitmap'],
  store: [],
  attributes: ['content', 'store'],
  words: ['content', 'store', 'attributes'],
  vectors: ['core', 'store'],
  accounts: ['content', 'store'],
  // Which rooms own tables in the catalogue.
  library: ['store', 'words', 'attributes', 'accounts'],
  search: ['content', 'core', 'descriptors', 'store', 'attributes', 'words', 'vectors'],
  convert: ['content', 'core', 'shapelets', 'descriptors', 'store', 'search'],
  pictures: ['content', 'core', 'shapelets', 'descriptors', 'pmi', 'store', 'search'],
  indexing: [
    'content',
    'core',
    'readers',
    'shapelets',
    'descriptors',
    'pmi',
    'store',
    'words',
    'library',
    'search',
    'convert',
    'pictures',
  ],
  folders: ['readers', 'store', 'attributes', 'words'],
  company: [
    'accounts',
    'content',
    'core',
    'pmi',
    'store',
    'attributes',
    'words',
    'library',
    'search',
    'convert',
    'pictures',
    'indexing',
    'folders',
  ],
  engine: [
    'core',
    'descriptors',
    'pmi',
    'store',
    'words',
    'accounts',
    'library',
    'vectors',
    'pictures',
    'indexing',
    'company',
  ],
  // Re-exports only.
  public: [
    'content',
    'pmi',
    'store',
    'attributes',
    'words',
    'accounts',
    'search',
    'convert',
    'pictures',
    'folders',
    'company',
    'engine',
  ],
  // `shapedex/core`, re-exports only.
  'core-entry': ['core', 'descriptors'],
  // Translate between wire and engine: they see what any host sees.
  mcp: ['public'],
  http: ['public', 'mcp'],
  cli: ['public', 'http', 'mcp', 'errors', 'optional-package', 'signals'],
  // Runs in browsers: of ours it sees types alone.
  page: ['public'],
};

/**
 * What each folder of src/readers may import of src/readers besides itself: formats above, what they share beneath. A
 * folder that is missing here fails the test.
 */
const READERS_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // One reader per format family. Of each other they use the mesh rules and the exact text of IGES only.
  brep: ['iges', 'mesh', 'metadata', 'geometry'],
  iges: ['metadata', 'geometry'],
  mesh: ['package', 'metadata', 'text', 'geometry'],
  'cad-drawing': ['sheet', 'metadata', 'text', 'geometry'],
  pdf: ['pdf-file', 'pixels', 'sheet', 'metadata', 'text', 'geometry'],
  svg: ['sheet', 'metadata', 'text', 'geometry'],
  document: ['package', 'metadata', 'text', 'tables'],
  image: ['pixels', 'decoding', 'metadata'],
  // Shared by formats.
  pixels: ['pdf-file', 'decoding', 'package', 'text'],
  'pdf-file': ['decoding'],
  decoding: [],
  sheet: ['geometry'],
  package: ['metadata', 'text'],
  metadata: ['text'],
  tables: ['text'],
  text: [],
  geometry: [],
  // `read.ts` chooses the reader; it sees all of them.
  read: ['brep', 'mesh', 'cad-drawing', 'pdf', 'svg', 'document', 'image', 'pixels', 'package', 'metadata', 'text'],
};

/** Import circles between rooms that are being taken apart; nothing may be added. */
const KNOWN_LOOPS: readonly string[] = [];

/**
 * Who may touch the disk. Beside the store and the command line: files that load data of this package or of the CAD
 * kernel's, and those that ask Linux about processes and mounts, or write to a pipe.
 */
const DISK_ROOMS = ['store', 'cli'];
const DISK_FILES = [
  'src/accounts/common-passwords.ts',
  'src/core/load-bytes.ts',
  'src/readers/brep/occt-kernel.ts',
  'src/http/server/page.ts',
  'src/indexing/pool/confinement.ts',
  'src/indexing/pool/own-users.ts',
  'src/indexing/pool/mounts.ts',
  'src/indexing/pool/mount-scripts.ts',
  'src/indexing/pool/seen-files.ts',
  'src/indexing/pool/stored-bytes.ts',
  'src/indexing/pool/process-usage.ts',
  'src/indexing/pool/reading-priority.ts',
  'src/indexing/worker/usage-reporter.ts',
  'src/convert/exact-step.ts',
  'src/pmi/pictures/read-glyph.ts',
  'src/pmi/pictures/line-net.ts',
  'src/pmi/outlines/glyph-network.ts',
  'src/shapelets/scan/learned-object.ts',
];

/** Files of a room that are its tables in SQLite. */
const TABLES = /^src\/\w+\/tables\//;

/** Packages that only some rooms may import, because what they do is these rooms' whole purpose. */
const OWNED: Readonly<Record<string, string | readonly string[]>> = {
  'better-sqlite3': ['store', 'words', 'attributes', 'accounts'],
  'hnswlib-node': 'vectors',
  'occt-import-js': 'readers',
  yauzl: 'readers',
  saxes: 'readers',
  'postal-mime': 'readers',
  'pdfjs-dist': ['readers', 'pictures'],
  '@node-projects/acad-ts': 'readers',
  'tesseract.js': 'readers',
  sharp: ['pictures', 'readers'],
  '@gltf-transform/core': ['convert', 'cli'],
  hono: 'http',
  '@hono/zod-openapi': 'http',
  zod: ['http', 'mcp'],
  '@modelcontextprotocol/sdk': 'mcp',
  'openid-client': 'http',
  jose: 'http',
  nodemailer: 'cli',
  pdfkit: 'pictures',
  commander: 'cli',
  'cli-table3': 'cli',
  replicad: 'cli',
  'replicad-opencascadejs': ['cli', 'convert'],
  preact: 'page',
  '@preact/signals': 'page',
  three: 'page',
};

/** Dependencies of which files are read, and no code is imported. */
const DATA_PACKAGES = ['@tesseract.js-data/eng'];

/** Names that only the HTTP interface uses; elsewhere the engine has its own. */
const WIRE_NAMES = new Set(
  [
    'SpaceID ThumbNailURLFromID PNGURLFromID PDFUrl HasThumbnail IndexingFinished AssemblyParents AssemblyChildren',
    'thumbnailURL viewerURL ResultsList RFQLines TotalResults CurrentCategory AdditionalCategories SearchTime',
    'InputFileUID InputVolume InputBBVolume InputSurfaceArea InputShapeSizes InputUnits InputThumbnail CustomReply',
    'SearchFilters ShapeResult CompanyName PublicURL CompanySpaceID UserSpaceID LocationID FullText FileName FileUID',
    'FileType FileHash DisplayName ExtractedAttributes ThumbnailURL ComponentFID ComponentName TextHighlights',
    'TextHighlightLocations DateAdded ViewURL CategoryID SurfaceArea ViewerUrl DetailsUrl LargeFileUrl',
    'FileHasThumbnail FirstShapeMatchIndex FirstShapeMatchPageNum BEVersion ImageSize type_id _id mtext BillingPeriod',
    'FilePlanLimit RemainingFiles FileCount CountDoc Count2D Count3D CountPhoto TokenPlanLimit RemainingTokens',
    'TokenUsage TokenFileIndex TokenTableIndex TokenStorage TokenVSearch TokenTSearch TokenRAG TokenCompare',
    'Token2DPMI Token3DConvert imageURL searchURL searchFilterValue EmailID FirstName LastName CompanyID IsAdmin',
    'ParentID ImageURL QueryStr RFQID CustomQuoteID ReceivedChunks TotalChunks fileUID emailID companyID',
    'includeShapelets lgFileNumber isGZipCompressed isSearchInput indexAsync indexPriority attrTemplate rmIfDup',
    'isPriority overwriteFile filterStr resultFileType bbv targetFids crawl_parameter cropX cropY cropW cropH',
    'customAPI searchAssemblyComponents conversionExtension deleteExisting grant_type access_token refresh_token',
    'expires_in apiVersion engineVersion hideFileExtNum isRFQThreeD shapeOnlyDups attrsOnlyDups shapePlusAttrsDups',
    'addCompareFilesToDB useOldESTextQuery useRAG usePublicURL publicURL companyURL folderURL logoHTML beSetting',
    'volTolerance bbVolTolerance priorityAttrs listAttrs dependentDdlAttrs maxRFQSearchResults exactVolTolerance',
    'exactBBVolTolerance',
  ].flatMap((line) => line.split(' ')),
);
/**
 * Beside http and the page, which is a client of it. Libraries hold annotations and profiles under names of
 * the interface.
 */
const WIRE_ROOMS = ['http', 'page'];
const WIRE_FILES = ['src/pmi/stored-pmi.ts', 'src/accounts/stored-profile.ts'];

interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** The source file that it leads to; undefined for a package. */
  readonly target: string | undefined;
  /** Gone after compiling. */
  readonly typeOnly: boolean;
}

interface Source {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly room: string;
  readonly imports: readonly Import[];
  readonly tree: ts.SourceFile;
}

const sources = readSources('src');
const kernels = readSources('assembly');
/** The kit of parts, which is built into the package beside src. */
const parts = readSources('bench/parts');
/** Style sheets that code may import. */
const styles = new Set(
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => posix.join('src', name.replaceAll('\\', '/'))),
);

describe('who may import whom', () => {
  test('the files are read: a rule about nothing would always hold', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(kernels.length).toBeGreaterThan(20);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(300);
  });

  test('every form of import is seen', () => {
    const text =
      "import a from './a.js';\nimport type { B } from './b.js';\nimport { type C } from './c.js';\nimport './d.js';\n" +
      "export * from './e.js';\nexport type { F } from './f.js';\nvoid import('./g.js');\nlet h: import('../h.js').H;\nimport i, { type J } from 'i';\n";
    const found = importsOf(ts.createSourceFile('src/x/y.ts', text, ts.ScriptTarget.ES2022, true), 'src/x/y.ts');
    expect(found.map(({ target, specifier }) => target ?? specifier)).toEqual([
      'src/x/a.ts',
      'src/x/b.ts',
      'src/x/c.ts',
      'src/x/d.ts',
      'src/x/e.ts',
      'src/x/f.ts',
      'src/x/g.ts',
      'src/h.ts',
      'i',
    ]);
    expect(found.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier)).toEqual([
      './b.js',
      './c.js',
      './f.js',
      '../h.js',
    ]);
  });

  test('every import leads to a file or a package', () => {
    const known = new Set([...sources, ...kernels].map(({ path }) => path));
    expect(
      eachImport(
        [...sources, ...kernels],
        ({ target }) => target !== undefined && !known.has(target) && !styles.has(target),
      ),
    ).toEqual([]);
  });

  test('every room has a rule', () => {
    expect(sources.filter(({ room }) => !(room in MAY_IMPORT)).map(({ path }) => path)).toEqual([]);
  });

  test('each room imports only what its rule names', () => {
    const breaches = eachImport(sources, ({ target }, { room }) => {
      if (target === undefined) return false;
      const to = roomOf(target);
      if (to === room) return false;
      if (COMMON.includes(to) && room !== 'errors' && room !== 'cli') return false;
      return !(MAY_IMPORT[room] ?? []).includes(to);
    });
    expect(breaches).toEqual([]);
  });

  test('each folder of the readers imports only what its rule names, types included', () => {
    const readers = sources.filter(({ room }) => room === 'readers');
    const rules = Object.keys(READERS_MAY_IMPORT);
    expect([...new Set(readers.map(({ path }) => folderOf(path)))].sort()).toEqual([...rules].sort());
    const breaches = eachImport(readers, ({ target }, { path }) => {
      if (target === undefined || roomOf(target) !== 'readers') return false;
      const from = folderOf(path),
        to = folderOf(target);
      return from !== to && !READERS_MAY_IMPORT[from].includes(to);
    });
    expect(breaches).toEqual([]);
    expect(findLoop(new Map(Object.entries(READERS_MAY_IMPORT)))).toBeUndefined();
  });

  test('the page takes types alone from the engine, and nothing of Node', () => {
    expect(
      eachImport(
        sources,
        ({ target, specifier, typeOnly }, { room }) =>
          room === 'page' &&
          (specifier.startsWith('node:') || (target !== undefined && roomOf(target) !== 'page' && !typeOnly)),
      ),
    ).toEqual([]);
  });

  test('kernels import kernels only, and nothing in src reaches into assembly', () => {
    expect(eachImport(kernels, ({ target }) => target === undefined || !target.startsWith('assembly/'))).toEqual([]);
    expect(eachImport(sources, ({ target }) => target?.startsWith('assembly/') === true)).toEqual([]);
  });

  test("the front exports at most 86 names, values and types together; accounts are a sub-path's", () => {
    const front = sources.find(({ path }) => path === 'src/index.ts')!;
    const names = front.tree.statements.flatMap((statement) =>
      ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause)
        ? statement.exportClause.elements.map(({ name }) => name.text)
        : [statement.getText()],
    );
    expect(names).toContain('Engine');
    expect(names.filter((name) => !/^\w+$/.test(name))).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(86);
    expect(front.imports.filter(({ target }) => target?.startsWith('src/accounts/'))).toEqual([]);
  });

  test('there is no import circle, types included', () => {
    expect(findCycle(sources)).toBeUndefined();
    expect(findCycle(kernels)).toBeUndefined();
  });

  test('no room depends on itself by way of others, types included', () => {
    const rooms = new Map<string, Set<string>>();
    for (const { room, imports } of sources) {
      const seen = rooms.get(room) ?? new Set<string>();
      rooms.set(room, seen);
      for (const { target } of imports)
        if (target !== undefined && roomOf(target) !== room && !KNOWN_LOOPS.includes(`${room} -> ${roomOf(target)}`))
          seen.add(roomOf(target));
    }
    expect(findLoop(new Map([...rooms].map(([room, seen]) => [room, [...seen]])))).toBeUndefined();
  });
});

describe('inside a room', () => {
  test('no folder depends on itself by way of others; a folder and the one that holds it are one', () => {
    const folders = new Map<string, Set<string>>();
    for (const { path, imports } of sources) {
      const from = dirname(path);
      const seen = folders.get(from) ?? new Set<string>();
      folders.set(from, seen);
      for (const { target } of imports) {
        if (target === undefined || roomOf(target) !== roomOf(path)) continue;
        const to = dirname(target);
        if (!`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`)) seen.add(to);
      }
    }
    expect(findLoop(new Map([...folders].map(([folder, seen]) => [folder, [...seen]])))).toBeUndefined();
  });
});

describe('who may touch what', () => {
  test('only the store and the command line touch the disk', () => {
    expect(
      eachImport(
        sources,
        ({ specifier }, { path, room }) =>
          /^(node:)?fs(\/|$)/.test(specifier) && !DISK_ROOMS.includes(room) && !DISK_FILES.includes(path),
      ),
    ).toEqual([]);
  });

  test('a package with one purpose is imported where that purpose lies', () => {
    expect(
      eachImport(sources, ({ specifier }, { room }) => ![OWNED[packageOf(specifier)] ?? room].flat().includes(room)),
    ).toEqual([]);
  });

  test('SQL stands in the store and in the tables of rooms', () => {
    expect(
      eachImport(
        sources,
        ({ specifier, target }, { path, room }) =>
          (packageOf(specifier) === 'better-sqlite3' || target === 'src/store/database/prepared.ts') &&
          room !== 'store' &&
          !TABLES.test(path),
      ),
    ).toEqual([]);
  });

  test('doors of the catalogue hold methods that return promises and nothing else', () => {
    const doors = sources
      .filter(({ path }) => path === 'src/store/catalogue.ts' || /-door\.ts$/.test(path))
      .flatMap(({ tree }) => doorsOf(tree));
    expect(doors.length).toBeGreaterThan(12);
    expect(doors.flatMap((door) => synchronousOf(door))).toEqual([]);
    const wrong =
      'export interface A { f(): Promise<1>; g(): 1; h: Promise<1>; i(): Generator<1> }\ninterface BDoor extends A {}';
    const [first, second] = doorsOf(
      ts.createSourceFile('a.ts', wrong.replace('A ', 'ADoor '), ts.ScriptTarget.ES2022, true),
    );
    expect(synchronousOf(first)).toEqual(['ADoor g', 'ADoor h', 'ADoor i']);
    expect(synchronousOf(second)).toEqual(['BDoor extends another']);
  });

  test('every field of the store by which other rooms reach the catalogue is a door', () => {
    const store = sources.find(({ path }) => path === 'src/store/store.ts')!;
    const names = new Set(
      sources
        .find(({ path }) => path === 'src/store/catalogue.ts')!
        .tree.statements.flatMap((statement) => (ts.isInterfaceDeclaration(statement) ? statement.name.text : [])),
    );
    const others: string[] = [];
    visit(store.tree, (node) => {
      if (
        ts.isMethodDeclaration(node) &&
        ts.isIdentifier(node.name) &&
        !/^(Promise|AsyncGenerator)</.test(node.type?.getText() ?? '')
      )
        others.push(`${node.name.text}()`);
      if (ts.isPropertyDeclaration(node) && ts.isIdentifier(node.name) && !names.has(node.type?.getText() ?? ''))
        others.push(node.name.text);
    });
    // Files of the library, and the tables of rooms with doors of their own.
    expect(others.sort()).toEqual(['blobs', 'cacheFolder()', 'folder', 'owned', 'pictures', 'rooms', 'watch()']);
    const reached = eachNode(
      sources.filter(({ path, room }) => room !== 'store' && path !== 'src/library.ts' && !TABLES.test(path)),
      (node) =>
        ts.isPropertyAccessExpression(node) &&
        /\brooms\.(attributes|words)$/.test(node.expression.getText()) &&
        !['door', 'make', 'merge'].includes(node.name.text),
    );
    expect(reached).toEqual([]);
  });

  test('every imported package is a dependency, and every dependency is imported', () => {
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Record<
      'dependencies' | 'optionalDependencies' | 'peerDependencies' | 'devDependencies',
      Record<string, string>
    >;
    const usedBy = (files: readonly Source[]): string[] => [
      ...new Set(
        files
          .flatMap(({ imports }) => imports)
          .filter(({ target, specifier }) => target === undefined && !specifier.startsWith('node:'))
          .map(({ specifier }) => packageOf(specifier)),
      ),
    ];
    const inNode = [...sources.filter(({ room }) => room !== 'page'), ...parts];
    expect([...new Set([...usedBy(inNode), ...DATA_PACKAGES])].sort()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).sort(),
    );
    // What the page needs is built into it.
    expect(usedBy(sources.filter(({ room }) => room === 'page')).filter((name) => !(name in devDependencies))).toEqual(
      [],
    );
  });

  test('every module of dist that a bench imports has a source with the names', () => {
    const folder = join(ROOT, 'bench');
    const missing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => {
        const text = readFileSync(join(folder, name), 'utf8');
        return [...text.matchAll(/import \{([^}]+)\} from '[./]+\/dist\/([\w/.-]+)\.js'/g)].flatMap(
          ([, names, path]) => {
            if (path.startsWith('parts/')) return [];
            const file = join(ROOT, 'src', `${path}.ts`);
            if (!existsSync(file)) return [`${name}: ${path}`];
            const source = readFileSync(file, 'utf8');
            return names
              .split(',')
              .map((one) => one.trim().split(' as ')[0])
              .filter((one) => one !== '' && !new RegExp(`\\b${one}\\b`).test(source))
              .map((one) => `${name}: ${one} of ${path}`);
          },
        );
      });
    expect(missing).toEqual([]);
  });

  test('every file that a script of package.json names is there', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = Object.values(scripts)
      .flatMap((script) => script.match(/[\w./-]+\.(?:mjs|js|ts|json|bin)\b/g) ?? [])
      .filter((path) => !path.startsWith('dist/'));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('names of the HTTP interface stand in http alone', () => {
    const others = sources.filter(({ room, path }) => !WIRE_ROOMS.includes(room) && !WIRE_FILES.includes(path));
    expect(
      eachNode(others, (node) => (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && WIRE_NAMES.has(node.text)),
    ).toEqual([]);
    // A list of names that nobody uses would always hold.
    const http = sources.filter(({ room }) => room === 'http');
    const used = new Set<string>();
    for (const { tree } of http)
      visit(tree, (node) => {
        if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) used.add(node.text);
      });
    expect([...WIRE_NAMES].filter((name) => !used.has(name))).toEqual([]);
  });

  test("only the core holds pointers: nobody else reserves the kernels' memory", () => {
    expect(eachImport(sources, ({ target }, { room }) => target === 'src/core/exports.ts' && room !== 'core')).toEqual(
      [],
    );
  });
});

describe('rooms', () => {
  const folders = [...new Set([...sources, ...kernels].map(({ path }) => dirname(path)))];

  test('no folder holds more than 40 files directly', () => {
    const counted = folders.map((folder) => [
      folder,
      readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).length,
    ]);
    expect(counted.length).toBeGreaterThan(50);
    expect(counted.filter(([, count]) => (count as number) > 40)).toEqual([]);
  });

  test('each room says what it is, in a README of 20 to 120 lines', () => {
    const rooms = [
      ...new Set(
        sources
          .filter(({ path }) => path.split('/').length > 2)
          .map(({ path }) => path.split('/').slice(0, 2).join('/')),
      ),
      'assembly',
      'bench',
      'test',
    ];
    const lines = (room: string): number => {
      const file = join(ROOT, room, 'README.md');
      return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0;
    };
    expect(rooms.length).toBeGreaterThan(20);
    expect(rooms.filter((room) => lines(room) < 20 || lines(room) > 120)).toEqual([]);
  });
});

describe('what is not here', () => {
  test('no default that only pretends to be of its type', () => {
    expect(eachNode(sources, (node) => ts.isAsExpression(node) && node.getText() === 'undefined as never')).toEqual([]);
  });

  test('the library writes nothing to the console', () => {
    // The worker's first import takes the streams away from the kernels that print.
    const library = sources.filter(({ room, path }) => room !== 'cli' && path !== 'src/indexing/worker/silence.ts');
    expect(
      eachNode(
        library,
        (node) =>
          ts.isPropertyAccessExpression(node) && /^(console\.\w+|process\.(stdout|stderr))$/.test(node.getText()),
      ),
    ).toEqual([]);
  });

  test('no `any`', () => {
    expect(eachNode(sources, (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
  });

  test('no default exports', () => {
    // A declaration file says how somebody else's package is.
    const own = [...sources, ...kernels].filter(({ path }) => !path.endsWith('.d.ts'));
    expect(
      eachNode(
        own,
        (node) =>
          ts.isExportAssignment(node) ||
          (ts.canHaveModifiers(node) &&
            ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true) ||
          (ts.isExportSpecifier(node) && node.name.text === 'default'),
      ),
    ).toEqual([]);
  });

  test('no empty catch', () => {
    expect(
      eachNode(
        sources,
        (node) =>
          ts.isCatchClause(node) && node.block.statements.length === 0 && !/\/[/*]/.test(node.block.getFullText()),
      ),
    ).toEqual([]);
  });

  test('no file called utils, helpers or manager', () => {
    expect(
      [...sources, ...kernels]
        .filter(({ path }) => /(util|helper|manager)s?\.tsx?$/.test(path))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('no place of one machine: no absolute path', () => {
    expect(
      eachNode(
        [...sources, ...kernels],
        (node) =>
          ts.isStringLiteralLike(node) && /^(\/(home|root|tmp|usr|var|Users|work)\/|[A-Za-z]:\\)/.test(node.text),
      ),
    ).toEqual([]);
  });
});

/**
 * `src/readers/mesh/stl.ts` is of the room readers, `src/engine.ts` of engine. What hosts import, `src/index.ts` and
 * `src/accounts/index.ts`, is of public.
 */
function roomOf(path: string): string {
  if (PUBLIC.includes(path)) return 'public';
  const [, first, rest] = path.split('/');
  if (rest !== undefined) return first;
  return first.replace(/\.tsx?$/, '');
}

/** `src/readers/brep/step/bodies.ts` is in the folder brep, `src/readers/read.ts` in read. */
function folderOf(path: string): string {
  return path.split('/')[2].replace(/\.tsx?$/, '');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function readSources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .sort()
    .map((path) => {
      const tree = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2022, true);
      return { path, room: roomOf(path), imports: importsOf(tree, path), tree };
    });
}

function importsOf(tree: ts.SourceFile, path: string): Import[] {
  const found: Import[] = [];
  visit(tree, (node) => {
    const written = specifierOf(node);
    if (written === undefined) return;
    const { text: specifier } = written;
    found.push({
      specifier,
      target: specifier.startsWith('.') ? resolve(path, specifier) : undefined,
      typeOnly: isTypeOnly(node),
    });
  });
  return found;
}

/** The module that an import, an export from, an `import()` or an import type names. */
function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  let found: ts.Node | undefined;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) found = node.moduleSpecifier;
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) found = node.arguments[0];
  else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) found = node.argument.literal;
  return found !== undefined && ts.isStringLiteralLike(found) ? found : undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || allTypes(node.exportClause);
  if (!ts.isImportDeclaration(node)) return false;
  const clause = node.importClause;
  if (clause === undefined) return false;
  return clause.isTypeOnly || (clause.name === undefined && allTypes(clause.namedBindings));
}

function allTypes(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  return (
    names !== undefined &&
    (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
    names.elements.every(({ isTypeOnly: type }) => type)
  );
}

/**
 * `./stl.js` seen from `src/readers/read.ts` is `src/readers/mesh/stl.ts`, or `.tsx` where that is there; assembly
 * leaves the extension out.
 */
function resolve(from: string, specifier: string): string {
  const joined = posix.join(dirname(from).replaceAll('\\', '/'), specifier);
  if (joined.endsWith('.css')) return joined;
  const bare = joined.endsWith('.js') ? joined.slice(0, -3) : joined;
  return existsSync(join(ROOT, `${bare}.tsx`)) ? `${bare}.tsx` : `${bare}.ts`;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** The imports that break a rule, as `file -> module`. */
function eachImport(files: readonly Source[], breaks: (found: Import, source: Source) => boolean): string[] {
  return files.flatMap((source) =>
    source.imports.filter((found) => breaks(found, source)).map(({ specifier }) => `${source.path} -> ${specifier}`),
  );
}

/** The nodes that break a rule, as `file:line text`. */
function eachNode(files: readonly Source[], breaks: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  for (const { path, tree } of files) {
    visit(tree, (node) => {
      if (!breaks(node)) return;
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${node.getText().slice(0, 80)}`);
    });
  }
  return found;
}

function findCycle(files: readonly Source[]): string | undefined {
  return findLoop(
    new Map(
      files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => (target === undefined ? [] : [target]))]),
    ),
  );
}

/** The first loop of a directed graph, as `a -> b -> a`; undefined when there is none. */
function findLoop(edges: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const trail: string[] = [];
  const walk = (at: string): string | undefined => {
    const seenAt = trail.indexOf(at);
    if (seenAt >= 0) return [...trail.slice(seenAt), at].join(' -> ');
    if (done.has(at)) return undefined;
    trail.push(at);
    for (const next of edges.get(at) ?? []) {
      const loop = walk(next);
      if (loop !== undefined) return loop;
    }
    trail.pop();
    done.add(at);
    return undefined;
  };
  for (const at of edges.keys()) {
    const loop = walk(at);
    if (loop !== undefined) return loop;
  }
  return undefined;
}

/** The interfaces of a file whose name ends in Door. */
function doorsOf(tree: ts.SourceFile): ts.InterfaceDeclaration[] {
  return tree.statements.filter(ts.isInterfaceDeclaration).filter(({ name }) => name.text.endsWith('Door'));
}

/** What a door holds besides methods that return promises. */
function synchronousOf({ name, members, heritageClauses }: ts.InterfaceDeclaration): string[] {
  return [
    ...(heritageClauses === undefined ? [] : [`${name.text} extends another`]),
    ...members
      .filter((member) => !ts.isMethodSignature(member) || !/^Promise</.test(member.type?.getText() ?? ''))
      .map((member) => `${name.text} ${member.name?.getText()}`),
  ];
}
