import { encodingNamed } from '../text/text-encoding.js';

/** Encodings by the character set of a font (`\fcharset`, RTF 1.9.1, table of font character sets). */
const CHARSETS: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  130: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/**
 * Encodings by code page (`\ansicpg`, `\cpg`) whose name is not `windows-` and the number (RTF 1.9.1, table of code
 * pages).
 */
const CODE_PAGES: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
  20866: 'koi8-r',
};

/**
 * Encoding of a font's character set; 'symbol' for the Symbol font, undefined when the font uses the document's
 * encoding.
 */
export function encodingOfCharset(charset: number): string | undefined {
  return charset === SYMBOL_CHARSET ? 'symbol' : CHARSETS[charset];
}

/** Encoding of a code page; Windows-1252 when it is unknown. */
export function encodingOfCodePage(page: number): string {
  return CODE_PAGES[page] ?? encodingNamed(`windows-${page}`) ?? 'windows-1252';
}

const SYMBOL_CHARSET = 2;
