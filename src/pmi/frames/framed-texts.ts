import type { Finding } from '../finding.js';
import { PMI_TYPE } from '../pmi.js';
import type { TextLine } from '../text-lines.js';
import {
  cellOfRow,
  frameFindings,
  isSameCell,
  joinedRows,
  notesOf,
  type Composite,
  type Page,
  type RowAbove,
} from './control-frames.js';
import { frameAbout } from './drawn-frames.js';

/** What stands in frames, flags and balloons, with the lines that it was read from. */
export interface FramedTexts {
  readonly findings: readonly Finding[];
  readonly taken: ReadonlySet<TextLine>;
}

/** Control frames and datums: texts with something drawn about them. Rows that share a symbol are one frame. */
export function framedTexts(lines: readonly TextLine[], around: Omit<Page, 'lines' | 'above'>): FramedTexts {
  const findings: Finding[] = [];
  const done = new Set<TextLine>();
  const composites: Composite[] = [];
  const above: RowAbove[] = [];
  // The letter of a datum in an upright row looks like the sign of a profile: rows come first.
  const order = [...lines.filter(({ text }) => text !== '⌓'), ...lines.filter(({ text }) => text === '⌓')];
  for (const line of order) {
    if (done.has(line) || !mayBeFramed(line.text)) continue;
    const frame = frameAbout(line, around.index);
    const found = frame && frameFindings(line, frame, { ...around, lines, above });
    if (frame === undefined || found === undefined) continue;
    const notes = notesOf(line, frame, lines);
    for (const taken of [...found.taken, ...notes]) done.add(taken);
    const [first, ...others] = found.findings;
    const row = { top: frame.top, first, notes: notes.map(({ text }) => ({ text })) };
    const { tall } = found;
    if (found.row !== undefined) above.push({ ...found.row, line, tall: tall ?? cellOfRow(found.row.frame, line) });
    const composite = tall && composites.find((each) => isSameCell(each.tall, tall, line.height));
    if (composite !== undefined) {
      // The symbol is reported with the first row.
      composite.rows.push(row);
      findings[composite.at] = joinedRows(composite.rows);
      findings.push(...others.filter(({ type }) => type === PMI_TYPE.diameterSymbol));
      continue;
    }
    if (tall !== undefined) composites.push({ at: findings.length, rows: [row], tall });
    else if (found.row !== undefined)
      composites.push({ at: findings.length, rows: [row], tall: cellOfRow(found.row.frame, line) });
    findings.push(
      tall === undefined ? { ...first, parts: [...first.parts, ...row.notes] } : joinedRows([row]),
      ...others,
    );
  }
  return { findings, taken: done };
}

/** Texts around which boxes are drawn: a letter, or a text with a number. */
function mayBeFramed(text: string): boolean {
  return /^(?:[A-Z]{1,2}|⌓)$/.test(text) || (/\d/.test(text) && text.length <= 40);
}
