import {
  EngineError,
  DUPLICATE_CLASSES,
  type Company,
  type DuplicateDecision,
  type DuplicateGroup,
  type DuplicateMember,
  type DuplicatesReport,
} from '../index.js';
import { bytes, count, decimal, plural, volume } from './format.js';
import { paintFor } from './output.js';
import { renderTable, type Column } from './table.js';

/** A column of a table of groups. */
interface MemberColumn extends Column {
  readonly cell: (member: DuplicateMember, group: DuplicateGroup) => string;
}

const COLUMNS: readonly MemberColumn[] = [
  {
    title: 'Match',
    cell: ({ matchClass, uid }, { keep }) => `${uid === keep ? 'keep: ' : ''}${matchClass ?? 'first'}`,
  },
  { title: 'File', keep: 'end', least: 24, cell: ({ path }) => path },
  {
    title: 'Score',
    align: 'right',
    spare: 3,
    cell: ({ matchClass, score }) => (matchClass === null ? '' : score.toFixed(4)),
  },
  {
    title: 'Scale',
    align: 'right',
    spare: 2,
    cell: ({ matchClass, scale }) => (matchClass === 'scaled' ? decimal(scale) : ''),
  },
  {
    title: 'Deviation',
    align: 'right',
    spare: 4,
    cell: ({ matchClass, maxDeviationMm }) =>
      matchClass === null || maxDeviationMm === null ? '' : `${length(maxDeviationMm)} mm`,
  },
  { title: 'Drawn', spare: 2, cell: ({ drawn }) => drawn?.text.replace(/^drawn /, '') ?? '' },
  { title: 'Volume', align: 'right', spare: 1, cell: ({ volumeMm3 }) => volume(volumeMm3) },
  {
    title: 'Also',
    align: 'right',
    spare: 5,
    cell: ({ copies }) => (copies === 0 ? '' : copies === 1 ? '1 copy' : `${count(copies)} copies`),
  },
];

const SAID: Readonly<Record<DuplicateGroup['matchClass'], string>> = Object.freeze({
  bytes: 'the same bytes',
  identical: 'identical parts',
  mirrored: 'mirrored parts',
  scaled: 'scaled parts',
  near: 'near parts',
});

/** One table with a heading line before each group, then the totals. */
export function renderGroups({ groups, files, compared, remembered }: DuplicatesReport): string {
  const paint = paintFor(process.stdout);
  const known = remembered > 0 ? `, ${count(remembered)} known from before` : '';
  const looked = `${plural(files, 'file')} looked at, ${plural(compared, 'pair')} compared${known}.`;
  if (groups.length === 0) return `No duplicates. ${looked}`;
  const parts = groups.map((group, i) => {
    const { matchClass, members, spareBytes, settled } = group;
    const spare = matchClass === 'bytes' || matchClass === 'identical' ? `, ${bytes(spareBytes)} to spare` : '';
    const decided = settled ? ', decided' : '';
    const isDrawing = matchClass === 'identical' && members.every(({ kind }) => kind === 'TwoD');
    const said = isDrawing ? 'the same drawing' : SAID[matchClass];
    const title = `${i + 1}. ${said}: ${plural(members.length, 'file')}${spare}${decided}`;
    return `${paint.bold(title)}\n${renderTable(
      columnsOf(members),
      members.map((member) => columnsOf(members).map(({ cell }) => cell(member, group))),
      { title: paint.dim, cell: (text) => text },
    )}`;
  });
  const sums = DUPLICATE_CLASSES.map(
    (one) => [one, groups.filter(({ matchClass }) => matchClass === one).length] as const,
  ).filter(([, number]) => number > 0);
  const totals = sums.map(([one, number]) => `${one} ${count(number)}`).join(', ');
  return `${parts.join('\n\n')}\n\n${plural(groups.length, 'group')} (${totals}). ${looked}`;
}

/** Columns of which at least one row has a value. */
function columnsOf(members: readonly DuplicateMember[]): readonly MemberColumn[] {
  const isModel = members.some(({ volumeMm3 }) => volumeMm3 !== null);
  return COLUMNS.filter(({ title }) => {
    if (title === 'Scale') return members.some(({ matchClass }) => matchClass === 'scaled');
    if (title === 'Drawn') return members.some(({ drawn }) => drawn !== null);
    if (title === 'Also') return members.some(({ copies }) => copies > 0);
    if (title === 'Deviation')
      return members.some(({ matchClass, maxDeviationMm }) => matchClass !== null && maxDeviationMm !== null);
    return isModel || title === 'Match' || title === 'File';
  });
}

/** Decisions with the paths of their files. */
export async function renderDecisions(company: Company, decisions: readonly DuplicateDecision[]): Promise<string> {
  if (decisions.length === 0) return 'Nothing was decided.';
  const rows = await Promise.all(
    decisions.map(async ({ id, kind, of, uids, decidedAt }) => [
      String(id),
      kind,
      of ?? '',
      (await Promise.all(uids.map((uid) => pathOf(company, uid)))).join('  '),
      decidedAt.toISOString().slice(0, 19).replace('T', ' '),
    ]),
  );
  return renderTable(
    [
      { title: 'Id', align: 'right' },
      { title: 'Decision' },
      { title: 'Of', spare: 1 },
      { title: 'Files', keep: 'end', least: 24 },
      { title: 'Decided', spare: 2 },
    ],
    rows,
  );
}

async function pathOf(company: Company, uid: string): Promise<string> {
  try {
    return (await company.get(uid)).path;
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.code !== 'FILE_UNKNOWN') throw cause;
    return uid; // Deleted this moment.
  }
}

/** Deviations are often far below 0.01 mm, so they keep more digits. */
function length(mm: number): string {
  return mm === 0 ? '0' : mm >= 1 ? decimal(mm) : String(Number(mm.toPrecision(2)));
}
