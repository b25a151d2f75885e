import type { Document } from '../../content/document.js';
import type { Limits, ReadOptions } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { DocxTextHandler } from './docx-text.js';
import { OpcPackage } from '../package/opc.js';
import { PageWriter } from '../text/page-writer.js';
import { attributeOf, type XmlHandler } from '../text/xml.js';

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
  const properties = opened.properties();
  const writer = new PageWriter('docx', limits);
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote', 'comment']) {
    for (const path of opened.related(main, `${kind}s`))
      opened.walk(path, new NotesHandler(kind, opened, path, notes, limits));
  }
  writer.blocks(textsOf(opened, opened.related(main, 'header'), limits));
  const body = new DocxTextHandler(opened, main, writer, { notes, sectionBreaks: sectionBreaksOf(opened, main) });
  opened.walk(main, body);
  body.writeNotes();
  writer.blocks([...notes].filter(([key]) => key.startsWith('endnote ')).map(([, note]) => note));
  writer.blocks(textsOf(opened, opened.related(main, 'footer'), limits));
  const { pages, warnings } = writer.finish();
  return {
    kind: 'document',
    format: 'docx',
    pages,
    properties: properties.properties,
    warnings: [...opened.warnings, ...warnings],
  };
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
  const open: string[] = [];
  opened.walk(main, {
    open(name, attributes) {
      if (name === 'sectPr' && open.at(-1) !== 'sectPrChange') types.push(undefined);
      if (name === 'type' && open.at(-1) === 'sectPr' && !open.includes('sectPrChange'))
        types[types.length - 1] = attributeOf(attributes, 'val');
      open.push(name);
    },
    close: () => void open.pop(),
  });
  return types.slice(1).map((type) => type !== 'continuous' && type !== 'nextColumn');
}

/** Reads the notes or comments of one part into a map from `footnote 2` to its text. */
class NotesHandler implements XmlHandler {
  readonly #kind: string;
  readonly #opened: OpcPackage;
  readonly #path: string;
  readonly #notes: Map<string, string>;
  readonly #limits: Limits;
  #left: number;
  #note: { key: string; writer: PageWriter; handler: DocxTextHandler } | undefined;

  constructor(kind: string, opened: OpcPackage, path: string, notes: Map<string, string>, limits: Limits) {
    this.#kind = kind;
    this.#opened = opened;
    this.#path = path;
    this.#notes = notes;
    this.#limits = limits;
    this.#left = limits.textCharacters;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#note !== undefined) {
      this.#note.handler.open(name, attributes);
    } else if (name === this.#kind) {
      const writer = new PageWriter('docx', { ...this.#limits, pages: 1, textCharacters: this.#left });
      this.#note = {
        key: `${name} ${attributeOf(attributes, 'id') ?? ''}`,
        writer,
        handler: new DocxTextHandler(this.#opened, this.#path, writer),
      };
    }
  }

  text(run: string): void {
    this.#note?.handler.text(run);
  }

  close(name: string): void {
    if (this.#note === undefined) return;
    if (name !== this.#kind) return this.#note.handler.close(name);
    // A blank or tab separates the note's mark from its text.
    const text = this.#note.writer.finish().pages[0].text.trim();
    this.#left -= 1 + text.length;
    if (text !== '') this.#notes.set(this.#note.key, text);
    this.#note = undefined;
  }

  done(): boolean {
    return this.#left <= 0;
  }
}
