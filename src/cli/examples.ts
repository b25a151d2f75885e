import type { Command } from 'commander';

/** Examples by command, without the name of the program. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = Object.freeze({
  start: ['start', 'start ./cad --once'],
  index: ['index ./cad', 'index ./cad ./drawings --attribute Source=archive --unit in'],
  watch: ['watch ./cad', 'watch ./cad --delete --attribute Source=cad', 'watch /mnt/share/cad --poll 30 --json'],
  search: [
    'search bracket.step --limit 5 --sheet found.png',
    'search screws/M5x20.step --volume .1 --kind ThreeD',
    'search --text "flange gask*" --attribute Material=steel',
    'search front.png side.png --kind ThreeD',
    'search scan.jpg --overlay overlay.png --json',
  ],
  list: ['list --kind ThreeD --limit 20', 'list --state failed --json'],
  attributes: ['attributes', 'attributes screws/M5x20.step', 'attributes screws/M5x20.step --set Material=steel --add'],
  values: ['values Material', 'values Length --prefix 2 --limit 10'],
  'category list': ['category list'],
  'category add': ['category add Fasteners', 'category add Screws --parent Fasteners'],
  'category remove': ['category remove Screws'],
  'category set': ['category set screws/M5x20.step Screws', 'category set screws/M5x20.step none'],
  features: [
    'features flange.step',
    'features screws/M5x20.step --json',
    'features flange.step --picture features.png',
  ],
  pmi: [
    'pmi flange.dxf',
    'pmi drawings/flange.pdf --page 2 --overlay flange.png',
    'pmi flange.pdf --csv inspection.csv --xlsx inspection.xlsx',
    'pmi compare flange.step flange.pdf --csv differences.csv',
  ],
  'pmi compare': ['pmi compare flange.step flange.pdf', 'pmi compare old.pdf new.pdf --csv differences.csv --json'],
  status: ['status', 'status screws/M5x20.step --json'],
  assembly: [
    'assembly pump.step',
    'assembly pumps/p-100.step',
    'assembly pumps/p-100.step --index --shared',
    'assembly bolts/m8.step --parents',
    'assembly pump.step --similar 3',
  ],
  convert: ['convert bracket.step --to stl --tolerance 0.01', 'convert parts/*.stl --to step --out converted'],
  delete: ['delete screws/M5x20.step'],
  duplicates: [
    'duplicates',
    'duplicates --class identical --class mirrored --csv groups.csv --sheet groups.png',
    'duplicates --near 0.2 --json',
    'duplicates --keep screws/M5x20.step',
    'duplicates --different screws/M5x20.step screws/M5x20-left.step',
  ],
  stats: ['stats', 'stats --library /srv/cad --json'],
  verify: ['verify', 'verify --no-repair --json', 'verify --rescue ./files'],
  backup: ['backup ./copies/monday', 'backup /mnt/backup/cad-2026-11-24 --library /srv/cad --json'],
  migrate: [
    'migrate ./library postgres://shapedex@db.example/parts --blobs /shared/bytes',
    'migrate postgres://shapedex@db.example/parts ./library --blobs /shared/bytes',
  ],
  reindex: ['reindex', 'reindex --all --ocr'],
  sample: ['sample ./parts'],
  serve: [
    'serve',
    'serve --watch ./cad',
    'serve --library /srv/cad --port 9000 --public-url https://cad.example.com --trust-proxy 127.0.0.1 --log',
  ],
  mcp: ['mcp', 'mcp --library /srv/cad --company acme --read ./inbox', 'mcp --write'],
  'company add': ['company add acme --domain acme.example'],
  'company profile': ['company profile acme', 'company profile acme --set overwriteFiles=false'],
  'company plan': ['company plan acme', 'company plan acme --files 5000'],
  'company callback': ['company callback acme --url https://erp.example.com/hook', 'company callback acme --off'],
  'user add': ['user add ada@acme.example --company acme --admin'],
  'user list': ['user list', 'user list --company acme --waiting'],
  'user approve': ['user approve ben@acme.example'],
  'user password': ['user password ada@acme.example'],
  'user remove': ['user remove ben@acme.example'],
  'client add': ['client add --company acme --name ERP'],
  'client list': ['client list'],
  'client remove': ['client remove erp-plug-in'],
  'key add': ['key add ada@acme.example --name "nightly import" --days 365'],
  'key list': ['key list', 'key list ada@acme.example'],
  'key remove': ['key remove 3f2c1d0e-5b6a-4c7d-8e9f-0a1b2c3d4e5f'],
  audit: ['audit --company acme', 'audit --action "DELETE File" --limit 1000 --json'],
});

/**
 * Adds its examples to the end of a command's help, and those of its sub-commands to theirs. path: the names of those
 * above it.
 */
export function addExamples(command: Command, path = ''): void {
  const name = `${path}${command.name()}`;
  // A command that only groups sub-commands shows the first example of each.
  const lines =
    EXAMPLES[name] ??
    (path === '' ? command.commands.flatMap((below) => EXAMPLES[`${name} ${below.name()}`]?.slice(0, 1) ?? []) : []);
  if (lines.length > 0)
    command.addHelpText(
      'after',
      `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  shapedex ${line}`).join('\n')}`,
    );
  for (const below of command.commands) addExamples(below, `${name} `);
}
