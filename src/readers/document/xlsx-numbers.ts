import { dateFromSerial, format, getFormatFromId, isDateFormat } from 'numfmt';
import { attributeOf, type XmlHandler } from '../text/xml.js';

/** Built-in date formats whose display depends on the reader's locale in Excel; here ISO 8601. */
const LOCAL_DATES: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm' };

/** Longest format that is interpreted, characters; Excel allows 255. */
const LONGEST_FORMAT = 255;
/** Days between the epochs of 1900 and of 1904. */
const DAYS_TO_1904 = 1462;
/** Last day that Excel knows, 31 December 9999. */
const LAST_DAY = 2_958_465;

/** The number formats of a workbook's cell styles, filled by {@link stylesHandler}. */
export class CellFormats {
  readonly custom = new Map<number, string>();
  /** Number format of each cell style. */
  readonly styles: number[] = [];
  epoch1904 = false;

  /** The displayed text of a stored number in a cell of this style. */
  show(stored: string, style: number): string {
    const value = Number(stored);
    if (stored.trim() === '' || !Number.isFinite(value)) return stored;
    const id = this.styles[style] ?? 0;
    const pattern = this.custom.get(id) ?? LOCAL_DATES[id] ?? getFormatFromId(id) ?? 'General';
    if (pattern === 'General' || pattern === '@' || pattern.length > LONGEST_FORMAT) return plainNumber(value);
    const isDate = isDateFormat(pattern);
    const serial = isDate && this.epoch1904 ? value + DAYS_TO_1904 : value;
    if (isDate && (serial < 0 || serial > LAST_DAY + 1)) return plainNumber(value);
    try {
      const shown = format(pattern, serial, { locale: 'en-US', leap1900: !this.epoch1904, throws: true }).trim();
      // A format such as ;;; hides the number, but the cell still holds it.
      return shown === '' ? plainNumber(value) : shown;
    } catch (error) {
      // The format is not supported: the plain number is better than nothing.
      if (!(error instanceof Error)) throw error;
      return isDate ? isoOf(serial) : plainNumber(value);
    }
  }
}

/** Reads the number formats from the styles part. */
export function stylesHandler(formats: CellFormats): XmlHandler {
  return {
    open(name, attributes, path) {
      if (name === 'numFmt')
        formats.custom.set(
          Number(attributeOf(attributes, 'numFmtId')),
          attributeOf(attributes, 'formatCode') ?? 'General',
        );
      else if (name === 'xf' && path.includes('cellXfs'))
        formats.styles.push(Number(attributeOf(attributes, 'numFmtId') ?? 0));
    },
  };
}

/** Rounds to the fifteen digits that Excel displays: 0.1 + 0.2 is stored as 0.30000000000000004. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(15)));
}

function isoOf(serial: number): string {
  const [year, month, day] = dateFromSerial(serial).map((part) => String(part).padStart(2, '0'));
  return `${year}-${month}-${day}`;
}
