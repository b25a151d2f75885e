import type { Document } from '../../content/document.js';
import type { ReadOptions } from '../../options.js';
import { PageWriter } from '../text/page-writer.js';
import { PropertyList } from '../metadata/property-list.js';
import { decodeText } from '../text/text-encoding.js';

/** Reads a text file as one page; for its encoding see {@link decodeText}. */
export function readTxt(bytes: Uint8Array, { limits }: ReadOptions): Document {
  const writer = new PageWriter('text', limits);
  writer.write(decodeText(bytes, limits.textCharacters));
  return writer.document('txt', []);
}

/** Keys of a front matter and the property names they get; other keys keep their names. */
const FRONT_NAMES: Readonly<Record<string, string>> = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  description: 'Description',
  keywords: 'Keywords',
  tags: 'Keywords',
  date: 'Created',
};

/** Most lines of a front matter. */
const FRONT_LINES = 100;

/**
 * Reads a Markdown file: its source text as one page. Properties come from the front matter (YAML between `---` lines,
 * of which plain `name: value` lines are read). Without a title there, the first heading of level 1 is the title.
 */
export function readMarkdown(bytes: Uint8Array, { limits }: ReadOptions): Document {
  const text = decodeText(bytes, limits.textCharacters);
  const properties = new PropertyList();
  const lines = text.slice(0, 100_000).split(/\r\n?|\n/);
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, i) => i > 0 && i <= FRONT_LINES && /^(---|\.\.\.)\s*$/.test(line))
      : -1;
  for (const line of lines.slice(1, Math.max(1, end))) {
    const [, name, value] = /^([A-Za-z][\w -]{0,60}):\s+(.*)$/.exec(line) ?? [];
    if (name !== undefined) properties.add(frontName(name.trim()), value.trim().replace(/^(["'[])(.*)["'\]]$/, '$2'));
  }
  if (!properties.properties.some(({ name }) => name === 'Title')) {
    properties.add(
      'Title',
      /^#\s+(.*)$/.exec(lines.slice(end + 1).find((line) => line.startsWith('# ')) ?? '')?.[1].replace(/\s#+\s*$/, ''),
    );
  }
  const writer = new PageWriter('Markdown', limits);
  writer.write(text);
  return writer.document('markdown', properties.properties);
}

function frontName(name: string): string {
  const key = name.toLowerCase();
  return Object.hasOwn(FRONT_NAMES, key) ? FRONT_NAMES[key] : name;
}
