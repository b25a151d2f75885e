import type { OpcPackage } from '../package/opc.js';
import type { PageWriter } from '../text/page-writer.js';
import { attributeOf, prefixedAttributeOf, type XmlHandler } from '../text/xml.js';

/**
 * Writes the text of a DrawingML part (ISO/IEC 29500-1, 20 and 21): the shapes and tables of a slide or of a sheet's
 * drawing, the texts of a diagram, the titles and labels of a chart. A referenced diagram or chart is written at the
 * place of the reference.
 */
export function writeDrawing(opened: OpcPackage, path: string | undefined, writer: PageWriter, depth = 0): void {
  if (path !== undefined) opened.walkOnce(path, new DrawingHandler(opened, path, writer, depth));
}

/** Path of the diagram or chart that an element refers to; undefined for any other element. */
export function embeddedDrawing(
  opened: OpcPackage,
  from: string,
  name: string,
  attributes: ReadonlyMap<string, string>,
): string | undefined {
  if (name === 'relIds') return opened.relatedById(from, attributeOf(attributes, 'dm'));
  return name === 'chart' ? opened.relatedById(from, prefixedAttributeOf(attributes, 'id')) : undefined;
}

class DrawingHandler implements XmlHandler {
  readonly #opened: OpcPackage;
  readonly #path: string;
  readonly #writer: PageWriter;
  readonly #depth: number;
  readonly #open: string[] = [];
  /** Depth below which nothing is written, inside slide number fields and fallbacks for newer drawings. */
  #skippedBelow = Infinity;

  constructor(opened: OpcPackage, path: string, writer: PageWriter, depth: number) {
    this.#opened = opened;
    this.#path = path;
    this.#writer = writer;
    this.#depth = depth;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#open.push(name);
    if (this.#open.length > this.#skippedBelow) return;
    if (name === 'Fallback' || (name === 'fld' && /^(slidenum|datetime)/.test(attributeOf(attributes, 'type') ?? '')))
      this.#skippedBelow = this.#open.length;
    else if (name === 'tr') this.#writer.row();
    else if (name === 'br') this.#writer.line();
    else if (name === 'tab' && this.#open.at(-2) === 'r') this.#writer.write('\t');
    // Only one level of references is followed, because parts can refer to each other.
    else if (this.#depth === 0)
      writeDrawing(this.#opened, embeddedDrawing(this.#opened, this.#path, name, attributes), this.#writer, 1);
  }

  text(run: string): void {
    if (this.#open.length >= this.#skippedBelow) return;
    const name = this.#open.at(-1);
    if (name === 't') this.#writer.write(run);
    // Labels of a chart; its numbers are in the workbook.
    else if (name === 'v' && this.#open.includes('strCache')) {
      this.#writer.write(run);
      this.#writer.line();
    }
    // Comments of the legacy form.
    else if (name === 'text' && this.#open.at(-2) === 'cm') this.#writer.write(run);
  }

  close(name: string): void {
    if (this.#open.length <= this.#skippedBelow) this.#skippedBelow = Infinity;
    this.#open.pop();
    if (name === 'p' || name === 'cm') this.#writer.line();
    else if (name === 'tc') this.#writer.cell();
    else if (name === 'tr') this.#writer.row();
  }

  done(): boolean {
    return this.#writer.full;
  }
}
