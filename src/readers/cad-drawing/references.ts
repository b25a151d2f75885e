import type { CadDocument } from '@node-projects/acad-ts';
import type { AcadTs } from './texts.js';

/** So many are looked at. */
const MOST_LOST = 100_000;

/** A name in a DXF file that acad-ts found no entry for. */
interface LostName {
  readonly name: string;
  /** Handle of the object that names it. */
  readonly handle: number;
}

/**
 * Mends what acad-ts 3.2.0 loses of a DXF file, as it says in its notifications. It looks for a name in one table after another and
 * takes what it finds first, so a block or a line type is lost that has the name of a layer ("Border", "Center"). Negative colors, which
 * layers have that are off, become large ones.
 */
export class LostReferences {
  readonly #lost: LostName[] = [];
  readonly #off: { readonly layer: string; readonly color: number }[] = [];

  /** Hears a notification of the reader. */
  hear(message: string): void {
    const found = /^Table reference with handle: [^|]* \| name: (.{1,300}) not found for \w+ with handle (\d+)$/s.exec(
      message,
    );
    if (found !== null && this.#lost.length < MOST_LOST) this.#lost.push({ name: found[1], handle: Number(found[2]) });
    const off = /^Wrong index (\d{5}) for layer (.*)$/s.exec(message);
    if (off !== null && this.#off.length < MOST_LOST)
      this.#off.push({ layer: off[2], color: 0x10000 - Number(off[1]) });
  }

  /** Puts blocks, line types and dimension styles back where their names stood, and switches layers off. */
  mend(acad: AcadTs, document: CadDocument): void {
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
