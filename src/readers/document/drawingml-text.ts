import type { OpcPackage } from '../package/opc.js';
import type { PageWriter } from '../text/page-writer.js';
import { attributeOf, prefixedAttributeOf, SKIP, type XmlAttributes } from '../text/xml.js';

/**
 * Writes the text of a DrawingML part (ISO/IEC 29500-1, 20 and 21): the shapes and tables of a slide or of a sheet's
 * drawing, the texts of a diagram, the titles and labels of a chart. A referenced diagram or chart is written at the
 * place of the reference.
 */
export function writeDrawing(opened: OpcPackage, part: string | undefined, writer: PageWriter, depth = 0): void {
  if (part === undefined) return;
  opened.walkOnce(part, {
    open(name, attributes, path) {
      // Slide numbers, and fallbacks for newer drawings.
      if (name === 'Fallback' || (name === 'fld' && /^(slidenum|datetime)/.test(attributeOf(attributes, 'type') ?? '')))
        return SKIP;
      if (name === 'tr') writer.row();
      else if (name === 'br') writer.line();
      else if (name === 'tab' && path.at(-2) === 'r') writer.write('	');
      // Only one level of references is followed, because parts can refer to each other.
      else if (depth === 0) writeDrawing(opened, embeddedDrawing(opened, part, name, attributes), writer, 1);
      return undefined;
    },
    text(run, path) {
      const name = path.at(-1);
      // Comments of the legacy form are in `cm`.
      if (name === 't' || (name === 'text' && path.at(-2) === 'cm')) writer.write(run);
      // Labels of a chart; its numbers are in the workbook.
      else if (name === 'v' && path.includes('strCache')) {
        writer.write(run);
        writer.line();
      }
    },
    close(name) {
      if (name === 'p' || name === 'cm') writer.line();
      else if (name === 'tc') writer.cell();
      else if (name === 'tr') writer.row();
    },
    done: () => writer.full,
  });
}

/** Path of the diagram or chart that an element refers to; undefined for any other element. */
export function embeddedDrawing(
  opened: OpcPackage,
  from: string,
  name: string,
  attributes: XmlAttributes,
): string | undefined {
  if (name === 'relIds') return opened.relatedById(from, attributeOf(attributes, 'dm'));
  return name === 'chart' ? opened.relatedById(from, prefixedAttributeOf(attributes, 'id')) : undefined;
}
