/** Most characters of a company's name. */
const COMPANY_NAME_LIMIT = 200;

/**
 * The form in which a company's name is stored: NFC, no white space around it.
 * @throws TypeError or RangeError unless it is 1 to 200 printable characters.
 */
export function checkCompanyName(name: unknown): string {
  if (typeof name !== 'string') throw new TypeError(`company name must be a string, received ${typeof name}`);
  const label = name.normalize('NFC').trim();
  if (label === '' || label.length > COMPANY_NAME_LIMIT || /\p{Cc}|\p{Cs}/u.test(label)) {
    throw new RangeError(
      `company name must be 1 to ${COMPANY_NAME_LIMIT} printable characters, received ${JSON.stringify(name)}`,
    );
  }
  return label;
}
