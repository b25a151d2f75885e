import type { Document } from '../../content/document.js';
import type { Limits, ReadOptions } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { DocxTextHandler } from './docx-text.js';
import { OpcPackage } from '../package/opc.js';
import { PageWriter } from '../text/page-writer.js';
import { attributeOf } from '../text/xml.js';

/**
 * Reads a WordprocessingML package (ISO/IEC 29500-1, 17; transitional and strict). Pages end at the marks of Word's
 * last layout and at the author's page breaks; a file without either is one page. Headers are written once, on the
 * first page, footers and endnotes on the last, footnotes and comments on the page that refers to them. Deleted text is
 * left out.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function readDocx(bytes: Uint8Array, { limits }: ReadOptions, budget: UnpackBudget): Promise<Document> {
  const opened = await OpcPackage.open('docx', bytes, limits, budget);
  const main = opened.mainPart('word/document.xml');
  const { properties } = opened.properties();
  const writer = new PageWriter('docx', limits);
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote', 'comment']) {
    for (const path of opened.related(main, `${kind}s`)) readNotes(kind, opened, path, notes, limits);
  }
  writer.blocks(textsOf(opened, opened.related(main, 'header'), limits));
  const body = new DocxTextHandler(opened, main, writer, { notes, sectionBreaks: sectionBreaksOf(opened, main) });
  opened.walk(main, body);
  body.writeNotes();
  writer.blocks([...notes].filter(([key]) => key.startsWith('endnote ')).map(([, note]) => note));
  writer.blocks(textsOf(opened, opened.related(main, 'footer'), limits));
  return writer.document('docx', properties, opened.warnings);
}

/** The different texts of some parts; the headers of odd, even and first pages are often equal. */
function textsOf(opened: OpcPackage, paths: readonly string[], limits: Limits): Set<string> {
  return new Set(
    paths.map((path) => {
      const part = new PageWriter('docx', { ...limits, pages: 1 });
      opened.walk(path, new DocxTextHandler(opened, path, part));
      return part.finish().pages[0].text;
    }),
  );
}

/** For each section but the first, whether it begins a page; a section's properties are at its end. */
function sectionBreaksOf(opened: OpcPackage, main: string): boolean[] {
  const types: (string | undefined)[] = [];
  opened.walk(main, {
    open(name, attributes, path) {
      if (name === 'sectPr' && path.at(-2) !== 'sectPrChange') types.push(undefined);
      if (name === 'type' && path.at(-2) === 'sectPr' && !path.includes('sectPrChange'))
        types[types.length - 1] = attributeOf(attributes, 'val');
    },
  });
  return types.slice(1).map((type) => type !== 'continuous' && type !== 'nextColumn');
}

/** Reads the notes or comments of one part into a map from `footnote 2` to its text. */
function readNotes(kind: string, opened: OpcPackage, part: string, notes: Map<string, string>, limits: Limits): void {
  let left = limits.textCharacters;
  let note: { readonly key: string; readonly writer: PageWriter; readonly handler: DocxTextHandler } | undefined;
  opened.walk(part, {
    open(name, attributes, path) {
      if (note !== undefined) return note.handler.open(name, attributes, path);
      if (name !== kind) return undefined;
      const writer = new PageWriter('docx', { ...limits, pages: 1, textCharacters: left });
      const key = `${name} ${attributeOf(attributes, 'id') ?? ''}`;
      note = { key, writer, handler: new DocxTextHandler(opened, part, writer) };
      return undefined;
    },
    text: (run, path) => note?.handler.text(run, path),
    close(name, path) {
      if (note === undefined) return;
      if (name !== kind) return note.handler.close(name, path);
      // A blank or tab separates the note's mark from its text.
      const text = note.writer.finish().pages[0].text.trim();
      left -= 1 + text.length;
      if (text !== '') notes.set(note.key, text);
      note = undefined;
    },
    done: () => left <= 0,
  });
}
