import type { CadDocument } from '@node-projects/acad-ts';
import type { AcadTs } from './texts.js';

/** Most lost references that are kept. */
const MOST_LOST = 100_000;

/** A name in a DXF file that acad-ts could not resolve. */
interface LostName {
  readonly name: string;
  /** Handle of the object that uses the name. */
  readonly handle: number;
}

/**
 * Restores references that acad-ts 3.2.0 loses in a DXF file and reports in its notifications. It searches one table
 * after another and takes the first entry of that name, so a block or line type with the name of a layer ("Border",
 * "Center") is lost. Negative colours, which mark layers that are off, become large ones.
 */
export class LostReferences {
  readonly #lost: LostName[] = [];
  readonly #off: { readonly layer: string; readonly color: number }[] = [];

  /** Records a notification of the reader. */
  record(message: string): void {
    const found = /^Table reference with handle: [^|]* \| name: (.{1,300}) not found for \w+ with handle (\d+)$/s.exec(
      message,
    );
    if (found !== null && this.#lost.length < MOST_LOST) this.#lost.push({ name: found[1], handle: Number(found[2]) });
    const off = /^Wrong index (\d{5}) for layer (.*)$/s.exec(message);
    if (off !== null && this.#off.length < MOST_LOST)
      this.#off.push({ layer: off[2], color: 0x10000 - Number(off[1]) });
  }

  /** Restores the lost blocks, line types and dimension styles, and switches layers off. */
  restore(acad: AcadTs, document: CadDocument): void {
    for (const { layer, color } of this.#off) {
      const found = document.layers?.tryGetValue(layer);
      if (found === undefined || color < 1 || color > 255) continue;
      found.isOn = false;
      found.color = new acad.Color(color);
    }
    for (const { name, handle } of this.#lost) {
      const object = document.getCadObject(handle);
      const block = document.blockRecords?.tryGetValue(name) ?? null,
        lineType = document.lineTypes?.tryGetValue(name) ?? null;
      const style = document.dimensionStyles?.tryGetValue(name) ?? null;
      if (object instanceof acad.Insert && object.block === null && block !== null) object.block = block;
      else if (object instanceof acad.Dimension && object.block === null && block !== null) object.block = block;
      else if (object instanceof acad.Dimension && style !== null) object.style = style;
      else if ((object instanceof acad.Entity || object instanceof acad.Layer) && lineType !== null)
        object.lineType = lineType;
    }
  }
}
