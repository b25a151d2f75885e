import type { Document } from '../../content/document.js';
import type { ReadOptions } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { writeDrawing } from './drawingml-text.js';
import { OpcPackage } from '../package/opc.js';
import { PageWriter } from '../text/page-writer.js';
import { prefixedAttributeOf } from '../text/xml.js';

/**
 * Reads a PresentationML package (ISO/IEC 29500-1, 19; transitional and strict): one page per slide, in the order of
 * the presentation and including hidden slides, with tables, diagrams and labels of charts, then notes and comments.
 * Masters and layouts, which slides share, are not read.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function readPptx(bytes: Uint8Array, { limits }: ReadOptions, budget: UnpackBudget): Promise<Document> {
  const opened = await OpcPackage.open('pptx', bytes, limits, budget);
  const main = opened.mainPart('ppt/presentation.xml');
  const { properties } = opened.properties();
  const slides: (string | undefined)[] = [];
  opened.walk(main, {
    open(name, attributes) {
      if (name === 'sldId') slides.push(opened.relatedById(main, prefixedAttributeOf(attributes, 'id')));
    },
  });
  const writer = new PageWriter('pptx', limits);
  slides.forEach((path, i) => {
    if (writer.full) return;
    if (i > 0) writer.page();
    writeDrawing(opened, path, writer);
    if (path === undefined) return;
    for (const type of ['notesslide', 'comments']) {
      for (const extra of opened.related(path, type)) {
        writer.row();
        writeDrawing(opened, extra, writer);
      }
    }
  });
  return writer.document('pptx', properties, opened.warnings);
}
