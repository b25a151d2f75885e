import { limitExceeded } from '../../errors.js';

/** Most codes that the maps of a file may cover, and those of one map; the largest real ones cover 65,536 each. */
const MOST_CODES = 100_000_000,
  MOST_CODES_OF_MAP = 2_000_000;
/** pdfjs refuses longer ranges. */
const LONGEST_RANGE = 2 ** 24;

const SECTION = /begin(?:cid|bf|notdef)range([^]*?)end(?:cid|bf|notdef)range/g;
const RANGE = /<([^<>]*)>\s*<([^<>]*)>\s*(?:<[^<>]*>|\[[^\]]*\]|\d+)/g;

/**
 * How many codes the maps from codes to characters or glyphs of a PDF's fonts cover (CMaps). A range of 16 million is 20
 * bytes, and pdfjs writes each code of it down: twenty such ranges took a minute and 1.3 GiB.
 */
export class ClaimedMaps {
  #codes = 0;

  /**
   * Looks through what a stream unpacks to.
   * @throws EngineError `LIMIT_EXCEEDED` for more than {@link MOST_CODES_OF_MAP}, or {@link MOST_CODES} with those before.
   */
  see(bytes: Buffer): void {
    if (!bytes.includes('range') || !bytes.includes('begincmap')) return;
    let codes = 0;
    for (const [, section] of bytes.toString('latin1').matchAll(SECTION))
      for (const [, first, last] of section.matchAll(RANGE)) {
        const count = codeOf(last) - codeOf(first) + 1;
        if (count > 0 && count <= LONGEST_RANGE) codes += count;
      }
    this.#codes += codes;
    const what = 'a font of the PDF',
      limit = 'the number of codes that its map covers';
    if (codes > MOST_CODES_OF_MAP) throw limitExceeded(what, limit, MOST_CODES_OF_MAP, codes);
    if (this.#codes > MOST_CODES) throw limitExceeded('the fonts of the PDF', limit, MOST_CODES, this.#codes);
  }
}

function codeOf(hex: string): number {
  return Number.parseInt(hex.replace(/\s/g, ''), 16);
}
